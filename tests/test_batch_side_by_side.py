"""Reports made in other processes: the same as here, and whatever is amiss is left to this one."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

import pytest
from made_batch import ALL, ORDER, MadeBatch, Threads, player_games, three_players
from made_workshop import LevelEngine, MadeHumans, made_workshop

from config.errors import EngineDied, StoreError
from config.language import language
from pipeline.batch.elsewhere import Answer, ReportKit, Task
from pipeline.batch.reporting import ToReport
from pipeline.batch.second_tries import FirstTries, SecondTries
from pipeline.cli.whole_file import whole_file
from pipeline.records import PlayerReport
from pipeline.store import Store


@pytest.fixture
def elsewhere() -> Threads:
    return Threads()


@pytest.fixture
def batch(tmp_path: Path, elsewhere: Threads) -> MadeBatch:
    return three_players(tmp_path, elsewhere)


def test_reports_from_elsewhere_are_the_same(
    batch: MadeBatch, elsewhere: Threads, tmp_path: Path
) -> None:
    batch.run(*ALL)
    here = MadeBatch(tmp_path / "here", tmp_path / "here.sqlite", batch.lichess)
    here.run(*ALL)
    assert elsewhere.reported == {*ALL}
    made = [{**one.files(), ".movelo/batch.json": b""} for one in (batch, here)]
    assert made[0] == made[1]


def test_who_is_up_to_date_is_not_asked_for(batch: MadeBatch, elsewhere: Threads) -> None:
    batch.run(*ALL)
    elsewhere.answers.clear()
    batch.lichess.games_of["Bert"] = player_games("Bert", 5)
    assert batch.run(*ALL).unchanged == 2
    assert elsewhere.reported == {"Bert"}


def test_what_was_evaluated_before_needs_no_engine_s_answer(
    batch: MadeBatch, elsewhere: Threads
) -> None:
    """Whose evaluations they are has to be known all the same."""
    engine_id = batch.engine.engine_id
    batch.change = lambda workshop: replace(workshop, noted_engine=lambda: engine_id)
    batch.run(*ALL)
    elsewhere.answers.clear()
    batch.engine.asked.clear()
    batch.order = replace(batch.order, recipe="two")
    assert batch.run(*ALL).states == {"reported": 3}
    assert (elsewhere.reported, batch.engine.asked) == ({*ALL}, [])


def test_whoever_asked_an_engine_here_tells_its_name_elsewhere(batch: MadeBatch) -> None:
    tries = SecondTries()
    workshop = replace(made_workshop(None), open_evaluator=batch.engine.crew)  # type: ignore[arg-type]
    assert tries.first.engine_id is None
    with tries.tried_in(workshop).open_evaluator(lambda _outcome: None):
        assert tries.first.engine_id == batch.engine.engine_id


def test_before_others_are_there_nobody_waits_for_their_start(
    batch: MadeBatch, elsewhere: Threads
) -> None:
    elsewhere.are_started = False
    batch.run("Anna")
    assert elsewhere.answers == []


def test_without_games_there_is_nothing_to_report_elsewhere_too(
    batch: MadeBatch, elsewhere: Threads
) -> None:
    batch.lichess.games_of["Idle"] = []
    assert batch.run(*ALL, "Idle").states == {"reported": 3, "without_games": 1}
    assert "Idle" in elsewhere.reported


def test_a_game_that_an_engine_failed_on_is_told_elsewhere(
    batch: MadeBatch, elsewhere: Threads
) -> None:
    batch.engine = LevelEngine(failing={"Bert0002"})
    assert batch.run(*ALL).exit_code == 0
    assert "Bert" in elsewhere.reported
    assert "it died three times" in (batch.path / "reports" / "Bert.html").read_text()
    assert batch.engine.asked.count("Bert0002") == 1


def test_a_game_that_the_human_move_model_failed_on_is_read_here(
    batch: MadeBatch, elsewhere: Threads
) -> None:
    humans = MadeHumans(failing={"Bert0002"})
    batch.change = lambda workshop: replace(workshop, open_human_model=lambda: humans)
    assert batch.run(*ALL).exit_code == 0
    assert elsewhere.reported == {"Anna", "Carl"}
    assert "it fell asleep" in (batch.path / "reports" / "Bert.html").read_text()
    assert {answer.why_not for answer in elsewhere.answers} == {
        "",
        "NotThereYet: the human-move model has not read a game",
    }


def test_an_engine_that_is_no_more_is_told_by_the_report(batch: MadeBatch) -> None:
    def dead(_sequence: object) -> None:
        raise EngineDied("the engine died; look at its log")

    batch.engine.submit = dead  # type: ignore[method-assign, assignment]
    tally = batch.run(*ALL)
    assert (tally.exit_code, tally.states["failed"]) == (1, 3)
    assert tally.told[0].sentence == "the engine died; look at its log"


@pytest.mark.parametrize(
    "error", [BrokenProcessPool("killed"), StoreError("it is being started"), MemoryError()]
)
def test_whatever_goes_wrong_elsewhere_is_made_here(
    batch: MadeBatch, elsewhere: Threads, error: BaseException
) -> None:
    def broken(_order: Task) -> Answer:
        raise error

    elsewhere.answered = broken  # type: ignore[method-assign, assignment]
    tally = batch.run(*ALL)
    assert (tally.exit_code, dict(tally.states)) == (0, {"reported": 3})


def test_where_no_process_can_be_started_all_is_made_here(
    batch: MadeBatch, elsewhere: Threads
) -> None:
    def refused(_order: Task) -> Future[Answer]:
        raise OSError("no process is left")

    elsewhere.submit = refused  # type: ignore[method-assign, assignment]
    assert batch.run(*ALL).exit_code == 0


def test_who_is_done_first_is_kept_first_and_all_are_told_in_their_order(
    batch: MadeBatch, elsewhere: Threads
) -> None:
    answered, kept = elsewhere.answered, threading.Event()

    def slow_for_anna(order: Task) -> Answer:
        assert order.to_report.player != "Anna" or kept.wait(30)
        return answered(order)

    elsewhere.answered = slow_for_anna  # type: ignore[method-assign]
    watcher = threading.Thread(target=wait_for_two, args=(batch, kept))
    watcher.start()
    tally = batch.run(*ALL)
    watcher.join()
    assert [told.player for told in tally.told] == [*ALL]


def wait_for_two(batch: MadeBatch, kept: threading.Event) -> None:
    with Store(batch.store_url) as store:
        for _try in range(3000):
            if {o.player for o in store.runs.outcomes(batch.folder.id)} == {"Bert", "Carl"}:
                kept.set()
                return
            threading.Event().wait(0.01)


def test_what_nobody_can_go_on_after_waits_for_who_is_on_the_way(
    batch: MadeBatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store is gone for whoever fetches; what is being made elsewhere is kept before."""
    monkeypatch.setattr("pipeline.batch.patience.WAITS_SECONDS", ())
    batch.lichess.errors["Carl"] = [StoreError("the disk is full")]
    with pytest.raises(StoreError, match="disk is full"):
        batch.run(*ALL)
    with Store(batch.store_url) as store:
        found = {outcome.player for outcome in store.runs.outcomes(batch.folder.id)}
    assert found == {"Anna", "Bert"}


# --- in the other process --------------------------------------------------------------------


def made_elsewhere(
    batch: MadeBatch,
    player: str,
    *,
    to_text: Callable[[PlayerReport], str] = repr,
    is_given_up: Callable[[], bool] = lambda: False,
    language: str = "en",
) -> Answer:
    kit = ReportKit(
        folder=batch.folder,
        order=replace(ORDER, formats={"html": to_text}),
        open_whole=whole_file,
        open_workshop=batch.workshop_elsewhere,
        language=language,
    )
    now = made_workshop(None).now  # type: ignore[arg-type]
    to_report = ToReport(player=player, stem=player, now=now)
    with kit.opened(is_given_up) as make:
        return make(Task(to_report=to_report, first=FirstTries(), network=""))


def test_what_nobody_evaluated_is_not_evaluated_there(batch: MadeBatch) -> None:
    batch.lichess.games_of["Anna"] = player_games("Anna", 2)
    batch.engine = LevelEngine(failing={"Anna0001"})
    batch.run("Anna")
    answer = made_elsewhere(batch, "Anna")
    assert (answer.reported, answer.why_not) == (None, "NotThereYet: a game is not evaluated")


def test_what_nobody_waits_for_is_not_finished(batch: MadeBatch) -> None:
    batch.lichess.games_of["Anna"] = player_games("Anna", 4, analysed=True)
    batch.run("Anna")
    answer = made_elsewhere(batch, "Anna", is_given_up=lambda: True)
    assert answer.why_not == "GivenUp: "


def test_it_speaks_the_reader_s_language(batch: MadeBatch) -> None:
    batch.lichess.games_of["Anna"] = player_games("Anna", 4, analysed=True)
    batch.run("Anna")
    assert made_elsewhere(batch, "Anna", to_text=lambda _: language(), language="fr").reported
    assert (batch.path / "reports" / "Anna.html").read_text() == "fr"
