"""What programs write into the comments of a PGN: evaluations and clocks."""

from __future__ import annotations

import re

from engines.evals import Centipawns, Color, Eval
from pipeline.fetch.export_evals import mate_from_white
from pipeline.records import SourceEval

_CLOCK = re.compile(r"\[%clk\s+(\d{1,4}):(\d{1,2}):(\d{1,2}(?:\.\d*)?)\]")
_EVAL = re.compile(r"\[%eval\s+(?:#([+-]?\d{1,5})|([+-]?(?:\d{1,5}(?:\.\d*)?|\.\d+)))(?:,\d+)?\]")


def evaluation_in(comment: str, mover: Color) -> Eval | None:
    """A mate, or pawns from White's view, as Lichess writes it."""
    written = _EVAL.search(comment)
    if written is None:
        return None
    if written[1] is not None:
        return mate_from_white(int(written[1]), mover)
    return Centipawns(round(float(written[2]) * 100))


def clock_in(comment: str) -> int | None:
    """The time left, in centiseconds, as Lichess and chess.com write it."""
    clock = _CLOCK.search(comment)
    if clock is None:
        return None
    seconds = int(clock[1]) * 3600 + int(clock[2]) * 60 + float(clock[3])
    return round(seconds * 100)


def trimmed(evals: list[SourceEval]) -> tuple[SourceEval, ...]:
    """Without the plies after the last evaluation."""
    last = max((i for i, entry in enumerate(evals) if entry.evaluation is not None), default=-1)
    return tuple(evals[: last + 1])
