"""The analysis of a record of Lichess's game export -> SourceEvals, and back.

One entry per ply, the evaluation after it, from White's view. The ply that mates has none.
Source: lila, modules/analyse/src/main/JsonView.scala and AnalysisBuilder.scala.
"""

from __future__ import annotations

from collections.abc import Sequence

from config.errors import InputError
from config.language import _
from engines.evals import (
    LICHESS_ANALYSIS,
    PGN_COMMENTS,
    Centipawns,
    Color,
    EngineId,
    Eval,
    Mate,
    SearchLimit,
)
from pipeline.fetch.fields import Fields
from pipeline.records import Game, SourceEval


def source_evals(record: Fields, *, plies: int, initial_fen: str | None) -> tuple[SourceEval, ...]:
    """The evaluations that came with the game; none for a record without moves."""
    entries = record.children("analysis")
    if plies and len(entries) > plies:
        raise InputError(
            _(
                "{where}: there are {number} evaluations for {plies} moves, so they cannot "
                "be told apart; export this game again or take it out"
            ).format(where=record.where, number=len(entries), plies=plies)
        )
    return tuple(
        _source_eval(entry, mover_of(ply, initial_fen))
        for ply, entry in enumerate(entries[:plies], start=1)
    )


def evals_to_export(evals: Sequence[SourceEval]) -> list[dict[str, object]]:
    """The entries that `source_evals` reads as `evals`."""
    return [_entry(source_eval) for source_eval in evals]


def analysis_by(record: Fields, usual: EngineId) -> tuple[EngineId, SearchLimit | None]:
    """Who made the evaluations, and with how much thought; `usual` where nobody is named."""
    made_by = record.optional_child("analysisBy")
    if made_by is None:
        return usual, None
    nodes = made_by.optional_integer("nodes")
    limit = None if nodes is None or nodes < 1 else SearchLimit(nodes_per_position=nodes)
    return EngineId(name=made_by.text("engine")), limit


def analysis_by_to_export(game: Game) -> dict[str, object] | None:
    """What `analysis_by` reads; None where the game's origin tells already."""
    engine, limit = game.source_engine, game.source_limit
    if engine in (None, LICHESS_ANALYSIS, PGN_COMMENTS):
        return None
    nodes: dict[str, object] = {} if limit is None else {"nodes": limit.nodes_per_position}
    return {"engine": engine.name, **nodes}


def mover_of(ply: int, initial_fen: str | None) -> Color:
    """Who makes ply `ply` (from 1) of a game from `initial_fen`; White starts without one."""
    placed = (initial_fen or "").split()
    black_starts = len(placed) > 1 and placed[1] == "b"
    return "white" if (ply % 2 == 1) != black_starts else "black"


def mate_from_white(moves: int, mover: Color) -> Mate:
    """White mates in `moves` where positive, Black where negative; at 0 `mover` has mated."""
    if moves == 0:
        return Mate(mover, 0)
    return Mate("white" if moves > 0 else "black", abs(moves))


def _source_eval(entry: Fields, mover: Color) -> SourceEval:
    judgement = entry.optional_child("judgment")
    return SourceEval(
        evaluation=_evaluation(entry, mover),
        best_move_uci=entry.optional_text("best"),
        judgement=judgement.optional_text("name") if judgement else None,
    )


def _evaluation(entry: Fields, mover: Color) -> Eval | None:
    mate = entry.optional_integer("mate")
    if mate is not None:
        return mate_from_white(mate, mover)
    centipawns = entry.optional_integer("eval")
    return None if centipawns is None else Centipawns(centipawns)


def _entry(source_eval: SourceEval) -> dict[str, object]:
    entry: dict[str, object] = {}
    match source_eval.evaluation:
        case Centipawns(value):
            entry["eval"] = value
        case Mate(winner, moves):
            entry["mate"] = moves if winner == "white" else -moves
        case None:
            pass
    if source_eval.best_move_uci is not None:
        entry["best"] = source_eval.best_move_uci
    if source_eval.judgement is not None:
        entry["judgment"] = {"name": source_eval.judgement}
    return entry
