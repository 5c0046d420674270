"""The stages in order, for one player and for one game; the only file that knows the order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from config.errors import EngineError, InputError, NoGames
from config.version import version
from engines.evals import COLORS, Color, GameEvals, SearchLimit
from engines.pool import EngineFailure
from pipeline.analysis import analyse
from pipeline.elo.results import estimate_results
from pipeline.evaluation import OpenEvaluator, evaluate_games
from pipeline.fetch.export import game_from_export
from pipeline.leftovers import notes_on, nothing_left
from pipeline.progress import Progress
from pipeline.records import (
    Evidence,
    Game,
    GameAnalysis,
    GameReport,
    NoEstimate,
    PlayerReport,
    SetAside,
    StrengthRange,
)
from pipeline.replay import Replay, replay
from pipeline.report import (
    AssessedGame,
    SpeedEstimates,
    game_report,
    in_totals,
    player_report,
    scale_of,
)
from pipeline.selection import SelectedGames, Selection, fits, select
from pipeline.store import Store
from pipeline.sync import GameSource, sync

COVERAGE = 0.8
"""What both views' ranges promise to hold; the fitted model is calibrated for it."""


class StrengthEstimator(Protocol):
    """What the fitted model is to a run."""

    @property
    def name(self) -> str:
        """What the report calls it."""
        ...

    def evidence(self, game: Game, analysis: GameAnalysis, color: Color) -> Evidence | NoEstimate:
        """What one side's moves say."""
        ...

    def strength_range(
        self, evidences: Sequence[Evidence], *, speed: str
    ) -> StrengthRange | NoEstimate:
        """The range for one game's evidence, or for many games' together."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """What a run works with: everything that has effects or was fitted, passed in once."""

    store: Store
    estimator: StrengthEstimator
    limit: SearchLimit
    open_evaluator: OpenEvaluator
    progress: Progress
    now: datetime


def report_from_lichess(
    selection: Selection, source: GameSource, workshop: Workshop
) -> PlayerReport:
    """Fetch what is missing, then report on what is in the store."""
    sync(
        selection.player,
        source=source,
        store=workshop.store,
        wanted=lambda record: _is_wanted(record, selection),
        last=selection.last,
        since=selection.since,
        until=selection.until,
        now=workshop.now,
        progress=workshop.progress,
    )
    return report_on(_kept_games(selection, workshop.store), selection, workshop)


def report_on(
    found: Iterable[Game | SetAside],
    selection: Selection,
    workshop: Workshop,
    *,
    notes: Sequence[str] = (),
) -> PlayerReport:
    """Select, evaluate, estimate, assemble. NoGames says what there was instead."""
    selected = select(found, selection)
    assessed, set_aside = _assess(selected, workshop)
    if not assessed:
        raise NoGames(nothing_left(selection, selected, set_aside))
    return player_report(
        selection.player,
        assessed,
        dict(_estimates(assessed, workshop)),
        created_at=workshop.now,
        movelo_version=version(),
        model_name=f"{workshop.estimator.name}, Stockfish's evidence alone",
        set_aside=set_aside,
        notes=[*notes, *notes_on(selection, selected)],
    )


def report_on_game(game: Game, workshop: Workshop) -> GameReport:
    """One game, both players. Raises InputError, IllegalMove, or EngineError if it failed."""
    if not game.moves_san:
        raise InputError(f"Game {game.id} has no moves: there is nothing to analyse.")
    replayed = replay(game)
    evals = _evals([(game, replayed)], workshop)[game.id]
    if isinstance(evals, EngineFailure):
        raise EngineError(f"Game {game.id} could not be evaluated: {evals.reason}")
    return game_report(_assessed(game, None, replayed, evals, workshop))


def _assess(
    selected: SelectedGames, workshop: Workshop
) -> tuple[list[AssessedGame], list[SetAside]]:
    set_aside = list(selected.set_aside)
    readable: list[tuple[Game, Color, Replay]] = []
    for game, color in selected.games:
        try:
            readable.append((game, color, replay(game)))
        except InputError as error:
            set_aside.append(SetAside(where=_where(game), reason=str(error)))
    evals = _evals([(game, replayed) for game, _, replayed in readable], workshop)
    for game, _, _ in readable:
        outcome = evals[game.id]
        if isinstance(outcome, EngineFailure):
            reason = f"not in the move-based view: {outcome.reason}"
            set_aside.append(SetAside(where=_where(game), reason=reason))
    assessed = [
        _assessed(game, color, replayed, evals[game.id], workshop)
        for game, color, replayed in readable
    ]
    return assessed, set_aside


def _evals(
    games: Sequence[tuple[Game, Replay]], workshop: Workshop
) -> dict[str, GameEvals | EngineFailure]:
    return evaluate_games(
        games,
        store=workshop.store,
        limit=workshop.limit,
        open_evaluator=workshop.open_evaluator,
        progress=workshop.progress,
    )


def _assessed(
    game: Game,
    color: Color | None,
    replayed: Replay,
    evals: GameEvals | EngineFailure,
    workshop: Workshop,
) -> AssessedGame:
    analysis: GameAnalysis | None = None
    evidence: dict[Color, Evidence | NoEstimate]
    if isinstance(evals, EngineFailure):
        none = NoEstimate(reason="the engine failed on this game")
        evidence = {"white": none, "black": none}
    else:
        analysis = analyse(game, replayed, evals)
        estimate = workshop.estimator.evidence
        evidence = {c: estimate(game, analysis, c) for c in COLORS}
    return AssessedGame(
        game=game,
        color=color,
        analysis=analysis,
        evidence=evidence,
        strength={c: _range([evidence[c]], game.speed, workshop) for c in COLORS},
    )


def _range(
    evidence: Sequence[Evidence | NoEstimate], speed: str, workshop: Workshop
) -> StrengthRange | NoEstimate:
    usable = [e for e in evidence if isinstance(e, Evidence)]
    if not usable:
        reasons = [e.reason for e in evidence if isinstance(e, NoEstimate)]
        return NoEstimate(reason=reasons[0] if reasons else "no game with evaluations")
    return workshop.estimator.strength_range(usable, speed=speed)


def _estimates(
    assessed: Sequence[AssessedGame], workshop: Workshop
) -> Iterator[tuple[str, SpeedEstimates]]:
    """Both views for every speed that has games, most games first."""
    speeds = [a.game.speed for a in assessed if in_totals(a.game, a.game.speed)]
    for speed in sorted(set(speeds), key=lambda s: (-speeds.count(s), s)):
        played: list[tuple[Game, Color]] = []
        evidence: list[Evidence | NoEstimate] = []
        for a in assessed:
            if a.color is not None and in_totals(a.game, speed):
                played.append((a.game, a.color))
                evidence.append(a.evidence[a.color])
        yield (
            speed,
            SpeedEstimates(
                result=estimate_results(played, scale=scale_of(speed), coverage=COVERAGE),
                strength=_range(evidence, speed, workshop),
            ),
        )


def _is_wanted(record: Mapping[str, object], selection: Selection) -> bool:
    try:
        return fits(game_from_export(record, where="Lichess"), selection)
    except InputError:
        return False  # it is named when it is read from the store


def _kept_games(selection: Selection, store: Store) -> Iterator[Game | SetAside]:
    for record_json in store.games_of(selection.player.casefold()):
        record = json.loads(record_json)
        where = f"game {record.get('id')} from Lichess"
        try:
            yield game_from_export(record, where=where)
        except InputError as error:
            yield SetAside(where=where, reason=str(error))


def _where(game: Game) -> str:
    return game.url or f"game {game.id}"
