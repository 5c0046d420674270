"""The stages in order, for one player and for one game; the only file that knows the order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from config.errors import EngineError, InputError, NoGames
from config.version import version
from engines.evals import COLORS, Color, EngineFailure, GameEvals, SearchLimit
from pipeline.analysis import analyse
from pipeline.elo.results import estimate_results
from pipeline.evaluation import OpenEvaluator, evaluate_games
from pipeline.evidence import EvidenceMaker, Played, StrengthEstimator
from pipeline.fetch.export import game_from_export
from pipeline.human_moves import HumanMoves, OpenHumanModel, read_human_moves
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """What a run works with: everything that has effects or was fitted, passed in once.

    `open_human_model` is None when the human-move model is not wanted. At `pairing_speeds` the
    opponents' moves count too.
    """

    store: Store
    estimator: StrengthEstimator
    limit: SearchLimit
    open_evaluator: OpenEvaluator
    open_human_model: OpenHumanModel | None
    progress: Progress
    now: datetime
    pairing_speeds: tuple[str, ...] = ()

    def evidence_maker(self) -> EvidenceMaker:
        """With this workshop's model and store."""
        return EvidenceMaker(
            estimator=self.estimator, store=self.store, pairing_speeds=self.pairing_speeds
        )


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
    readable, unreadable = _replayed(selected)
    assessed, set_aside = _assess(readable, _evals(readable, workshop), workshop)
    set_aside = [*selected.set_aside, *unreadable, *set_aside]
    if not assessed:
        raise NoGames(nothing_left(selection, selected, set_aside))
    return player_report(
        selection.player,
        assessed,
        dict(_estimates(assessed, workshop)),
        created_at=workshop.now,
        movelo_version=version(),
        model_name=workshop.estimator.name,
        set_aside=set_aside,
        notes=[*notes, *notes_on(selection, selected)],
    )


def report_on_game(game: Game, workshop: Workshop) -> GameReport:
    """One game, both players. Raises InputError, IllegalMove, or EngineError if it failed."""
    if not game.moves_san:
        raise InputError(f"Game {game.id} has no moves: there is nothing to analyse.")
    readable = [_Readable(game, None, replay(game))]
    evals = _evals(readable, workshop)
    if isinstance(failure := evals[game.id], EngineFailure):
        raise EngineError(f"Game {game.id} could not be evaluated: {failure.reason}")
    (assessed,), set_aside = _assess(readable, evals, workshop)
    for left_out in set_aside:
        workshop.progress.say(f"Game {game.id}: {left_out.reason}.")
    return game_report(assessed)


@dataclass(frozen=True, slots=True)
class _Readable:
    game: Game
    color: Color | None
    replay: Replay


def _replayed(selected: SelectedGames) -> tuple[list[_Readable], list[SetAside]]:
    readable: list[_Readable] = []
    set_aside: list[SetAside] = []
    for game, color in selected.games:
        try:
            readable.append(_Readable(game, color, replay(game)))
        except InputError as error:
            set_aside.append(SetAside(where=_where(game), reason=str(error)))
    return readable, set_aside


def _evals(
    readable: Sequence[_Readable], workshop: Workshop
) -> Mapping[str, GameEvals | EngineFailure]:
    return evaluate_games(
        [(r.game, r.replay) for r in readable],
        store=workshop.store,
        limit=workshop.limit,
        open_evaluator=workshop.open_evaluator,
        progress=workshop.progress,
    )


def _assess(
    readable: Sequence[_Readable],
    evals: Mapping[str, GameEvals | EngineFailure],
    workshop: Workshop,
) -> tuple[list[AssessedGame], list[SetAside]]:
    analyses = {
        r.game.id: analyse(r.game, r.replay, given)
        for r in readable
        if isinstance(given := evals[r.game.id], GameEvals)
    }
    maker = workshop.evidence_maker()
    to_read = [
        r.replay
        for r in readable
        if (found := analyses.get(r.game.id)) and maker.wants_human_moves(r.game, found)
    ]
    human_moves = read_human_moves(
        to_read,
        store=workshop.store,
        open_model=workshop.open_human_model,
        progress=workshop.progress,
    )
    assessed = [_assessed(r, analyses.get(r.game.id), human_moves, maker) for r in readable]
    return assessed, list(_failures(readable, evals, human_moves))


def _assessed(
    readable: _Readable,
    analysis: GameAnalysis | None,
    human_moves: HumanMoves,
    maker: EvidenceMaker,
) -> AssessedGame:
    game, is_missing = readable.game, False
    evidence: dict[Color, Evidence | NoEstimate]
    if analysis is None:
        evidence = dict.fromkeys(COLORS, NoEstimate(reason="the engine failed on this game"))
    else:
        evidence = maker.evidence(game, analysis, human_moves)
        is_missing = human_moves.is_missing and maker.wants_human_moves(game, analysis)
    return AssessedGame(
        game=game,
        color=readable.color,
        analysis=analysis,
        evidence=evidence,
        strength={
            color: maker.strength_range(
                [Played(game=game, color=color, evidence=evidence)], speed=game.speed
            )
            for color in COLORS
        },
        human=human_moves.by_game.get(game.id),
        human_model_missing=is_missing,
    )


def _failures(
    readable: Sequence[_Readable],
    evals: Mapping[str, GameEvals | EngineFailure],
    human_moves: HumanMoves,
) -> Iterator[SetAside]:
    for r in readable:
        if isinstance(failure := evals[r.game.id], EngineFailure):
            reason = f"not in the move-based view: {failure.reason}"
            yield SetAside(where=_where(r.game), reason=reason)
    where = {r.game.id: _where(r.game) for r in readable}
    for failed in human_moves.failures:
        reason = f"read without the human-move model: {failed.reason}"
        yield SetAside(where=where[failed.game_id], reason=reason)


def _estimates(
    assessed: Sequence[AssessedGame], workshop: Workshop
) -> Iterator[tuple[str, SpeedEstimates]]:
    """Both views for every speed that has games, most games first."""
    maker = workshop.evidence_maker()
    speeds = [a.game.speed for a in assessed if in_totals(a.game, a.game.speed)]
    for speed in sorted(set(speeds), key=lambda s: (-speeds.count(s), s)):
        played = [
            Played(game=a.game, color=a.color, evidence=a.evidence)
            for a in assessed
            if a.color is not None and in_totals(a.game, speed)
        ]
        yield (
            speed,
            SpeedEstimates(
                result=estimate_results(
                    [(p.game, p.color) for p in played], scale=scale_of(speed), coverage=COVERAGE
                ),
                strength=maker.strength_range(played, speed=speed),
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
