"""What an engine's failures are called: which engine, where in which game, and what to do."""

from __future__ import annotations

from pathlib import Path

from config.errors import EngineDied, EngineHung
from config.language import _
from engines.evals import PositionSequence
from engines.positions import Position
from engines.uci_process import UciProcess


def where_in(sequence: PositionSequence, position: Position) -> str:
    """`at game abcd1234, position 17`."""
    return _("at game {game_id}, position {number}").format(
        game_id=sequence.game_id, number=position.number
    )


def start_failure(
    path: Path, process: UciProcess, timeout_seconds: float
) -> EngineHung | EngineDied:
    """Of an engine whose output ended before it was ready."""
    if process.deadline.missed:
        return EngineHung(
            _(
                "{path} did not answer as a UCI engine within {start_timeout_seconds} s; is it one?"
            ).format(path=path, start_timeout_seconds=f"{timeout_seconds:g}")
        )
    return _died(path, process, _("while it started"))


def search_failure(
    path: Path, process: UciProcess, deadline_seconds: float, where: str
) -> EngineHung | EngineDied:
    """Of an engine whose output ended in a search."""
    if not process.deadline.missed:
        return _died(path, process, where)
    return EngineHung(
        _(
            "{path} gave no answer within {deadline_seconds} s {where}; give it "
            "fewer nodes or a later deadline"
        ).format(path=path, deadline_seconds=f"{deadline_seconds:g}", where=where)
    )


def nonsense(path: Path, where: str, reason: ValueError) -> EngineDied:
    """Of an engine whose answer is none."""
    return EngineDied(
        _("{path} made no sense {where}: {reason}; try another engine").format(
            path=path, where=where, reason=reason
        )
    )


def _died(path: Path, process: UciProcess, where: str) -> EngineDied:
    return EngineDied(
        _("{path} died {where} {process}").format(
            path=path, where=where, process=process.why_it_ended()
        )
    )
