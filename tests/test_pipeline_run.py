"""The stages in order: nothing is computed twice, nothing is lost, everything is accounted for."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from made_games import random_export_game
from made_workshop import SELECTION, CountingMoves, LevelEngine, games, made_workshop

from config.errors import (
    EngineError,
    EngineNotFound,
    IllegalMove,
    InputError,
    LichessUnreachable,
    NoGames,
)
from pipeline.records import NoEstimate, ResultEstimate, StrengthRange
from pipeline.run import report_from_lichess, report_on, report_on_game
from pipeline.store import Store
from pipeline.workshop import Workshop


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    with Store(tmp_path / "store.sqlite") as store:
        yield made_workshop(store)


def test_games_with_lichess_s_evaluations_need_no_engine(workshop: Workshop) -> None:
    report = report_on(games(4, analysed=True), SELECTION, workshop)
    assert len(report.games) == 4
    (blitz,) = report.speeds
    assert isinstance(blitz.result, ResultEstimate) and blitz.result.games == 4
    assert isinstance(blitz.strength, StrengthRange) and blitz.strength.games == 4
    assert {g.engine.name for g in report.games if g.engine} == {"Lichess server analysis"}


def test_without_an_engine_games_that_need_one_are_an_error(workshop: Workshop) -> None:
    with pytest.raises(EngineNotFound):
        report_on(games(2), SELECTION, workshop)


def test_both_players_of_every_game_get_a_range(workshop: Workshop) -> None:
    report = report_on(games(3, analysed=True), SELECTION, workshop)
    for game in report.games:
        assert isinstance(game.white.strength, StrengthRange)
        assert isinstance(game.black.strength, StrengthRange)
        assert game.white.expected_score is not None
        assert game.white.summary is not None and game.white.summary.moves == 20


def test_the_second_run_asks_the_engine_for_nothing(workshop: Workshop) -> None:
    engine = LevelEngine()
    first = report_on(games(3), SELECTION, replace(workshop, open_evaluator=engine.crew))
    assert len(engine.asked) == 3
    second = report_on(games(3), SELECTION, replace(workshop, open_evaluator=engine.crew))
    assert len(engine.asked) == 3
    assert first == second


@pytest.mark.parametrize("version", [1, 2])
def test_evaluations_of_earlier_versions_are_not_made_anew(
    workshop: Workshop, version: int
) -> None:
    before = replace(workshop, limit=workshop.limit.as_good()[version])
    engine = LevelEngine(limit=before.limit)
    report_on(games(3), SELECTION, replace(before, open_evaluator=engine.crew))
    report = report_on(games(3), SELECTION, replace(workshop, open_evaluator=engine.crew))
    assert workshop.limit != before.limit
    assert len(engine.asked) == 3
    assert {game.limit for game in report.games} == {before.limit}


def test_evidence_is_made_once_and_then_found_in_the_store(workshop: Workshop) -> None:
    first = report_on(games(3, analysed=True), SELECTION, workshop)
    again = CountingMoves()
    second = report_on(games(3, analysed=True), SELECTION, replace(workshop, estimator=again))
    assert first == second
    assert again.asked == []


def test_a_game_that_comes_again_with_other_evaluations_or_clocks_is_read_anew(
    workshop: Workshop,
) -> None:
    (game,) = games(1, analysed=True)
    report_on([game], SELECTION, workshop)
    for changed in (
        replace(game, source_evals=game.source_evals[:38]),
        replace(game, clocks_centiseconds=()),
        game,
    ):
        again = CountingMoves()
        report_on([changed], SELECTION, replace(workshop, estimator=again))
        assert again.asked == [(game.id, "white"), (game.id, "black")]


def test_ctrl_c_keeps_what_was_done_and_the_next_run_continues(workshop: Workshop) -> None:
    stopped = LevelEngine(stop_after=2)
    with pytest.raises(KeyboardInterrupt):
        report_on(games(5), SELECTION, replace(workshop, open_evaluator=stopped.crew))
    engine = LevelEngine()
    report_on(games(5), SELECTION, replace(workshop, open_evaluator=engine.crew))
    assert sorted(stopped.asked + engine.asked) == sorted(g.id for g in games(5))


def test_a_game_on_which_the_engine_fails_still_counts_by_its_result(workshop: Workshop) -> None:
    engine = LevelEngine(failing={games(1)[0].id})
    report = report_on(games(3), SELECTION, replace(workshop, open_evaluator=engine.crew))
    (blitz,) = report.speeds
    assert isinstance(blitz.result, ResultEstimate) and blitz.result.games == 3
    assert isinstance(blitz.strength, StrengthRange) and blitz.strength.games == 2
    assert [s.reason for s in report.set_aside] == [
        "not in the move-based view: it died three times"
    ]
    failed = next(g for g in report.games if g.id in engine.failing)
    assert failed.white.strength == NoEstimate(reason="the engine failed on this game")


def test_a_game_with_an_illegal_move_is_set_aside_and_named(workshop: Workshop) -> None:
    good, bad = games(2, analysed=True)
    bad = replace(bad, moves_san=("e4", "Ke7"))
    report = report_on([good, bad], SELECTION, workshop)
    assert [g.id for g in report.games] == [good.id]
    assert report.set_aside[0].where == bad.url
    assert "Ke7 at ply 2 is illegal" in report.set_aside[0].reason


def test_every_speed_has_its_own_totals(workshop: Workshop) -> None:
    rapid = [replace(g, id=f"r{g.id}", speed="rapid") for g in games(2, analysed=True)]
    report = report_on(games(3, analysed=True) + rapid, SELECTION, workshop)
    assert [(s.speed, s.games) for s in report.speeds] == [("blitz", 3), ("rapid", 2)]


def test_chess960_is_listed_but_not_in_the_totals(workshop: Workshop) -> None:
    chess960 = [replace(g, id=f"c{g.id}", variant="chess960") for g in games(1, analysed=True)]
    report = report_on(games(2, analysed=True) + chess960, SELECTION, workshop)
    assert len(report.games) == 3
    assert report.speeds[0].games == 2
    assert any("1 Chess960" in note for note in report.notes)


def test_games_against_the_computer_say_nothing_about_results(workshop: Workshop) -> None:
    (game,) = games(1, analysed=True)
    computer = replace(game.black, name=None, rating=None, computer_level=5)
    report = report_on([replace(game, black=computer)], SELECTION, workshop)
    (blitz,) = report.speeds
    assert blitz.result == NoEstimate(reason="no finished game against a rated opponent")
    assert isinstance(blitz.strength, StrengthRange)


def test_no_games_is_an_error_that_says_what_there_was(workshop: Workshop) -> None:
    with pytest.raises(NoGames, match=r"No blitz or rapid games of Quillfeather.*3 bullet"):
        report_on(games(3, speed="bullet"), SELECTION, workshop)


def test_one_game_is_reported_for_both_sides(workshop: Workshop) -> None:
    (game,) = games(1, analysed=True)
    report = report_on_game(game, workshop)
    assert report.color is None
    assert len(report.moves) == 40
    assert isinstance(report.black.strength, StrengthRange)


def test_one_game_that_cannot_be_read_is_an_error(workshop: Workshop) -> None:
    (game,) = games(1)
    with pytest.raises(IllegalMove, match="Ke2 at ply 1"):
        report_on_game(replace(game, moves_san=("Ke2",)), workshop)
    with pytest.raises(InputError, match="has no moves"):
        report_on_game(replace(game, moves_san=()), workshop)


def test_one_game_on_which_the_engine_fails_is_an_error(workshop: Workshop) -> None:
    (game,) = games(1)
    engine = LevelEngine(failing={game.id})
    with pytest.raises(EngineError, match="could not be evaluated: it died three times"):
        report_on_game(game, replace(workshop, open_evaluator=engine.crew))


def test_a_game_too_short_for_an_estimate_says_so(workshop: Workshop) -> None:
    report = report_on(games(1, plies=2, analysed=True), SELECTION, workshop)
    assert report.games[0].white.strength == NoEstimate(reason="too few moves")
    assert report.speeds[0].strength == NoEstimate(reason="too few moves")


# --- games from Lichess ----------------------------------------------------------------------


class Slow:
    """Lichess, sending one game after another; `between` is called before each but the first."""

    def __init__(self, records: list[dict[str, object]], between: Callable[[], None]) -> None:
        self.records = records
        self.between = between

    def games(
        self, username: str, *, since: datetime | None, until: datetime | None
    ) -> Iterator[dict[str, object]]:
        for number, record in enumerate(self.records):
            if number:
                self.between()
            yield record


def exported(count: int) -> list[dict[str, object]]:
    records = [random_export_game(seed) for seed in range(count)]
    return sorted(records, key=lambda r: -int(str(r["createdAt"])))


def test_games_are_evaluated_while_others_are_being_fetched(workshop: Workshop) -> None:
    engine = LevelEngine()
    asked_by_then: list[int] = []
    source = Slow(exported(5), lambda: asked_by_then.append(len(engine.asked)))
    report = report_from_lichess(SELECTION, source, replace(workshop, open_evaluator=engine.crew))
    assert asked_by_then == [1, 2, 3, 4]
    assert len(report.games) == len(engine.asked) == 5


def test_a_cut_stream_loses_neither_games_nor_evaluations(workshop: Workshop) -> None:
    def cut() -> None:
        if len(first.asked) == 3:
            raise LichessUnreachable("cut")

    first, second = LevelEngine(), LevelEngine()
    with pytest.raises(LichessUnreachable):
        report_from_lichess(
            SELECTION, Slow(exported(5), cut), replace(workshop, open_evaluator=first.crew)
        )
    report = report_from_lichess(
        SELECTION,
        Slow(exported(5), lambda: None),
        replace(workshop, open_evaluator=second.crew),
    )
    assert len(report.games) == 5
    assert len(first.asked) == 3 and len(second.asked) == 2


def test_the_newest_games_are_reported_on_however_many_arrive(workshop: Workshop) -> None:
    engine = LevelEngine()
    kept = replace(workshop, open_evaluator=engine.crew)
    everything = report_from_lichess(SELECTION, Slow(exported(5), lambda: None), kept)
    newest = report_from_lichess(replace(SELECTION, last=2), Slow(exported(5), lambda: None), kept)
    assert [g.id for g in newest.games] == [g.id for g in everything.games][:2]
    assert [r.created_at for r in everything.games] == sorted(
        (r.created_at for r in everything.games), reverse=True
    )
