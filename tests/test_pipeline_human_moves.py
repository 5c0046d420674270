"""The human-move model in a run: asked once, never in the way, and the report says so."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from made_maia import write_made_model
from made_workshop import SELECTION, MadeHumans, games, made_workshop

from engines.maia_pool import MaiaCrew, MaiaPool
from pipeline.progress import Silent
from pipeline.records import PlayerReport, StrengthRange
from pipeline.run import report_on, report_on_game
from pipeline.store import Store
from pipeline.workshop import Workshop


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    with Store(tmp_path / "store.sqlite") as store:
        yield made_workshop(store)


def report_with(model: object, workshop: Workshop, count: int = 4) -> PlayerReport:
    asked = replace(workshop, open_human_model=lambda: model)  # type: ignore[arg-type, return-value]
    return report_on(games(count, analysed=True), SELECTION, asked)


def strength(report: PlayerReport) -> StrengthRange:
    found = report.speeds[0].strength
    assert isinstance(found, StrengthRange)
    return found


def test_every_game_of_a_report_is_read_with_the_human_move_model(workshop: Workshop) -> None:
    report = report_with(MadeHumans(), workshop)
    assert strength(report).games_with_human_model == strength(report).games == 4
    for game in report.games:
        for side in (game.white, game.black):
            assert isinstance(side.strength, StrengthRange)
            assert side.strength.games_with_human_model == 1
        assert not game.human_model_missing


def test_the_second_run_asks_for_nothing_and_says_the_same(workshop: Workshop) -> None:
    humans = MadeHumans()
    first = report_with(humans, workshop)
    assert len(humans.asked) == 4
    second = report_with(humans, workshop)
    assert len(humans.asked) == 4
    assert first == second


def test_another_network_is_asked_again(workshop: Workshop) -> None:
    report_with(MadeHumans(), workshop)
    other = MadeHumans(network="other humans")
    report_with(other, workshop)
    assert len(other.asked) == 4


def test_ctrl_c_keeps_what_was_read_and_the_next_run_continues(workshop: Workshop) -> None:
    stopped = MadeHumans(stop_after=2)
    with pytest.raises(KeyboardInterrupt):
        report_with(stopped, workshop, 5)
    humans = MadeHumans()
    report_with(humans, workshop, 5)
    assert sorted(stopped.asked + humans.asked) == sorted(g.id for g in games(5))


def test_a_game_that_it_cannot_read_is_named_and_read_by_stockfish_alone(
    workshop: Workshop,
) -> None:
    bad = games(1)[0].id
    report = report_with(MadeHumans(failing={bad}), workshop)
    assert [(s.where.endswith(bad), s.reason) for s in report.set_aside] == [
        (True, "read without the human-move model: it fell asleep")
    ]
    assert (strength(report).games_with_human_model, strength(report).games) == (3, 4)
    (alone,) = (g for g in report.games if g.id == bad)
    assert isinstance(alone.white.strength, StrengthRange)
    assert alone.white.strength.games_with_human_model == 0
    assert not alone.human_model_missing


def test_without_it_the_report_is_made_and_says_that_it_is_missing(workshop: Workshop) -> None:
    report = report_with(None, workshop)
    assert strength(report).games_with_human_model == 0
    assert all(game.human_model_missing for game in report.games)


def test_who_does_not_want_it_is_not_told_that_it_is_missing(workshop: Workshop) -> None:
    report = report_on(games(2, analysed=True), SELECTION, workshop)
    assert strength(report).games_with_human_model == 0
    assert not any(game.human_model_missing for game in report.games)


def test_once_it_is_there_evidence_from_before_is_not_taken_for_its(workshop: Workshop) -> None:
    report_with(None, workshop)
    assert strength(report_with(MadeHumans(), workshop)).games_with_human_model == 4
    assert strength(report_with(None, workshop)).games_with_human_model == 0


class Listening(Silent):
    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, sentence: str) -> None:
        self.said.append(sentence)


def test_a_broken_one_is_said_once_and_the_run_goes_on_without(
    workshop: Workshop, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(write_made_model(tmp_path / "made.onnx").read_bytes()[:2000])
    listening = Listening()
    heard = replace(workshop, progress=listening)
    report = report_with(MaiaPool(broken, workers=1), heard)
    (said,) = listening.said
    assert said.startswith("Going on without the human-move model: ")
    assert str(broken) in said and "movelo model install" in said
    assert strength(report).games_with_human_model == 0
    assert all(game.human_model_missing for game in report.games)


def test_a_real_network_reads_and_is_not_asked_twice(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = write_made_model(tmp_path / "made.onnx")
    first = report_with(MaiaPool(network, workers=2), workshop)
    assert strength(first).games_with_human_model == 4

    def never(*_: object) -> None:
        raise AssertionError("a game was read twice")

    monkeypatch.setattr(MaiaCrew, "submit", never)
    assert report_with(MaiaPool(network, workers=2), workshop) == first


def test_it_is_not_even_opened_where_it_makes_no_difference(workshop: Workshop) -> None:
    def opened() -> None:
        raise AssertionError("opened")

    asked = replace(workshop, open_human_model=opened)
    rapid = [replace(game, speed="rapid") for game in games(2, analysed=True)]
    for played in (rapid, games(2, plies=2, analysed=True)):
        report = report_on(played, SELECTION, asked)
        assert not any(game.human_model_missing for game in report.games)


def test_one_game_is_read_with_it_too(workshop: Workshop) -> None:
    (game,) = games(1, analysed=True)
    read = report_on_game(game, replace(workshop, open_human_model=MadeHumans))
    assert isinstance(read.black.strength, StrengthRange)
    assert read.black.strength.games_with_human_model == 1
    assert report_on_game(
        game, replace(workshop, open_human_model=lambda: None)
    ).human_model_missing


def test_one_game_that_it_cannot_read_is_said(workshop: Workshop) -> None:
    (game,) = games(1, analysed=True)
    listening, humans = Listening(), MadeHumans(failing={game.id})
    heard = replace(workshop, progress=listening, open_human_model=lambda: humans)
    report_on_game(game, heard)
    assert listening.said == [f"Game {game.id}: read without the human-move model: it fell asleep."]
