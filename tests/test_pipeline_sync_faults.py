"""A Lichess that fails, over HTTP: every game is there once in the end, and waits are kept."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fake_lichess import (
    Answer,
    Changed,
    Cut,
    CutInsideCharacter,
    Drip,
    EndedInsideLine,
    FakeLichess,
    Fault,
    Gzipped,
    HangUp,
    Stall,
    StallForEver,
    bad_gateway,
    error_object,
    html_page,
    too_many_requests,
)
from made_games import export_games
from made_session import impatient_session
from made_store import made_store

from config.errors import LichessUnreachable, RateLimited
from pipeline.arrivals import Arrivals
from pipeline.fetch.lichess import Lichess
from pipeline.fetched import Fetched, LeftOut, judged
from pipeline.progress import Silent
from pipeline.records import Game
from pipeline.selection import Selection
from pipeline.store import Store
from pipeline.sync import sync
from pipeline.waiting import StoredWaits

pytest_plugins = ["postgresql_server"]

NAME = "Quillfeather"
GAMES = export_games(40)
IDS = sorted(game["id"] for game in GAMES)
SELECTION = Selection(player=NAME, speeds=("blitz",))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(made_store(tmp_path / "store.sqlite")) as store:
        yield store


class Run:
    """One start of movelo: what it waited, said and counted."""

    def __init__(self, base_url: str, store: Store, *, clock: "Clock | None" = None) -> None:
        self.clock = clock or Clock()
        self.store = store
        self.said: list[str] = []
        self.fetched = Fetched(player=NAME)
        self.yielded: list[str] = []
        self.session = impatient_session()
        self.lichess = Lichess(
            self.session,
            base_url=base_url,
            sleep=self.clock.sleep,
            on_notice=self.said.append,
            waits=StoredWaits(store, base_url, clock=self.clock),
        )

    def __call__(self) -> "Run":
        arrivals = Arrivals(look_at=lambda record: self.fetched.look_at(record, SELECTION))
        with closing(self.session):
            try:
                for game in self._arriving(arrivals):
                    self.yielded.append(game.id)
            finally:
                self.fetched.take(arrivals)
        return self

    def _arriving(self, arrivals: Arrivals) -> Iterator[Game]:
        def wanted(record: Mapping[str, object]) -> Game | None:
            found = judged(record, SELECTION)
            return None if isinstance(found, LeftOut) else found

        class Heard(Silent):
            say = self.said.append  # type: ignore[assignment]

        return sync(
            NAME,
            source=self.lichess,
            store=self.store,
            wanted=wanted,
            last=0,
            since=None,
            until=None,
            now=datetime(2023, 12, 1, tzinfo=UTC),
            progress=Heard(),
            began=datetime(2020, 1, 1, tzinfo=UTC),
            arrivals=arrivals,
        )


class Clock:
    """Seconds since 1970; whoever sleeps wakes up at once, later."""

    def __init__(self, now: float = 1.7e9) -> None:
        self.now = now
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def twice(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [game for game in games for _ in (0, 1)]


def shuffled(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return random.Random(3).sample(games, len(games))


def with_unknown_field(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [game | {"daring": {"level": 3}} for game in games]


def with_empty_evaluations(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [game | {"analysis": [{}, {"eval": 12}, {}]} for game in games]


def with_one_clock_more(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [game | {"clocks": [*game["clocks"], 77]} for game in games]


def without_a_rating(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    unrated = {"white": {"user": {"name": NAME, "id": NAME.lower()}}, "black": {"aiLevel": 2}}
    return [game | {"players": unrated} for game in games]


FAULTS: dict[str, list[Fault]] = {
    "cut after n bytes": [Cut(17_000)],
    "cut at once": [Cut(0)],
    "cut inside a character": [CutInsideCharacter()],
    "ended inside a line": [EndedInsideLine(17_000)],
    "hung up on": [HangUp()],
    "429 with a body": [Cut(9_000), too_many_requests()],
    "429 without a body": [too_many_requests(body=False)],
    "429 with Retry-After": [Cut(9_000), too_many_requests(retry_after="7")],
    "a page with status 200": [Cut(17_000), html_page()],
    "an error with status 200": [error_object("Too many requests. Try again later.")],
    "502": [Cut(17_000), bad_gateway()],
    "a stall, then data": [Stall(0.1, 9_000)],
    "a stall for ever": [StallForEver(17_000)],
    "games twice": [Changed(twice, then=Cut(30_000))],
    "games in the wrong order": [Changed(shuffled, then=Cut(17_000))],
    "games in the wrong order, twice": [Changed(shuffled, then=Cut(17_000))] * 2,
    "an unknown field": [Changed(with_unknown_field, then=Cut(17_000))],
    "empty evaluations": [Changed(with_empty_evaluations, then=Cut(17_000))],
    "one clock more": [Changed(with_one_clock_more, then=Cut(17_000))],
    "no rating": [Changed(without_a_rating, then=Cut(17_000))],
    "gzip": [Gzipped()],
    "gzip, cut": [Gzipped(cut_after_bytes=3_000)],
    "a slow drip": [Drip(9_000, 0.02)],
}


@pytest.fixture
def lichess(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLichess]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with FakeLichess() as server:
        server.add_player(NAME, GAMES)
        yield server


def stored_ids(store: Store) -> list[str]:
    """Both players': a fault may have taken one of them."""
    found = Counter(
        json.loads(record)["id"]
        for player in (NAME.lower(), "moorhenry", "tobermolly", "fennimore_7")
        for record in store.games_of(player)
    )
    return sorted(found)


@pytest.mark.parametrize("faults", FAULTS.values(), ids=FAULTS.keys())
def test_one_run_gets_over_a_fault_with_every_game_once(
    store: Store, lichess: FakeLichess, faults: list[Fault]
) -> None:
    lichess.faults.games += faults
    run = Run(lichess.base_url, store)()
    assert lichess.faults.games == []
    assert sorted(run.yielded) == IDS == stored_ids(store)
    assert (run.fetched.new, run.fetched.came_again) == (40, 0)
    assert lichess.most_at_once == 1
    assert all("\n" not in sentence and sentence.endswith(".") for sentence in run.said)


@pytest.mark.parametrize("faults", FAULTS.values(), ids=FAULTS.keys())
def test_what_came_before_lichess_failed_for_good_is_kept_and_the_next_run_completes(
    store: Store, lichess: FakeLichess, faults: list[Fault]
) -> None:
    lichess.faults.games += [*faults, *[bad_gateway()] * 40]
    first = Run(lichess.base_url, store)
    with pytest.raises(LichessUnreachable) as caught:
        first()
    assert "HTTP 502" in str(caught.value) and "\n" not in str(caught.value)
    assert sorted(first.yielded) == stored_ids(store)
    assert first.fetched.new == len(first.yielded)
    lichess.faults.games.clear()
    second = Run(lichess.base_url, store)()
    assert stored_ids(store) == IDS
    assert first.fetched.new + second.fetched.new == 40


def test_a_sync_that_is_always_cut_gets_further_each_time(
    store: Store, lichess: FakeLichess
) -> None:
    before = 0
    whole: list[Fault] = []
    while before < 40:
        lichess.faults.games[:] = [*whole, Cut(12_000), *[bad_gateway()] * 9]
        with pytest.raises(LichessUnreachable):
            Run(lichess.base_url, store)()
        assert len(stored_ids(store)) > before
        before = len(stored_ids(store))
        whole = [Changed(list)]  # what came since the last time is asked for first
    assert stored_ids(store) == IDS


def test_redirects_are_followed(store: Store, lichess: FakeLichess) -> None:
    with FakeLichess() as elsewhere:
        elsewhere.add_player(NAME, GAMES)
        target = f"{elsewhere.base_url}/api/games/user/{NAME}"
        lichess.faults.games += [Answer(307, headers=(("Location", target),))]
        run = Run(lichess.base_url, store)()
    assert sorted(run.yielded) == IDS == stored_ids(store)


def test_a_redirect_without_end_is_one_sentence(store: Store, lichess: FakeLichess) -> None:
    target = f"{lichess.base_url}/api/games/user/{NAME}"
    lichess.faults.games += [Answer(302, headers=(("Location", target),))] * 40
    run = Run(lichess.base_url, store)
    run.session.max_redirects = 3  # thirty, of their own accord
    with pytest.raises(LichessUnreachable) as caught:
        run()
    assert "\n" not in str(caught.value)
    lichess.faults.games.clear()
    assert sorted(Run(lichess.base_url, store)().yielded) == IDS


ODD: dict[str, tuple[dict[str, Any], set[str], LeftOut | None]] = {
    "no players at all": ({"players": None}, set(), LeftOut.UNREADABLE),
    "null players": ({"players": {"white": None, "black": None}}, set(), LeftOut.UNREADABLE),
    "no variant": ({}, {"variant"}, LeftOut.UNREADABLE),
    "no moves": ({"moves": ""}, {"clocks"}, LeftOut.TOO_SHORT),
    "aborted": ({"moves": "", "status": "aborted"}, {"clocks"}, LeftOut.ABORTED),
    "casual": ({"rated": False}, set(), LeftOut.CASUAL),
    "another speed": ({"speed": "bullet"}, set(), LeftOut.SPEED),
    "a variant": ({"variant": "atomic"}, set(), LeftOut.VARIANT),
    "no id": ({}, {"id"}, None),
    "no time": ({}, {"createdAt"}, None),
    "a time of no calendar": ({"createdAt": 10**30}, set(), None),
}


@pytest.mark.parametrize(("changes", "missing", "reason"), ODD.values(), ids=ODD.keys())
def test_an_odd_game_is_counted_by_its_reason_and_the_others_are_kept(
    store: Store,
    lichess: FakeLichess,
    changes: dict[str, Any],
    missing: set[str],
    reason: LeftOut | None,
) -> None:
    def odd(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
        changed = {k: v for k, v in (games[7] | changes).items() if k not in missing}
        return [*games[:7], changed, *games[8:]]

    lichess.faults.games += [Changed(odd)]
    run = Run(lichess.base_url, store)()
    others = sorted(game["id"] for game in [*GAMES[:7], *GAMES[8:]])
    assert sorted(run.yielded) == others
    assert set(others) <= set(stored_ids(store))
    assert run.fetched.wanted == 39
    assert run.fetched.left_out == ({} if reason is None else {reason: 1})
    assert run.fetched.nameless == (reason is None)
    assert run.fetched.new == (39 if reason is None else 40)
    assert len(run.said) == (reason is None)


def test_chess960_and_games_from_a_position_count(store: Store, lichess: FakeLichess) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    lichess.games_of[NAME.lower()] = [
        GAMES[0] | {"variant": "chess960", "perf": "chess960", "initialFen": fen},
        GAMES[1] | {"variant": "fromPosition", "initialFen": fen},
    ]
    run = Run(lichess.base_url, store)()
    assert len(run.yielded) == len(stored_ids(store)) == run.fetched.wanted == 2


# --- waits that Lichess asked for --------------------------------------------------------------


class KilledInItsSleep(Exception):
    pass


class MortalClock(Clock):
    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        raise KilledInItsSleep


def test_a_new_start_waits_for_the_rest_of_a_wait(
    store_url: Path | str, lichess: FakeLichess
) -> None:
    lichess.faults.games += [too_many_requests(retry_after="100")]
    with Store(store_url) as store, pytest.raises(KilledInItsSleep):
        Run(lichess.base_url, store, clock=MortalClock())()
    seen = len(lichess.seen)
    clock = Clock(1.7e9 + 30)
    with Store(store_url) as store:
        run = Run(lichess.base_url, store, clock=clock)
        arriving = run._arriving(Arrivals(look_at=lambda _: None))
        next(arriving)
        assert (clock.slept, len(lichess.seen)) == ([70], seen + 1)
        assert run.said == [
            "Lichess asked this machine to wait (429); going on in 70 seconds.",
        ]
        arriving.close()  # type: ignore[attr-defined]
        run.session.close()
        later = Clock(1.7e9 + 101)
        assert sorted(Run(lichess.base_url, store, clock=later)().yielded) == IDS
        assert later.slept == []


def test_a_wait_holds_for_another_process_too(store_url: Path | str, lichess: FakeLichess) -> None:
    lichess.faults.games += [too_many_requests()]
    with Store(store_url) as one, Store(store_url) as two:
        with pytest.raises(KilledInItsSleep):
            Run(lichess.base_url, one, clock=MortalClock())()
        run = Run(lichess.base_url, two)()
    assert run.clock.slept == [60]


def test_a_shorter_wait_does_not_end_a_longer_one(store_url: Path | str) -> None:
    with Store(store_url) as store:
        store.note_wait("here", now_ms=1_000, until_ms=90_000)
        store.note_wait("here", now_ms=2_000, until_ms=7_000)
        assert store.wait_ms("here", now_ms=3_000) == 87_000
        assert store.wait_ms("there", now_ms=3_000) == 0
        assert store.wait_ms("here", now_ms=90_000) == 0
        store.note_wait("here", now_ms=95_000, until_ms=96_000)
        assert store.wait_ms("here", now_ms=95_500) == 500


def test_a_clock_that_is_set_back_makes_no_wait_longer(store_url: Path | str) -> None:
    with Store(store_url) as store:
        store.note_wait("here", now_ms=10**12, until_ms=10**12 + 60_000)
        assert store.wait_ms("here", now_ms=5) == 60_000
        store.note_wait("here", now_ms=5, until_ms=1_005)
        assert store.wait_ms("here", now_ms=5) == 1_000


def test_a_wait_of_hours_is_said_again_without_asking(store: Store, lichess: FakeLichess) -> None:
    lichess.faults.games += [too_many_requests(retry_after="7200")]
    with pytest.raises(RateLimited):
        Run(lichess.base_url, store)()
    seen = len(lichess.seen)
    with pytest.raises(RateLimited, match=r"another 110 minutes.*later") as caught:
        Run(lichess.base_url, store, clock=Clock(1.7e9 + 600))()
    assert "\n" not in str(caught.value)
    assert len(lichess.seen) == seen
    run = Run(lichess.base_url, store, clock=Clock(1.7e9 + 7201))()
    assert sorted(run.yielded) == IDS
