"""A small UCI engine for tests: a real process, well-behaved unless told otherwise.

    engine = write_fake_engine(tmp_path, "--hang-at", "3")
    ...
    assert processes_of(engine) == []      # nothing survived

It answers each `go` with a score and a legal move that depend on the position alone.
What it can be told (N counts the searches of all its processes together, from 1):

    --hang-at N          never answers the Nth search
    --crash-at N         ends with a segmentation fault in the Nth search
    --exit-at N          ends with exit code 1 in the Nth search
    --nonsense-at N      answers the Nth search with garbage and an impossible move
    --no-score-at N      answers the Nth search with a move, but no score
    --no-move-at N       answers the Nth search with a score, but no move
    --crash-on UCI       crashes whenever this move is part of a position
    --late SECONDS       takes this long for each search
    --bounds             adds bounds after each score, as when the nodes run out
    --mate N             scores every position as `mate N`
    --refuse             ends at once with exit code 3 and a word on standard error
    --no-uciok           never completes `uci`
    --no-readyok         never answers `isready`
    --no-name            does not state its name
    --bare               has no options at all
    --log FILE           appends every line that it receives

A pool's trial search is the first one.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import zlib
from pathlib import Path

# As an engine this file runs with -I and starts often: `typing`, `chess` and `psutil` are
# imported where they are needed.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    import chess

OPTIONS = """\
option name Threads type spin default 1 min 1 max 1024
option name Hash type spin default 16 min 1 max 1024
option name UCI_Chess960 type check default false
option name MultiPV type spin default 1 min 1 max 500
option name EvalFile type string default nn-fake.nnue
option name Contempt type spin default 0 min -100 max 100"""


def write_fake_engine(folder: Path, *arguments: str, name: str = "fake-engine") -> Path:
    """An executable file in `folder` that runs this engine with `arguments`."""
    engine = folder / name
    script = [sys.executable, "-I", str(Path(__file__).absolute()), "--home", str(engine)]
    words = " ".join(f"'{word}'" for word in [*script, *arguments])
    engine.write_text(f"#!/bin/sh\nexec {words}\n")
    engine.chmod(0o755)
    return engine


def processes_of(engine: Path) -> list[str]:
    """One line (id, state, command) for each process that runs `engine`, zombies included."""
    import psutil  # type: ignore[import-untyped,unused-ignore]

    found = []
    for process in psutil.process_iter(["pid", "ppid", "status", "cmdline"]):
        info = process.info
        command = " ".join(info["cmdline"] or ())
        is_own_zombie = info["status"] == psutil.STATUS_ZOMBIE and info["ppid"] == os.getpid()
        if str(engine) in command or is_own_zombie:
            found.append(f"{info['pid']} {info['status']} {command}")
    return found


def searches_of(engine: Path) -> int:
    """How many searches the processes of `engine` have begun."""
    counter = _counter(engine)
    return counter.stat().st_size if counter.exists() else 0


def _counter(engine: Path) -> Path:
    return engine.with_name(engine.name + ".searches")


class FakeEngine:
    def __init__(self, flags: argparse.Namespace) -> None:
        self.flags = flags
        self.position = ""
        self.start = ""
        self.moves: list[str] = []
        self.board: chess.Board | None = None

    def run(self) -> None:
        if self.flags.refuse:
            print("libmissing.so: not found", file=sys.stderr)
            sys.exit(3)
        for line in sys.stdin:
            self.log(line)
            match line.split():
                case ["uci"]:
                    self.uci()
                case ["isready"]:
                    self.isready()
                case ["position", *_]:
                    self.position = line.strip()
                case ["go", *_]:
                    self.go()
                case ["quit"]:
                    return

    def log(self, line: str) -> None:
        if self.flags.log:
            with Path(self.flags.log).open("a") as log:
                log.write(line)

    def uci(self) -> None:
        if not self.flags.no_name:
            say("id name Fake 1.0")
        if not self.flags.bare:
            say(OPTIONS)
        if not self.flags.no_uciok:
            say("uciok")

    def isready(self) -> None:
        if not self.flags.no_readyok:
            say("readyok")

    def go(self) -> None:
        search = self.count()
        time.sleep(self.flags.late)
        if search == self.flags.hang_at:
            time.sleep(3600)
        if search == self.flags.crash_at or self.flags.crash_on in self.position.split():
            crash()
        if search == self.flags.exit_at:
            sys.exit(1)
        if search == self.flags.nonsense_at:
            say("info depth x score cp lots\n\x00\xff???\nbestmove e9e4")
            return
        self.answer(search)

    def count(self) -> int:
        with _counter(Path(self.flags.home)).open("ab") as counter:
            counter.write(b".")
            counter.flush()
            return counter.tell()

    def answer(self, search: int) -> None:
        score = zlib.crc32(self.position.encode()) % 401 - 200
        kind = f"mate {self.flags.mate}" if self.flags.mate is not None else f"cp {score}"
        if search != self.flags.no_score_at:
            say(f"info depth 1 nodes 1 score {kind}")
            if self.flags.bounds:
                say("info depth 2 nodes 2 score cp 900 lowerbound")
                say("info depth 2 nodes 3 score cp -900 upperbound")
        say(f"bestmove {'(none)' if search == self.flags.no_move_at else self.first_legal_move()}")

    def first_legal_move(self) -> str:
        if self.position == "position startpos":
            return "a2a3"
        return min(move.uci() for move in self.reached().legal_moves)

    def reached(self) -> chess.Board:
        """The board of the position; what it shares with the one before is not played again."""
        import chess

        start, _, listed = self.position.partition(" moves ")
        moves = listed.split()
        if self.board is None or start != self.start or moves[: len(self.moves)] != self.moves:
            fen = start.removeprefix("position fen ")
            self.board = chess.Board(chess.STARTING_FEN if "startpos" in start else fen)
            self.start, self.moves = start, []
        for move in moves[len(self.moves) :]:
            self.board.push_uci(move)
        self.moves = moves
        return self.board


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def crash() -> NoReturn:
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError("a segmentation fault ends the process")


def main() -> None:
    parser = argparse.ArgumentParser()
    for fault in ("hang", "crash", "exit", "nonsense", "no-score", "no-move"):
        parser.add_argument(f"--{fault}-at", type=int, default=0)
    for switch in ("refuse", "no-uciok", "no-readyok", "no-name", "bare", "bounds"):
        parser.add_argument(f"--{switch}", action="store_true")
    parser.add_argument("--home", required=True)
    parser.add_argument("--crash-on", default="")
    parser.add_argument("--late", type=float, default=0.0)
    parser.add_argument("--mate", type=int)
    parser.add_argument("--log")
    FakeEngine(parser.parse_args()).run()


if __name__ == "__main__":
    main()
