"""A batch does what is to be done, once, for everybody it can, and says what became of each."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pandas
import pytest
from made_batch import NOW, MadeBatch, MadeLichess, Threads, player_games, three_players

from config.errors import (
    EngineNotFound,
    LichessUnreachable,
    MoveloError,
    RateLimited,
    StoreError,
)
from engines.evals import PositionSequence
from pipeline.batch.fetching import PLAYERS_AHEAD, FetchAhead, Fetcher, FetchStopped
from pipeline.batch.lease import HeldLease
from pipeline.batch.patience import WAITS_SECONDS
from pipeline.batch.run import run_batch
from pipeline.progress import Silent
from pipeline.records import PlayerReport
from pipeline.selection import Selection
from pipeline.store import Store

pytest_plugins = ["postgresql_server"]


@pytest.fixture(params=[None, Threads], ids=["one by one", "side by side"])
def batch(tmp_path: Path, request: pytest.FixtureRequest) -> MadeBatch:
    return three_players(tmp_path, request.param and request.param())


def test_everybody_gets_a_report(batch: MadeBatch) -> None:
    tally = batch.run("Anna", "Bert", "Carl")
    assert (tally.exit_code, dict(tally.states)) == (0, {"reported": 3})
    assert (tally.new_games, tally.games_reported) == (12, 12)
    assert "Bert" in (batch.path / "reports" / "Bert.html").read_text()
    assert {"index.html", "summary.ndjson", "summary.parquet", "alerts.ndjson"} <= {*batch.files()}


def test_run_twice_it_does_nothing(batch: MadeBatch) -> None:
    batch.run("Anna", "Bert", "Carl")
    before = {file: file.stat().st_mtime_ns for file in batch.path.rglob("*") if file.is_file()}
    batch.engine.asked.clear()
    tally = batch.run("Anna", "Bert", "Carl")
    after = {file: file.stat().st_mtime_ns for file in batch.path.rglob("*") if file.is_file()}
    assert (tally.unchanged, tally.told, tally.exit_code) == (3, [], 0)
    assert batch.engine.asked == []
    assert {file for file in after if after[file] != before[file]} == {batch.path / "summary.json"}


def test_who_has_played_since_gets_a_new_report_alone(batch: MadeBatch) -> None:
    batch.run("Anna", "Bert", "Carl")
    batch.lichess.games_of["Bert"] = player_games("Bert", 6)
    tally = batch.run("Anna", "Bert", "Carl")
    assert (tally.unchanged, tally.new_games) == (2, 2)
    assert [outcome.player for outcome in tally.told] == ["Bert"]


def test_a_game_of_another_speed_changes_nothing(batch: MadeBatch) -> None:
    batch.run("Anna")
    batch.lichess.games_of["Anna"] = (
        player_games("Anna", 1, first=9, speed="bullet") + (batch.lichess.games_of["Anna"])
    )
    tally = batch.run("Anna")
    assert (tally.new_games, tally.unchanged) == (1, 1)


def test_an_older_game_that_came_with_an_opponent_changes_nothing(batch: MadeBatch) -> None:
    """Clubs play each other: what is fetched for one is the other's game too."""
    batch.order = replace(batch.order, selection=replace(batch.order.selection, last=2))
    batch.run("Anna")
    old = player_games("Anna", 1, first=0)[0] | {"id": "oldgame1", "createdAt": 1_600_000_000_000}
    old["players"]["white"]["user"]["name"] = "Bert"
    batch.lichess.games_of["Bert"] = [old]
    assert batch.run("Bert", "Anna").unchanged == 1


def test_another_recipe_makes_everything_anew_from_what_is_evaluated(batch: MadeBatch) -> None:
    batch.run("Anna", "Bert")
    batch.engine.asked.clear()
    batch.order = replace(batch.order, recipe="two")
    assert batch.run("Anna", "Bert").unchanged == 0
    assert batch.engine.asked == []


def test_a_file_that_was_deleted_is_made_again(batch: MadeBatch) -> None:
    batch.run("Anna", "Bert")
    whole = batch.files()
    (batch.path / "reports" / "Bert.html").unlink()
    (batch.path / "index.html").unlink()
    tally = batch.run("Anna", "Bert")
    assert tally.unchanged == 1
    assert batch.files() == whole


def test_what_a_killed_run_made_is_told_by_the_next_one(
    batch: MadeBatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    batch.run("Anna", "Bert")
    batch.lichess.games_of["Anna"] = player_games("Anna", 6)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("made_batch.write_books", killed)
        batch.run("Anna", "Bert")
    assert batch.run("Anna", "Bert").unchanged == 2
    assert games_listed(batch) == {"Anna": 6, "Bert": 4}
    assert len(pandas.read_parquet(batch.path / "games")) == 10


def test_who_failed_at_the_first_try_is_listed_and_once_is_enough(batch: MadeBatch) -> None:
    batch.run("Anna")
    batch.run("Anna", "Nobody")
    assert games_listed(batch) == {"Anna": 4, "Nobody": 0}
    written_at_ns = (batch.path / "index.html").stat().st_mtime_ns
    batch.run("Anna", "Nobody")
    assert (batch.path / "index.html").stat().st_mtime_ns == written_at_ns


def games_listed(batch: MadeBatch) -> dict[str, int]:
    lines = (batch.path / "summary.ndjson").read_text().splitlines()
    return {told["player"]: told["games"] for told in map(json.loads, lines)}


@pytest.mark.parametrize("stop_after", [0, 3, 5, 9])
def test_interrupted_anywhere_it_goes_on_and_ends_the_same(
    batch: MadeBatch, tmp_path: Path, stop_after: int
) -> None:
    batch.run("Anna", "Bert", "Carl")
    other = MadeBatch(tmp_path / "other", tmp_path / "other.sqlite", batch.lichess)
    other.engine.stop_after = stop_after
    with pytest.raises(KeyboardInterrupt):
        other.run("Anna", "Bert", "Carl")
    other.engine.stop_after = None
    assert other.run("Anna", "Bert", "Carl").exit_code == 0
    assert len(other.engine.asked) == len(set(other.engine.asked)) == 12
    for name in ("Anna.html", "Bert.html", "Carl.html"):
        made = [path / "reports" / name for path in (batch.path, other.path)]
        assert made[0].read_bytes() == made[1].read_bytes()


def test_one_bad_player_does_not_stop_the_others(batch: MadeBatch) -> None:
    tally = batch.run("Anna", "Nobody", "Carl")
    assert (tally.exit_code, dict(tally.states)) == (3, {"reported": 2, "failed": 1})
    told = json.loads((batch.path / "summary.json").read_text())
    assert told["exit_code"] == 3
    (fault,) = told["faults"]
    assert (fault["player"], fault["state"]) == ("Nobody", "failed")
    assert "check the spelling" in fault["sentence"]


def test_one_bad_game_does_not_stop_the_report(batch: MadeBatch) -> None:
    batch.engine.failing = {"Anna0002"}
    batch.lichess.games_of["Anna"][0]["moves"] = "e4 e4"
    tally = batch.run("Anna")
    (outcome,) = tally.told
    assert (outcome.state, outcome.games, outcome.set_aside) == ("reported", 3, 2)


def test_an_error_that_nobody_foresaw_stops_only_one_player(batch: MadeBatch) -> None:
    def broken(report: PlayerReport) -> str:
        if report.player == "Bert":
            raise ZeroDivisionError
        return report.player

    batch.order = replace(batch.order, formats={"html": broken})
    tally = batch.run("Anna", "Bert", "Carl")
    assert (tally.exit_code, tally.states["failed"]) == (3, 1)
    assert "nobody foresaw" in tally.told[1].sentence


def test_a_file_that_cannot_be_removed_stops_only_one_player(batch: MadeBatch) -> None:
    batch.lichess.games_of["Idle"] = []
    (batch.path / "reports" / "Idle.html").mkdir(parents=True)
    tally = batch.run("Idle", "Anna")
    assert dict(tally.states) == {"failed": 1, "reported": 1}


def test_an_error_of_fetching_that_comes_after_the_end_is_nobody_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @contextmanager
    def broken_at_the_end(sleep: Callable[[float], None]) -> Iterator[Fetcher]:
        with suppress(FetchStopped):
            sleep(60)
        raise ZeroDivisionError
        yield

    seen: list[object] = []
    monkeypatch.setattr("threading.excepthook", seen.append)
    selection = Selection(player="", speeds=("blitz",))
    ahead = FetchAhead(["Anna"], selection, broken_at_the_end, progress=Silent(), clock=lambda: NOW)
    with ahead:
        pass
    assert seen == []


def test_another_spelling_of_a_name_is_no_other_player(batch: MadeBatch) -> None:
    batch.run("Anna")
    batch.lichess.games_of["ANNA"] = player_games("Anna", 6)
    assert batch.run("ANNA").games_reported == 6
    assert [file.name for file in (batch.path / "reports").iterdir()] == ["Anna.html"]
    assert len(pandas.read_parquet(batch.path / "games")) == 6


def test_all_failed_is_another_code_than_some(batch: MadeBatch) -> None:
    assert batch.run("Nobody", "Noone").exit_code == 1


def test_who_has_no_games_is_no_failure_and_is_not_asked_about_twice(batch: MadeBatch) -> None:
    batch.lichess.games_of["Idle"] = []
    tally = batch.run("Idle")
    assert (tally.exit_code, dict(tally.states)) == (0, {"without_games": 1})
    assert "No blitz or rapid games of Idle" in tally.told[0].sentence
    assert batch.run("Idle").unchanged == 1


def test_after_a_failure_the_last_report_stays_on_the_page(batch: MadeBatch) -> None:
    batch.run("Anna")
    batch.lichess.errors["Anna"] = [LichessUnreachable("Lichess cannot be reached; try later")]
    assert batch.run("Anna").exit_code == 1
    with Store(batch.store_url) as store:
        (kept,) = store.runs.outcomes(batch.folder.id)
    assert kept.state == "reported"
    assert batch.run("Anna").unchanged == 1


def test_a_lichess_that_wants_to_be_left_alone_is_left_alone(batch: MadeBatch) -> None:
    batch.lichess.errors["Anna"] = [RateLimited("Lichess still asks to wait; run this later")]
    tally = batch.run("Anna", "Bert", "Carl")
    assert batch.lichess.asked == ["Anna"]
    assert dict(tally.states) == {"failed": 1, "not_reached": 2}
    assert batch.run("Anna", "Bert", "Carl").exit_code == 0


def test_without_a_connection_not_everybody_is_tried(batch: MadeBatch) -> None:
    players = [f"P{number}" for number in range(9)]
    for player in players:
        batch.lichess.errors[player] = [LichessUnreachable("Lichess cannot be reached")]
    tally = batch.run(*players)
    assert batch.lichess.asked == players[:3]
    assert (tally.exit_code, tally.states["not_reached"]) == (1, 6)


def test_without_an_engine_the_run_ends_with_the_reason(batch: MadeBatch) -> None:
    def no_engine(_deliver: object) -> object:
        raise EngineNotFound("there is no Stockfish; install it")

    batch.lichess.games_of["Done"] = player_games("Done", 3, analysed=True)
    batch.lichess.games_of |= {f"P{n}": player_games(f"P{n}", 1) for n in range(4)}
    batch.change = lambda workshop: replace(workshop, open_evaluator=no_engine)  # type: ignore[arg-type]
    tally = batch.run("Anna", "Done", "P0", "P1", "P2", "P3")
    assert dict(tally.states) == {"reported": 1, "failed": 4, "not_reached": 1}
    assert tally.stopped_by == "there is no Stockfish; install it"
    assert tally.exit_code == 3


def test_a_store_that_is_away_for_a_moment_is_waited_for(batch: MadeBatch) -> None:
    """Three times: whoever works ahead leaves the first one to the report."""
    submit, broken = batch.engine.submit, [StoreError("the server is starting")] * 3

    def restarted(sequence: PositionSequence) -> None:
        if broken:
            raise broken.pop()
        submit(sequence)

    batch.engine.submit = restarted  # type: ignore[method-assign]
    assert batch.run("Anna", "Bert").exit_code == 0
    assert batch.slept == [*WAITS_SECONDS[:2]]


def test_a_store_that_stays_away_ends_the_run(batch: MadeBatch) -> None:
    def gone(_sequence: PositionSequence) -> None:
        raise StoreError("the disk is full; free some space")

    batch.engine.submit = gone  # type: ignore[method-assign]
    with pytest.raises(StoreError, match="disk is full"):
        batch.run("Anna")
    assert batch.slept == [*WAITS_SECONDS]


def test_games_are_fetched_while_others_are_reported_on(batch: MadeBatch) -> None:
    """The second player is asked for before the first one's engine has answered."""
    second_asked = threading.Event()
    batch.lichess.on_ask = lambda name: second_asked.set() if name == "Bert" else None
    submit = batch.engine.submit

    def slow(sequence: PositionSequence) -> None:
        assert second_asked.wait(30)
        submit(sequence)

    batch.engine.submit = slow  # type: ignore[method-assign]
    assert batch.run("Anna", "Bert").exit_code == 0


def test_fetching_is_only_some_players_ahead(batch: MadeBatch) -> None:
    players = [f"P{number}" for number in range(PLAYERS_AHEAD + 20)]
    batch.lichess.games_of = {player: player_games(player, 1) for player in players}
    most_ahead, submit = [0], batch.engine.submit

    def watch(sequence: PositionSequence) -> None:
        threading.Event().wait(0.05)  # whoever fetches has time to run away
        most_ahead.append(len(batch.lichess.asked) - len(batch.engine.asked))
        submit(sequence)

    batch.engine.submit = watch  # type: ignore[method-assign]
    batch.run(*players)
    assert 2 <= max(most_ahead) <= PLAYERS_AHEAD + 3


def test_one_engine_serves_all_players(batch: MadeBatch) -> None:
    opened, crew = [], batch.engine.crew

    def counted(deliver: object) -> object:
        opened.append(1)
        return crew(deliver)  # type: ignore[arg-type]

    batch.change = lambda workshop: replace(workshop, open_evaluator=counted)  # type: ignore[arg-type]
    batch.run("Anna", "Bert", "Carl")
    assert len(opened) == 1


def test_whoever_lost_the_batch_to_another_machine_stops(batch: MadeBatch) -> None:
    lease = HeldLease()
    lease.is_lost.set()
    with Store(batch.store_url) as store, pytest.raises(MoveloError, match="another one goes on"):
        from made_workshop import made_workshop

        run_batch(
            ["Anna"],
            batch.folder,
            batch.order,
            made_workshop(store),
            open_fetcher=None,
            lease=lease,
            open_whole=lambda _file: None,  # type: ignore[arg-type, return-value]
            clock=lambda: None,  # type: ignore[arg-type, return-value]
            sleep=lambda _seconds: None,
        )


def test_offline_nobody_is_asked(batch: MadeBatch) -> None:
    batch.run("Anna")
    batch.lichess.asked.clear()
    assert batch.run("Anna", "Bert", offline=True).states == {"reported": 1, "without_games": 1}
    assert batch.lichess.asked == []


def test_on_a_server_as_in_a_file(store_url: Path | str, tmp_path: Path) -> None:
    lichess = MadeLichess({"Anna": player_games("Anna", 3), "Bert": player_games("Bert", 3)})
    batch = MadeBatch(tmp_path / "out", store_url, lichess)
    assert batch.run("Anna", "Bert").states == {"reported": 2}
    assert batch.run("Anna", "Bert").unchanged == 2


def test_who_is_forgotten_is_forgotten_here_too(batch: MadeBatch) -> None:
    batch.run("Anna", "Bert")
    with Store(batch.store_url) as store:
        assert store.forget("anna").outcomes == 1
        assert [outcome.player for outcome in store.runs.outcomes(batch.folder.id)] == ["Bert"]
