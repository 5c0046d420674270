"""How fast a Lichess database dump is read: next to python-chess, and to zstd alone.

    python tests/bench_dump.py [--games 20000] [--python-chess-games 400] [--memory 10000 200000]

Makes a file like lichess_db_standard_rated_YYYY-MM.pgn.zst, of many frames, and reads it as
`movelo import` does: everything, and with filters that keep about 1 %. Each time is the best of
three. The games are converted to Lichess's records, as the store keeps them; writing them is
not in the times. python-chess reads the first games of the same file. With --memory, the peak
memory of processes that read so many games, keeping all or 1 %.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import chess.pgn
import psutil
import zstandard
from made_dump import write_dump

from pipeline.fetch.files import read_wanted_games
from pipeline.fetch.game_filter import GameFilter
from pipeline.fetch.pgn_skim import Wanted
from pipeline.records import SetAside

FILTERS = {
    "all": GameFilter(),
    "sample 1 %": GameFilter(share=0.01),
    "blitz and rapid, 2100+": GameFilter(speeds=("blitz", "rapid"), min_rating=2100),
    "100 players of 20,000": GameFilter(players=frozenset(f"player_{n}" for n in range(100))),
}


def main() -> int:
    flags = parsed_flags()
    if flags.child is not None:
        return child(flags.child, flags.filter)
    with tempfile.TemporaryDirectory() as folder:
        dump = Path(folder) / "lichess_db_standard_rated_2026-10.pgn.zst"
        write_dump(dump, flags.games)
        compare(dump, flags.games, flags.python_chess_games)
        for games in flags.memory:
            write_dump(dump, games)
            for name in ("all", "sample 1 %"):
                command = [sys.executable, __file__, "--child", str(dump), "--filter", name]
                told = json.loads(subprocess.check_output(command, text=True))
                print(f"peak memory, {games} games, {name}: {told['peak_mib']:.1f} MiB")
    return 0


def compare(dump: Path, games: int, python_chess_games: int) -> None:
    """Print games/s of both readers on the same file, MB/s of zstd alone, and the ratios."""
    text_bytes, zstd_seconds = best_of_3(lambda: unpacked_bytes(dump))
    print(
        f"{games} games, {text_bytes / games:.0f} bytes each, packed"
        f" {text_bytes / dump.stat().st_size:.1f} times smaller;"
        f" zstd alone: {text_bytes / zstd_seconds / 1e6:.0f} MB/s"
    )
    text = first_games(dump, python_chess_games)
    _, seconds = best_of_3(lambda: read_by_python_chess(text))
    python_chess = python_chess_games / seconds
    _, seconds = best_of_3(lambda: skipped_by_python_chess(text))
    skipping = python_chess_games / seconds
    print(f"python-chess: read_game {python_chess:.0f} games/s, skip_game {skipping:.0f} games/s")
    for name, games_filter in FILTERS.items():
        kept, seconds = best_of_3(lambda f=games_filter: read_by_movelo(dump, f))
        rate = games / seconds
        print(
            f"{name}: {kept / games:.2%} kept, {rate:.0f} games/s,"
            f" {rate / python_chess:.1f} × read_game, {rate / skipping:.1f} × skip_game;"
            f" {text_bytes / seconds / 1e6:.0f} MB/s, {zstd_seconds / seconds:.0%} of zstd alone"
        )


def child(dump: Path, filter_name: str) -> int:
    """Read `dump` and tell the peak memory of this process."""
    kept = read_by_movelo(dump, FILTERS[filter_name])
    with Path("/proc/self/status").open() as status:
        peak_kib = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    rss = psutil.Process().memory_info().rss
    print(json.dumps({"kept": kept, "peak_mib": max(peak_kib / 1024, rss / 2**20)}))
    return 0


def best_of_3(read: Callable[[], int]) -> tuple[int, float]:
    """What it gives, and the shortest time in seconds."""
    times = []
    for _ in range(3):
        started_at = time.perf_counter()
        count = read()
        times.append(time.perf_counter() - started_at)
    return count, min(times)


def read_by_movelo(dump: Path, games: GameFilter) -> int:
    """How many games are kept."""
    wanted = Wanted(games, Counter())
    kept = 0
    for item in read_wanted_games(dump, stdin=io.BytesIO(), wanted=wanted):
        assert not isinstance(item, SetAside), item
        json.dumps(item.record, ensure_ascii=False, separators=(",", ":"))
        kept += 1
    return kept


def read_by_python_chess(text: str) -> int:
    stream, count = io.StringIO(text), 0
    while chess.pgn.read_game(stream) is not None:
        count += 1
    return count


def skipped_by_python_chess(text: str) -> int:
    stream, count = io.StringIO(text), 0
    while chess.pgn.skip_game(stream):
        count += 1
    return count


def unpacked_bytes(dump: Path) -> int:
    buffer, size = bytearray(1024 * 1024), 0
    decompressor = zstandard.ZstdDecompressor(max_window_size=2**31)
    with dump.open("rb") as file, decompressor.stream_reader(file, read_across_frames=True) as text:
        while count := text.readinto(buffer):
            size += count
    return size


def first_games(dump: Path, count: int) -> str:
    decompressor = zstandard.ZstdDecompressor(max_window_size=2**31)
    with dump.open("rb") as file, decompressor.stream_reader(file, read_across_frames=True) as text:
        content = text.read(count * 8192).decode()
    return "\n\n[Event ".join(content.split("\n\n[Event ")[:count])


def parsed_flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How fast a Lichess database dump is read.")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--python-chess-games", type=int, default=400)
    parser.add_argument("--memory", type=int, nargs="*", default=[])
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--filter", default="all", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
