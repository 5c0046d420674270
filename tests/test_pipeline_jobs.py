"""The queue of reports: shared by processes, outliving each of them, bounded."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from made_games import random_export_game
from made_reports import made_player_report
from made_workshop import LevelEngine, MadeHumans, made_workshop

from config.errors import InputError, LichessUnreachable, NoGames
from pipeline.fetch.export import game_from_export
from pipeline.jobs import JobLimits, JobOrder, JobProgress, JobQueue, Refusal
from pipeline.jobs.making import make_report, most_frequent_player
from pipeline.jobs.watch import JobStopped, JobWatch
from pipeline.jobs.worker import Worker
from pipeline.progress import Progress
from pipeline.records import Game, SetAside
from pipeline.selection import Selection
from pipeline.store import Store
from pipeline.workshop import Workshop

pytest_plugins = ["postgresql_server"]

SELECTION = Selection(player="Quillfeather", speeds=("blitz",), last=20)
ORDER = JobOrder(selection=SELECTION, source="lichess")
UPLOAD = JobOrder(selection=replace(SELECTION, player=""), source="file")


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 6, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(store_url: Path | str) -> Iterator[Store]:
    with Store(store_url) as opened:
        yield opened


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite") as opened:
        yield opened


def queue_of(store: Store, clock: Callable[[], datetime], **limits: float) -> JobQueue:
    return JobQueue(store, limits=JobLimits(**limits), clock=clock)  # type: ignore[arg-type]


def submitted(queue: JobQueue, order: JobOrder = ORDER, **who: object) -> str:
    job = queue.submit(order, **who)  # type: ignore[arg-type]
    assert not isinstance(job, Refusal)
    return job.id


def test_what_was_ordered_comes_back_as_it_was(store: Store, clock: Clock) -> None:
    since = datetime(2026, 1, 31, tzinfo=UTC)
    selection = replace(UPLOAD.selection, since=since, casual=True)
    order = replace(UPLOAD, selection=selection)
    queue = queue_of(store, clock)
    job_id = submitted(queue, order, content=b"1. e4\xff\0")
    job = queue.job(job_id)
    assert job is not None
    assert job.order == order
    assert (job.state, job.jobs_ahead, job.created_at) == ("queued", 0, clock.now)
    assert queue.content(job_id) == b"1. e4\xff\0"
    assert queue.job(job_id + "x") is None


def test_jobs_are_begun_in_the_order_in_which_they_came(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock)
    ids = []
    for _ in range(3):
        ids.append(submitted(queue))
        clock.pass_seconds(1)
    assert [queue.job(i).jobs_ahead for i in ids] == [0, 1, 2]  # type: ignore[union-attr]
    begun = [queue.claim("a"), queue.claim("b"), queue.claim("a")]
    assert [job and job.id for job in begun] == ids
    assert queue.claim("b") is None


def test_a_job_is_given_to_one_of_many_workers(store_url: Path | str, clock: Clock) -> None:
    with Store(store_url) as store:
        ids = {submitted(queue_of(store, clock, waiting_per_address=99)) for _ in range(12)}
    begun: list[str] = []

    def work(name: str) -> None:
        with Store(store_url) as own:
            queue = queue_of(own, clock)
            while job := queue.claim(name):
                begun.append(job.id)

    threads = [threading.Thread(target=work, args=(f"worker {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(begun) == sorted(ids)


def test_a_job_whose_worker_died_is_begun_again_and_lost_to_it(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock, lease_seconds=15)
    job_id = submitted(queue)
    assert queue.claim("first")
    assert queue.hold(job_id, "first", JobProgress(games_assessed=7))
    clock.pass_seconds(14)
    assert queue.claim("second") is None, "the first may be alive"
    clock.pass_seconds(2)
    again = queue.claim("second")
    assert again is not None
    assert (again.id, again.attempts, again.progress.games_assessed) == (job_id, 2, 7)
    assert not queue.hold(job_id, "first", JobProgress())
    assert not queue.end_done(job_id, "first", JobProgress(), made_player_report(1))
    assert queue.report(job_id) is None
    assert queue.end_done(job_id, "second", JobProgress(), made_player_report(1))


def test_a_job_that_kills_its_workers_fails_in_the_end(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock, attempts=2)
    job_id = submitted(queue)
    for _ in range(2):
        assert queue.claim("a")
        clock.pass_seconds(60)
    assert queue.claim("a") is None
    job = queue.job(job_id)
    assert job is not None
    assert job.state == "failed"
    assert "2 times" in str(job.failure)


def test_a_worker_that_is_told_to_stop_gives_its_job_back(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock, attempts=1)
    job_id = submitted(queue)
    for _ in range(3):
        assert queue.claim("a")
        queue.release(job_id, "a")
    job = queue.claim("b")
    assert job is not None
    assert job.attempts == 1, "no attempt went wrong"


def test_a_report_is_read_as_it_was_made(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock)
    job_id = submitted(queue, content=b"games")
    queue.claim("a")
    report = made_player_report(12)
    assert queue.end_done(job_id, "a", JobProgress(speeds=report.speeds), report)
    assert queue.report(job_id) == report
    job = queue.job(job_id)
    assert job is not None
    assert (job.state, job.progress.speeds) == ("done", report.speeds)
    assert queue.content(job_id) is None, "what was handed in is not needed any more"


def test_half_a_surrogate_pair_in_a_name_does_no_harm(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock)
    order = replace(ORDER, selection=replace(SELECTION, player="a\ud800b\0c"))
    job_id = submitted(queue, order, visitor="v\ud800")
    queue.claim("a")
    report = replace(made_player_report(1), player="a\ud800b")
    assert queue.end_done(job_id, "a", JobProgress(sentence="\ud800"), report)
    kept = queue.report(job_id)
    assert kept is not None
    assert kept.player == "a?b"


def test_the_same_order_of_a_visitor_is_not_made_twice_at_once(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock)
    first = submitted(queue, visitor="me")
    assert submitted(queue, visitor="me") == first
    assert submitted(queue, visitor="you") != first
    assert (
        submitted(queue, replace(ORDER, selection=replace(SELECTION, last=9)), visitor="me")
        != first
    )
    queue.cancel(first)
    assert submitted(queue, visitor="me") != first


def test_what_is_ordered_again_while_it_is_being_cancelled_is_made(
    store: Store, clock: Clock
) -> None:
    queue = queue_of(store, clock)
    first = submitted(queue, visitor="me")
    queue.claim("a")
    queue.cancel(first)  # the worker has not noticed yet
    assert submitted(queue, visitor="me") != first


def test_a_visitor_sees_only_the_own_reports_the_newest_first(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock)
    older = submitted(queue, visitor="me")
    clock.pass_seconds(1)
    newer = submitted(queue, UPLOAD, visitor="me", content=b"")
    submitted(queue, visitor="you")
    submitted(queue)
    assert [job.id for job in queue.recent("me")] == [newer, older]
    assert [job.id for job in queue.recent("me", at_most=1)] == [newer]
    assert queue.recent("") == ()


def test_no_more_is_taken_on_than_the_limits_allow(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock, waiting=3, waiting_per_address=2)
    ids = [submitted(queue, address="10.0.0.1") for _ in range(2)]
    refused = queue.submit(ORDER, address="10.0.0.1")
    assert isinstance(refused, Refusal)
    assert refused.whose == "address"
    assert refused.reason.startswith("2 reports are being made for you")
    submitted(queue, address="10.0.0.2")
    refused = queue.submit(ORDER, address="10.0.0.3")
    assert isinstance(refused, Refusal)
    assert refused.whose == "all"
    queue.cancel(ids[0])
    assert not isinstance(queue.submit(ORDER, address="10.0.0.1"), Refusal)


def test_a_queued_job_is_cancelled_at_once_and_a_running_one_is_told(
    store: Store, clock: Clock
) -> None:
    queue = queue_of(store, clock)
    running, queued = submitted(queue), submitted(queue, content=b"games")
    first = queue.claim("a")
    assert first is not None
    running, queued = (running, queued) if first.id == running else (queued, running)
    queue.cancel(queued)
    queue.cancel(running)
    assert queue.job(queued).state == "cancelled"  # type: ignore[union-attr]
    assert queue.content(queued) is None
    job = queue.job(running)
    assert job is not None
    assert (job.state, job.cancel_asked) == ("running", True)
    queue.end_cancelled(running, "a", JobProgress())
    assert queue.counts()["cancelled"] == 2
    queue.cancel(running)
    assert queue.job(running).state == "cancelled"  # type: ignore[union-attr]


def test_a_job_cancelled_while_its_worker_is_dead_is_not_begun_again(
    store: Store, clock: Clock
) -> None:
    queue = queue_of(store, clock)
    job_id = submitted(queue)
    queue.claim("a")
    queue.cancel(job_id)
    clock.pass_seconds(60)
    assert queue.claim("b") is None
    assert queue.job(job_id).state == "cancelled"  # type: ignore[union-attr]


def test_old_reports_are_forgotten_and_those_at_work_are_not(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock)
    done, running = submitted(queue), submitted(queue)
    first = queue.claim("a")
    assert first is not None
    done, running = (done, running) if first.id == done else (running, done)
    queue.end_done(done, "a", JobProgress(), made_player_report(1))
    queue.claim("a")
    clock.pass_seconds(86_400 * 10 + 1)
    assert queue.forget_older(11) == 0
    assert queue.forget_older(10) == 1
    assert queue.job(done) is None
    assert queue.report(done) is None
    assert not queue.remove(running)
    assert queue.job(running) is not None


def test_a_player_who_is_forgotten_is_in_no_kept_report(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock)
    report = made_player_report(3)
    opponent = report.games[0].side("black" if report.games[0].color == "white" else "white")
    job_id, other = submitted(queue), submitted(queue)
    claimed = queue.claim("a")
    assert claimed is not None
    job_id, other = (job_id, other) if claimed.id == job_id else (other, job_id)
    queue.end_done(job_id, "a", JobProgress(), report)
    name = opponent.player.name
    assert name is not None
    forgotten = store.forget(name.casefold())
    assert forgotten.reports == 1
    assert queue.job(job_id) is None
    assert queue.job(other) is not None
    assert store.forget("quillfeather").reports == 1
    assert queue.job(other) is None, "it was asked for about this player"


def test_one_store_answers_many_threads_at_once(store: Store, clock: Clock) -> None:
    queue = queue_of(store, clock, waiting_per_address=999)
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            for _ in range(5):
                job_id = submitted(queue)
                assert queue.job(job_id) is not None
                queue.cancel(job_id)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert queue.counts()["cancelled"] == 100


# --- the worker -----------------------------------------------------------------------------


class Games:
    """What a Lichess client is to a worker."""

    def __init__(self, count: int) -> None:
        self.records = [random_export_game(seed) for seed in range(count)]

    def games(
        self, username: str, *, since: datetime | None, until: datetime | None
    ) -> Iterator[dict[str, object]]:
        newest_first = sorted(self.records, key=lambda r: -int(r["createdAt"]))
        for record in newest_first:
            if until is None or record["createdAt"] <= until.timestamp() * 1000:
                yield record


def worker_of(queue: JobQueue, store: Store, engine: LevelEngine, source: object) -> Worker:
    @contextmanager
    def workshop(progress: Progress) -> Iterator[Workshop]:
        made = made_workshop(store)
        yield replace(made, open_evaluator=engine.crew, progress=progress)

    def opened(tools: Workshop, sleep: Callable[[float], None]) -> object:
        return source

    return Worker(
        name="test",
        queue=queue,
        open_workshop=workshop,
        open_source=opened,  # type: ignore[arg-type]
        keep_days=30,
        beat_seconds=0.01,
    )


def test_the_worker_makes_the_report_that_was_ordered(file_store: Store, clock: Clock) -> None:
    queue = queue_of(file_store, clock)
    job_id = submitted(queue)
    assert worker_of(queue, file_store, LevelEngine(), Games(8)).work_once()
    job, report = queue.job(job_id), queue.report(job_id)
    assert job is not None
    assert report is not None
    assert job.state == "done", job.failure
    assert len(report.games) == 8
    assert {stage.name: stage.done for stage in job.progress.stages} == {
        "Fetching games": 8,
        "Evaluating games": 8,
    }
    (speed,) = job.progress.speeds
    assert 5 <= speed.games <= 8
    assert not worker_of(queue, file_store, LevelEngine(), Games(8)).work_once()


def test_games_that_were_handed_in_are_of_whoever_played_most(
    file_store: Store, clock: Clock
) -> None:
    pgn = "\n\n".join(
        f'[White "Ann"]\n[Black "{black}"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0'
        for black in ("Bob", "Cy")
    )
    queue = queue_of(file_store, clock)
    order = replace(UPLOAD, selection=Selection(player="", speeds=("unknown",)))
    job_id = submitted(queue, order, content=pgn.encode())
    worker_of(queue, file_store, LevelEngine(), Games(0)).work_once()
    report = queue.report(job_id)
    assert report is not None, queue.job(job_id)
    assert (report.player, len(report.games)) == ("Ann", 2)
    assert queue.job(job_id).player == "Ann"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "your file is empty"),
        (b"\x1f\x8b\x08\0\0\0", "compressed"),
        (b"\x28\xb5\x2f\xfd\0\0", "compressed"),
        (b"PK\x03\x04\0\0", "your file is a zip archive"),
        (b"<html><script>alert(1)</script>", "your file is neither PGN nor NDJSON"),
    ],
)
def test_a_file_without_games_fails_with_a_sentence(
    file_store: Store, clock: Clock, content: bytes, sentence: str
) -> None:
    queue = queue_of(file_store, clock)
    job_id = submitted(queue, UPLOAD, content=content)
    worker_of(queue, file_store, LevelEngine(), Games(0)).work_once()
    job = queue.job(job_id)
    assert job is not None
    assert job.state == "failed"
    assert sentence in str(job.failure)
    assert "standard input" not in str(job.failure)


def test_a_job_takes_no_more_games_than_the_limit(file_store: Store, clock: Clock) -> None:
    queue = queue_of(file_store, clock, games=3)
    job_id = submitted(queue, replace(ORDER, selection=replace(SELECTION, last=0)))
    worker_of(queue, file_store, LevelEngine(), Games(8)).work_once()
    report = queue.report(job_id)
    assert report is not None
    assert len(report.games) == 3


class Unreachable(Games):
    def games(self, *_: object, **__: object) -> Iterator[dict[str, object]]:
        raise LichessUnreachable("Lichess cannot be reached; try later")
        yield {}


class Broken(Games):
    def games(self, *_: object, **__: object) -> Iterator[dict[str, object]]:
        raise RuntimeError("secret detail")
        yield {}


def test_what_went_wrong_is_said_and_what_nobody_foresaw_is_in_the_log(
    file_store: Store, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    queue = queue_of(file_store, clock)
    first = submitted(queue)
    worker_of(queue, file_store, LevelEngine(), Unreachable(0)).work_once()
    assert queue.job(first).failure == "Lichess cannot be reached; try later"  # type: ignore[union-attr]
    second = submitted(queue)
    worker_of(queue, file_store, LevelEngine(), Broken(0)).work_once()
    said = str(queue.job(second).failure)  # type: ignore[union-attr]
    assert "nobody foresaw" in said
    assert "secret detail" not in said
    assert "secret detail" in caplog.text


class StopsMidway(LevelEngine):
    """Does something in the middle of a job, before its fourth game."""

    def __init__(self, what: Callable[[], None]) -> None:
        super().__init__()
        self.what = what

    def submit(self, sequence):  # type: ignore[no-untyped-def]
        if len(self.asked) == 3:
            self.what()
        super().submit(sequence)


def test_a_job_that_is_cancelled_midway_keeps_what_was_computed(
    file_store: Store, clock: Clock
) -> None:
    queue = queue_of(file_store, clock)
    job_id = submitted(queue)

    def cancel() -> None:
        queue.cancel(job_id)
        threading.Event().wait(0.2)

    engine = StopsMidway(cancel)
    assert worker_of(queue, file_store, engine, Games(8)).work_once()
    assert queue.job(job_id).state == "cancelled"  # type: ignore[union-attr]
    again = submitted(queue)
    later = LevelEngine()
    worker_of(queue, file_store, later, Games(8)).work_once()
    assert queue.job(again).state == "done"  # type: ignore[union-attr]
    assert len(later.asked) < 8, "nothing is computed twice"


def test_a_job_that_takes_too_long_is_stopped(file_store: Store, clock: Clock) -> None:
    queue = queue_of(file_store, clock, seconds=0.1)
    job_id = submitted(queue)
    engine = StopsMidway(lambda: threading.Event().wait(0.4) and None)
    worker_of(queue, file_store, engine, Games(8)).work_once()
    job = queue.job(job_id)
    assert job is not None
    assert job.state == "failed"
    assert "longer than" in str(job.failure)


def test_a_worker_that_is_stopped_puts_its_job_back(file_store: Store, clock: Clock) -> None:
    queue = queue_of(file_store, clock)
    job_id = submitted(queue)
    with pytest.raises(KeyboardInterrupt):
        worker_of(queue, file_store, LevelEngine(stop_after=3), Games(8)).work_once()
    assert queue.job(job_id).state == "queued"  # type: ignore[union-attr]


def test_a_wait_for_lichess_ends_when_the_job_is_stopped() -> None:
    watch = JobWatch(JobProgress(), clock=lambda: 0.0)
    threading.Timer(0.05, watch.stop, args=("cancelled",)).start()
    with pytest.raises(JobStopped):
        watch.sleep(60)


def test_time_left_is_told_at_the_pace_of_finished_games() -> None:
    now = 0.0
    watch = JobWatch(JobProgress(), clock=lambda: now)
    watch.begin("Evaluating games", None)
    watch.begin("Evaluating games", 10)
    (stage,) = watch.snapshot().stages
    assert stage.seconds_left is None
    now = 8.0
    watch.advance("Evaluating games", 4)
    now = 9.0
    (stage,) = watch.snapshot().stages
    assert (stage.done, stage.total, stage.seconds_left) == (4, 10, 12.0)


def test_whose_games_they_are_is_asked_where_nothing_tells() -> None:
    ann_and_bob = [game_from_export(random_export_game(n), where="a test") for n in range(2)]
    with pytest.raises(InputError, match="name the one you mean"):
        most_frequent_player(ann_and_bob)
    with pytest.raises(NoGames, match="your file, line 3: no moves"):
        most_frequent_player([SetAside(where="your file, line 3", reason="no moves")])
    other = game_from_export(random_export_game(9, black="Other"), where="a test")
    games: list[Game | SetAside] = [*ann_and_bob, other]
    assert most_frequent_player(games) == "Quillfeather"


def test_a_file_that_is_gone_is_said_to_be_gone(file_store: Store) -> None:
    workshop = replace(made_workshop(file_store), open_human_model=MadeHumans)
    watch = JobWatch(JobProgress(), clock=lambda: 0.0)
    with pytest.raises(InputError, match="hand them in again"):
        make_report(UPLOAD, None, source=Games(0), workshop=workshop, watch=watch, at_most_games=9)
