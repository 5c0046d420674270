"""Feeds a check with broken inputs for as long as one likes, and says which it broke on.

    python tests/fuzz_games.py --seconds 600
    python tests/fuzz_games.py --seconds 600 --atheris      # led by coverage of movelo's own code

A check takes bytes, and raises nothing unless movelo does something that it never should. An
input that takes more than ten seconds of CPU, or two minutes, is a failure too. Each distinct
failure is written once, with the smallest input that led to it, into a folder; the exit code is
their number, at most 99.

--atheris needs `pip install atheris`, which is there for CPython 3.11 to 3.14 on Linux (x86-64)
alone. It stops at the first failure, with an exit code that is not 0.
"""

import argparse
import gc
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any, NoReturn

ROOT = Path(__file__).parent.parent
CPU_SECONDS_AN_INPUT = 10
SECONDS_AN_INPUT = 120

Check = Callable[[bytes], None]
Change = Callable[[bytes, random.Random], bytes]

NASTY = tuple(
    text.encode("utf-8", "surrogatepass")
    for text in (
        *("", "0", "-1", "1e999", "NaN", "null", "true", "[]", "{}", "²", "٣", "½", "9" * 5000),
        *(str(2**31), str(2**63), str(-(2**63) - 1), str(10**30), "1e400", "0x10", "1_0"),
        *("\0", "\ud800", "\u202e", "\u200b", "\ufeff", "\x1b[31m", "a\u0301" * 40, "\u2028"),
        *("<script>", "{player} {0} %s", "../../x", "C:\\x", "CON", "=1+1", "\\", '"', "'"),
        *("(", ")", "{", "}", "[", "]", ";", "%", "$", "--", "\n", "\r\n", "\n\n", "*", "1-0"),
    )
)


def broken(seed: bytes, chance: random.Random, words: Sequence[bytes] = NASTY) -> bytes:
    """`seed` with one to eight changes: bytes, pieces and words, put in, taken out, doubled."""
    data = bytearray(seed)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        start = chance.randint(0, len(data))
        end = min(len(data), start + chance.choice((0, 0, 1, 2, 4, 16, 200)))
        match chance.randrange(6):
            case 0:
                data[start:end] = chance.choice(words)
            case 1:
                data[start:end] = bytes([chance.randrange(256)])
            case 2:
                del data[start:end]
            case 3:
                data[start:start] = data[start:end] * chance.choice((1, 2, 50))
            case 4:
                del data[end:]
            case _:
                other = chance.randint(0, len(data))
                data[start:end] = data[other : other + 40]
    return bytes(data)


class Hung(BaseException):
    """An input takes too long."""


@dataclass
class Failures:
    """By where they happened; each with the smallest input so far."""

    folder: Path
    found: dict[str, bytes] = field(default_factory=dict)

    def note(self, data: bytes, error: BaseException) -> None:
        steps = traceback.extract_tb(error.__traceback__)
        own = [step for step in steps if str(ROOT) in step.filename] or steps
        place = f"{type(error).__name__} at {Path(own[-1].filename).name}:{own[-1].lineno}"
        if place not in self.found:
            print(
                f"\n{place}: {error!s:.300}", "".join(traceback.format_tb(error.__traceback__)[-4:])
            )
        elif len(data) >= len(self.found[place]):
            return
        self.found[place] = data
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / place.replace(" ", "-").replace(":", "-")).write_bytes(data)


def main(check: Check, seeds: Sequence[bytes], *, change: Change = broken) -> NoReturn:
    """Run the command line that stands above."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=0, help="of the chances")
    options.add_argument("--atheris", action="store_true", help="let coverage lead")
    options.add_argument("--failures", type=Path, default=ROOT / "build" / "fuzz")
    options.add_argument("file", nargs="?", type=Path, help="try this one input")
    chosen = options.parse_args()
    if chosen.file is not None:
        check(chosen.file.read_bytes())
        sys.exit(0)
    if chosen.atheris:
        _with_atheris(check, seeds, **_bounds(chosen))
    failures = fuzz(check, seeds, change=change, **_bounds(chosen))
    sys.exit(min(99, len(failures.found)))


def _bounds(chosen: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(chosen, name) for name in ("seconds", "seed", "failures")}


def fuzz(
    check: Check,
    seeds: Sequence[bytes],
    *,
    seconds: float,
    seed: int,
    failures: Path,
    change: Change = broken,
) -> Failures:
    """Try changed seeds until the time is over; says how many, how large, how slow."""
    for number in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(number, _hung)
    chance, found = random.Random(seed), Failures(failures)
    began, tried, slowest = time.monotonic(), 0, 0.0
    while (now := time.monotonic()) - began < seconds:
        start = chance.choice(seeds)
        # The seeds as they are come first.
        data = seeds[tried] if tried < len(seeds) else change(start, chance)
        _give_time(CPU_SECONDS_AN_INPUT, SECONDS_AN_INPUT)
        try:
            check(data)
        except (Exception, Hung) as error:
            found.note(data, error)
        finally:
            _give_time(0, 0)
        tried, slowest = tried + 1, max(slowest, time.monotonic() - now)
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(
        f"{tried} inputs in {seconds:.0f} s ({used.ru_utime:.0f} s of CPU), "
        f"slowest {slowest:.2f} s, at most {used.ru_maxrss // 1024} MiB, "
        f"{len(found.found)} failures"
    )
    return found


def _give_time(cpu_seconds: int, seconds: int) -> None:
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    signal.alarm(seconds)


def _hung(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise Hung("it takes too long")


def _with_atheris(
    check: Check, seeds: Sequence[bytes], *, seconds: float, seed: int, failures: Path
) -> NoReturn:
    """libFuzzer stops at the first failure, writes it down, and ends the process itself."""
    atheris = _atheris()
    corpus = ROOT / "build" / "fuzz-corpus" / Path(sys.argv[0]).stem
    for folder in (corpus, failures):
        folder.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(one)
    for function in _own_functions():
        atheris.instrument_func(function)
    options = [f"-max_total_time={seconds:.0f}", f"-seed={seed + 1}", "-print_final_stats=1"]
    bounds = [f"-timeout={SECONDS_AN_INPUT}", "-rss_limit_mb=2048", "-max_len=20000"]
    paths = [f"-artifact_prefix={failures}/", str(corpus)]
    atheris.Setup([sys.argv[0], *options, *bounds, *paths], check)
    atheris.Fuzz()
    sys.exit(0)


def _atheris() -> Any:
    try:
        return import_module("atheris")
    except ImportError:
        sys.exit(
            "--atheris needs atheris: pip install atheris "
            "(for CPython 3.11 to 3.14 on Linux, x86-64), or leave the option out"
        )


def _own_functions() -> list[FunctionType]:
    """movelo's: atheris's `instrument_all` goes on for many minutes with all the libraries."""
    rooms = {path.name for path in ROOT.iterdir() if (path / "__init__.py").is_file()}
    functions = [one for one in gc.get_objects() if isinstance(one, FunctionType)]
    return [one for one in functions if str(one.__module__).partition(".")[0] in rooms]
