"""The stages in order, for one player and for one game; the only file that knows the order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

from config.errors import EngineError, InputError, NoGames
from config.language import _, english, retold
from config.version import version
from pipeline.assessment import Assessment, ReadableGame
from pipeline.differences.find import find_differences
from pipeline.elo.results import estimate_results
from pipeline.evidence import Played
from pipeline.fetched import wanted_game
from pipeline.kept_games import games_kept_of
from pipeline.leftovers import notes_on, nothing_left
from pipeline.listing import Listing
from pipeline.records import (
    Differences,
    Game,
    GameReport,
    NoEstimate,
    PlayerReport,
    SetAside,
    SpeedTrends,
)
from pipeline.replay import replay
from pipeline.report import (
    AssessedGame,
    SpeedEstimates,
    game_report,
    in_totals,
    player_report,
    scale_of,
)
from pipeline.selection import Selection
from pipeline.sync import GameSource, sync
from pipeline.trends.trends import speed_trends
from pipeline.workshop import Workshop

COVERAGE = 0.8
"""What both views' ranges promise to hold; the fitted model is calibrated for it."""

OnAssessed: TypeAlias = Callable[[int, Callable[[], PlayerReport]], None]
"""Told after each game: how many are assessed, and how to get the report on just those: both views
without their course over time and without why they differ."""


def report_from_lichess(
    selection: Selection,
    source: GameSource,
    workshop: Workshop,
    *,
    on_assessed: OnAssessed | None = None,
) -> PlayerReport:
    """Fetch what is missing, then report on what is in the store.

    Games are worked on while others are still being fetched.
    """
    fetched = sync(
        selection.player,
        source=source,
        store=workshop.store,
        wanted=lambda record: wanted_game(record, selection),
        last=selection.last,
        since=selection.since,
        until=selection.until,
        now=workshop.now,
        progress=workshop.progress,
    )
    with closing(fetched):  # whatever happens, what has arrived is kept now
        # Lichess allows one request at a time: who else is asked there has to wait.
        arriving = fetched if workshop.ask_others is None else list(fetched)
        return _report(
            selection,
            workshop,
            arriving=arriving,
            found=lambda: games_kept_of(selection.player, workshop.store),
            on_assessed=on_assessed,
        )


def report_from_store(selection: Selection, workshop: Workshop) -> PlayerReport:
    """Report on what has been fetched or imported before; Lichess is not asked."""
    return report_on(games_kept_of(selection.player, workshop.store), selection, workshop)


def report_on(
    found: Iterable[Game | SetAside],
    selection: Selection,
    workshop: Workshop,
    *,
    notes: Sequence[str] = (),
    on_assessed: OnAssessed | None = None,
) -> PlayerReport:
    """Select, evaluate, estimate, assemble. NoGames says what there was instead."""
    return _report(selection, workshop, found=lambda: found, notes=notes, on_assessed=on_assessed)


def report_on_game(game: Game, workshop: Workshop) -> GameReport:
    """One game, both players. Raises InputError, IllegalMove, or EngineError if it failed."""
    if not game.moves_san:
        raise InputError(
            _("Game {id} has no moves: there is nothing to analyse.").format(id=game.id)
        )
    readable = ReadableGame(game=game, color=None, replay=replay(game))
    with Assessment(workshop) as assessment:
        assessment.expect(1)
        (assessed,) = assessment.assessed([readable])
    if assessed.analysis is None:
        raise EngineError(
            _("Game {id} could not be evaluated: {reason}").format(
                id=game.id, reason=retold(assessed.engine_failure or "")
            )
        )
    for fault in assessed.faults:
        workshop.progress.say(
            _("Game {id}: {reason}.").format(id=game.id, reason=retold(fault.reason))
        )
    return game_report(assessed)


def _report(
    selection: Selection,
    workshop: Workshop,
    *,
    arriving: Iterable[Game] = (),
    found: Callable[[], Iterable[Game | SetAside]],
    notes: Sequence[str] = (),
    on_assessed: OnAssessed | None = None,
) -> PlayerReport:
    by_id: dict[str, _Finished] = {}

    def so_far() -> PlayerReport:
        newest_first = sorted(by_id.values(), key=lambda f: f.report.created_at, reverse=True)
        return _assembled(selection, newest_first, workshop, is_on_the_way=True)

    with Assessment(workshop) as assessment:
        listing = Listing(selection, arriving=arriving, found=found, expect=assessment.expect)
        for assessed in assessment.assessed(listing.games()):
            by_id[assessed.game.id] = _finished(assessed)
            if on_assessed is not None:
                on_assessed(len(by_id), so_far)
    selected = listing.selected
    finished = [by_id[game.id] for game, _ in selected.games if game.id in by_id]
    faults = [fault for one in finished for fault in one.faults]
    set_aside = [*selected.set_aside, *listing.unreadable, *faults]
    if not finished:
        raise NoGames(nothing_left(selection, selected, set_aside))
    return _assembled(
        selection,
        finished,
        workshop,
        set_aside=set_aside,
        notes=[*notes, *notes_on(selection, selected), *_notes_on_others(workshop)],
    )


def _assembled(
    selection: Selection,
    finished: Sequence[_Finished],
    workshop: Workshop,
    *,
    set_aside: Sequence[SetAside] = (),
    notes: Sequence[str] = (),
    is_on_the_way: bool = False,
) -> PlayerReport:
    """`finished` is newest first."""
    return player_report(
        selection.player,
        [one.report for one in finished],
        dict(_estimates(finished, workshop, is_on_the_way=is_on_the_way)),
        created_at=workshop.now,
        movelo_version=version(),
        model_name=workshop.estimator.name,
        set_aside=set_aside,
        notes=notes,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finished:
    """What a report takes of an assessed game: much less than was needed to assess it."""

    report: GameReport
    played: Played | None
    faults: tuple[SetAside, ...]


def _finished(assessed: AssessedGame) -> _Finished:
    game, color = assessed.game, assessed.color
    played = color and Played(game=game.without_moves(), color=color, evidence=assessed.evidence)
    return _Finished(report=game_report(assessed), played=played, faults=assessed.faults)


def _notes_on_others(workshop: Workshop) -> Iterator[str]:
    if workshop.others_names:
        yield english(
            "Where games came without evaluations, positions known to {others} were not searched "
            "by the engine."
        ).format(others=" and ".join(workshop.others_names))


def _estimates(
    finished: Sequence[_Finished], workshop: Workshop, *, is_on_the_way: bool
) -> Iterator[tuple[str, SpeedEstimates]]:
    """Both views for every speed that has games, most games first."""
    counts = Counter(f.report.speed for f in finished if in_totals(f.report, f.report.speed))
    for speed in sorted(counts, key=lambda s: (-counts[s], s)):
        in_speed = [f for f in finished if in_totals(f.report, speed)]
        yield speed, _speed_estimates(speed, in_speed, workshop, is_on_the_way=is_on_the_way)


def _speed_estimates(
    speed: str, in_speed: Sequence[_Finished], workshop: Workshop, *, is_on_the_way: bool
) -> SpeedEstimates:
    maker = workshop.evidence_maker()
    played = [f.played for f in in_speed if f.played]
    scale = scale_of(speed)
    trends: SpeedTrends | NoEstimate
    differences: Differences | NoEstimate
    trends = differences = NoEstimate(reason=english("more games are being read"))
    if not is_on_the_way:
        pooling = maker.pooling(played, speed=speed)
        trends = speed_trends(played, scale=scale, pooling=pooling, coverage=COVERAGE)
        differences = find_differences(
            [f.report for f in in_speed], zone=workshop.zone, coverage=COVERAGE
        )
    return SpeedEstimates(
        result=estimate_results(
            [(p.game, p.color) for p in played], scale=scale, coverage=COVERAGE
        ),
        strength=maker.strength_range(played, speed=speed),
        trends=trends,
        differences=differences,
    )
