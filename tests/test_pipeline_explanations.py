"""What spoke for and against, from a run: there where the human-move model took part."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from made_workshop import SELECTION, MadeHumans, games, made_workshop

from engines.evals import COLORS
from pipeline.records import Explanation, NoEstimate, StrengthRange
from pipeline.run import report_on, report_on_game
from pipeline.store import Store
from pipeline.workshop import Workshop

WITHOUT = NoEstimate(reason="the human-move model had no part in this range")


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    with Store(tmp_path / "store.sqlite") as store:
        yield replace(made_workshop(store), open_human_model=MadeHumans)


def test_both_sides_of_every_game_are_explained_around_their_range(workshop: Workshop) -> None:
    report = report_on(games(3, analysed=True), SELECTION, workshop)
    for game in report.games:
        for color in COLORS:
            side = game.side(color)
            assert isinstance(side.strength, StrengthRange)
            assert isinstance(side.explanation, Explanation)
            assert side.strength.median == 1500
            explained = (side.explanation.lower_rating, side.explanation.higher_rating)
            assert explained == (1200, 1800)
            own = {move.ply for move in game.moves if move.color == color}
            assert {move.ply for move in side.explanation.moves} <= own
            assert sum(phase.moves for phase in side.explanation.phases) > 10


def test_the_second_report_explains_the_same_without_asking_again(workshop: Workshop) -> None:
    (game,) = games(1, analysed=True)
    first = report_on_game(game, workshop)
    asleep = MadeHumans(stop_after=0)
    second = report_on_game(game, replace(workshop, open_human_model=lambda: asleep))
    assert asleep.asked == []
    assert isinstance(second.white.explanation, Explanation)
    assert first == second


def test_without_the_human_move_model_there_is_a_reason_instead(workshop: Workshop) -> None:
    (game,) = games(1, analysed=True)
    for without in (None, lambda: None, lambda: MadeHumans(failing={game.id})):
        report = report_on_game(game, replace(workshop, open_human_model=without))
        assert isinstance(report.white.strength, StrengthRange)
        assert report.white.explanation == report.black.explanation == WITHOUT


def test_where_there_is_no_range_nothing_is_explained_and_the_reason_is_the_same(
    workshop: Workshop,
) -> None:
    report = report_on(games(1, plies=2, analysed=True), SELECTION, workshop)
    assert report.games[0].white.explanation == NoEstimate(reason="too few moves")
