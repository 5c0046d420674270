"""Games are told in the report's order, without waiting for all of them, and not kept."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from made_games import export_games
from made_workshop import SELECTION, LevelEngine, games, made_workshop

from engines.evals import PositionSequence
from pipeline.evaluation import GAMES_AHEAD, Deliver
from pipeline.exporting import Telling, without_searches
from pipeline.kept_games import games_kept_of
from pipeline.records import NoEstimate
from pipeline.run import report_on
from pipeline.store import Store, StoredGame
from pipeline.tables import game_row, games_frame, move_rows, moves_frame


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite") as store:
        yield store


@dataclass
class SlowFirst(LevelEngine):
    """Finishes the first game last of the first hundred."""

    held: PositionSequence | None = None

    @contextmanager
    def crew(self, deliver: Deliver) -> Iterator["SlowFirst"]:
        self.deliver = deliver
        yield self

    def submit(self, sequence: PositionSequence) -> None:
        if self.held is None:
            self.held = sequence
            return
        super().submit(sequence)
        if len(self.asked) == 100:
            super().submit(self.held)


@pytest.mark.parametrize("engine", [LevelEngine(), SlowFirst()], ids=["even", "first is slow"])
def test_games_come_newest_first_and_before_all_are_begun(
    store: Store, engine: LevelEngine
) -> None:
    workshop = replace(made_workshop(store), open_evaluator=engine.crew)
    found = games(GAMES_AHEAD + 150, plies=6)
    telling = Telling(found, SELECTION, workshop)
    told = telling.games(with_evals=False)
    first = next(told)
    assert first.game.id == found[-1].id
    assert len(engine.asked) <= GAMES_AHEAD + 1 < len(found)
    ids = [first.game.id, *(one.game.id for one in told)]
    assert ids == [game.id for game in reversed(found)]
    assert telling.told == len(found) and not telling.left_out and not telling.faults


def test_the_rows_are_those_of_the_report_s_frames(store: Store) -> None:
    engine = LevelEngine(failing={"Made0002"})
    workshop = replace(made_workshop(store), open_evaluator=engine.crew)
    found = games(5)
    report = report_on(found, SELECTION, workshop)
    telling = Telling(found, SELECTION, workshop)
    told = list(telling.games(with_evals=True))
    assert [one.report for one in told] == list(report.games)
    assert [game_row(one.report)["game_id"] for one in told] == list(games_frame(report)["game_id"])
    rows = [row for one in told for row in move_rows(one.report)]
    assert [row["san"] for row in rows] == list(moves_frame(report)["san"])
    assert [fault.reason for fault in telling.faults] == [
        "not in the move-based view: it died three times"
    ]
    evaluated = [one.evals is not None for one in told]
    assert evaluated == [True, True, False, True, True]
    for one in told:
        assert one.evals is None or len(one.evals.evals) == one.replay.plies + 1


def test_without_searches_only_what_is_kept_is_used(store: Store) -> None:
    engine = LevelEngine()
    workshop = replace(made_workshop(store), open_evaluator=engine.crew)
    found = games(4)
    list(Telling(found[:2], SELECTION, workshop).games(with_evals=False))
    asked = list(engine.asked)
    telling = Telling(found, SELECTION, without_searches(workshop))
    told = list(telling.games(with_evals=False))
    assert engine.asked == asked and len(telling.faults) == 2
    for one in told[:2]:
        strength = one.report.white.strength
        assert isinstance(strength, NoEstimate) and "no engine was asked" in strength.reason
    assert all(one.report.moves for one in told[2:])


def test_a_kept_game_that_cannot_be_read_is_named(store: Store) -> None:
    good, bad = export_games(2)
    bad["players"] = {}
    store.add_games(
        StoredGame(
            id=record["id"],
            created_at_ms=record["createdAt"],
            white_id="quillfeather",
            black_id=None,
            record_json=json.dumps(record),
        )
        for record in (good, bad)
    )
    readable, unreadable = games_kept_of("Quillfeather", store)
    assert readable.where.endswith(good["id"])
    assert unreadable.where == f"game {bad['id']} from Lichess"
