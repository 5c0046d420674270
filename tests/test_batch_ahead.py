"""Games are worked on ahead of who is reported on, so that engines are never short of them."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from made_batch import NOW, MadeBatch, Threads, player_games, three_players
from made_workshop import LevelEngine, MadeHumans

from config.errors import EngineDied
from engines.evals import PositionSequence
from pipeline.batch.fetching import fetch_player
from pipeline.evaluation import Deliver
from pipeline.progress import Silent
from pipeline.store import Store


@pytest.fixture(params=[None, Threads], ids=["one by one", "side by side"])
def batch(tmp_path: Path, request: pytest.FixtureRequest) -> MadeBatch:
    return three_players(tmp_path, request.param and request.param())


@dataclass
class ManyAtOnce(LevelEngine):
    """Answers nobody until so many games wait, as if it had as many workers."""

    together: int = 12
    waiting: list[tuple[PositionSequence, Deliver]] = field(default_factory=list)

    def submit(self, sequence: PositionSequence) -> None:
        self.waiting.append((sequence, self.deliver))
        if len(self.waiting) < self.together:
            return
        for one, deliver in self.waiting:
            self.deliver = deliver
            super().submit(one)
        self.waiting.clear()


def test_games_of_several_players_are_worked_on_at_once(batch: MadeBatch) -> None:
    """One player's four games alone would never be answered."""
    fetch_all(batch)
    batch.engine = ManyAtOnce()
    tally = batch.run("Anna", "Bert", "Carl", offline=True)
    assert (tally.exit_code, tally.games_reported) == (0, 12)


def test_whatever_is_worked_on_ahead_is_asked_for_once(batch: MadeBatch) -> None:
    batch.run("Anna", "Bert", "Carl")
    assert len(batch.engine.asked) == len({*batch.engine.asked}) == 12


def test_a_game_between_two_of_them_is_worked_on_once_and_is_in_both_reports(
    batch: MadeBatch,
) -> None:
    (game,) = player_games("Anna", 1, first=7)
    game["players"]["white" if sides_of(game)["black"] == "Anna" else "black"]["user"]["name"] = (
        "Bert"
    )
    for player in ("Anna", "Bert"):
        batch.lichess.games_of[player] = [game, *batch.lichess.games_of[player]]
    tally = batch.run("Anna", "Bert", "Carl")
    assert {told.player: told.games for told in tally.told} == {"Anna": 5, "Bert": 5, "Carl": 4}
    assert batch.engine.asked.count(game["id"]) == 1


def test_a_game_that_engines_fail_on_is_named_without_trying_it_all_again(
    batch: MadeBatch,
) -> None:
    batch.engine = LevelEngine(failing={"Bert0002"})
    batch.run("Anna", "Bert", "Carl")
    assert "it died three times" in (batch.path / "reports" / "Bert.html").read_text()
    assert batch.engine.asked.count("Bert0002") == 1


def test_in_the_next_run_it_is_tried_again(batch: MadeBatch) -> None:
    batch.engine = LevelEngine(failing={"Bert0002"})
    batch.run("Bert")
    batch.engine = LevelEngine()
    batch.order = replace(batch.order, recipe="two")
    batch.run("Bert")
    assert batch.engine.asked == ["Bert0002"]


def test_an_engine_that_dies_ahead_costs_nobody_a_report(batch: MadeBatch) -> None:
    """Each time somebody works ahead; the reports, which ask again, are all made."""
    submit, me = batch.engine.submit, threading.main_thread()

    def only_for_reports(sequence: PositionSequence) -> None:
        if threading.current_thread() is not me:
            raise EngineDied("the engine died; look at its log")
        submit(sequence)

    batch.engine.submit = only_for_reports  # type: ignore[method-assign]
    batch.lichess.games_of |= {f"P{n}": player_games(f"P{n}", 1) for n in range(9)}
    tally = batch.run("Anna", "Bert", "Carl", *(f"P{n}" for n in range(9)))
    assert (tally.exit_code, tally.states["reported"]) == (0, 12)


def test_who_is_ready_is_reported_on_while_lichess_lets_us_wait(batch: MadeBatch) -> None:
    reported = threading.Event()

    def wait_for_anna(name: str) -> None:
        assert name != "Bert" or reported.wait(30)

    batch.lichess.on_ask = wait_for_anna
    batch.order = replace(batch.order, formats={"html": noting(reported)})
    assert batch.run("Anna", "Bert").exit_code == 0


def test_the_human_move_model_reads_ahead_too_and_once(batch: MadeBatch) -> None:
    humans = MadeHumans()
    batch.change = lambda workshop: replace(workshop, open_human_model=lambda: humans)
    batch.run("Anna", "Bert", "Carl")
    assert sorted(humans.asked) == sorted(batch.engine.asked)
    batch.run("Anna", "Bert", "Carl")
    assert len(humans.asked) == 12


def test_games_that_are_evaluated_are_not_looked_at_ahead(
    batch: MadeBatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch.run("Anna", "Bert")
    replayed: list[str] = []
    monkeypatch.setattr("pipeline.batch.ahead.replay", noting_ids(replayed))
    batch.order = replace(batch.order, recipe="two")
    batch.lichess.games_of["Bert"] = player_games("Bert", 5)
    batch.run("Anna", "Bert")
    assert replayed == ["Bert0004"]


def test_how_far_all_is_counts_games_of_all_players_once(batch: MadeBatch) -> None:
    shown = Counted()
    batch.change = lambda workshop: replace(workshop, progress=shown)
    batch.run("Anna", "Bert", "Carl")
    assert shown.done["Evaluating games"] == shown.totals["Evaluating games"] == 12
    assert shown.done["Reporting on players"] == shown.done["Fetching players' games"] == 3


class Counted(Silent):
    def __init__(self) -> None:
        self.totals: dict[str, int | None] = {}
        self.done: dict[str, int] = {}

    def begin(self, stage: str, total: int | None) -> None:
        self.totals[stage] = total

    def advance(self, stage: str, steps: int = 1) -> None:
        self.done[stage] = self.done.get(stage, 0) + steps


def fetch_all(batch: MadeBatch) -> None:
    with Store(batch.store_url) as store:
        for player in batch.lichess.games_of:
            fetch_player(
                replace(batch.order.selection, player=player),
                batch.lichess,
                store,
                now=NOW,
                progress=Silent(),
                go_on=lambda: None,
            )


def sides_of(game: dict[str, Any]) -> dict[str, str]:
    return {color: side["user"]["name"] for color, side in game["players"].items()}


def noting(event: threading.Event) -> Callable[[object], str]:
    def page(_report: object) -> str:
        event.set()
        return "a page"

    return page


def noting_ids(ids: list[str]) -> Callable[[Any], Any]:
    from pipeline.replay import replay

    def noted(game: Any) -> Any:
        ids.append(game.id)
        return replay(game)

    return noted
