"""Fetching only what is missing: whatever is cut, every game is there once in the end."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import pairwise
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
from hypothesis import given
from hypothesis import strategies as st
from made_games import export_games

from config.errors import LichessUnreachable, RateLimited
from pipeline.arrivals import Arrivals
from pipeline.fetch.lichess import Lichess
from pipeline.fetch.session import lichess_session
from pipeline.fetched import Fetched, LeftOut, judged
from pipeline.progress import Silent
from pipeline.records import Game, GamePlayer
from pipeline.selection import Selection
from pipeline.spans import Span, gaps, merged, newest_part
from pipeline.store import Store
from pipeline.sync import sync
from pipeline.waiting import StoredWaits

pytest_plugins = ["postgresql_server"]

NOW = datetime(2026, 6, 1, tzinfo=UTC)

spans = st.builds(Span, st.integers(0, 40), st.integers(0, 40))


def moments(*of: Span) -> set[int]:
    return {ms for span in of for ms in range(span.oldest_ms, span.newest_ms + 1)}


@given(st.lists(spans))
def test_merged_spans_cover_the_same_moments_and_do_not_touch(given_spans: list[Span]) -> None:
    found = merged(given_spans)
    assert moments(*found) == moments(*given_spans)
    assert all(a.newest_ms + 1 < b.oldest_ms for a, b in pairwise(found))


@given(spans, st.lists(spans))
def test_gaps_are_what_is_not_covered_newest_first(window: Span, covered: list[Span]) -> None:
    found = gaps(window, covered)
    assert moments(*found) == moments(window) - moments(*covered)
    assert list(found) == sorted(found, reverse=True)


@given(spans.filter(bool), st.integers(1, 20), st.integers(0, 40))
def test_a_window_is_the_newest_part_and_nothing_is_left_below_the_floor(
    span: Span, width_ms: int, floor_ms: int
) -> None:
    part = newest_part(span, width_ms=width_ms, floor_ms=floor_ms)
    rest = moments(span) - moments(part)
    assert part and part.newest_ms == span.newest_ms
    assert not rest or len(moments(part)) == width_ms
    assert not rest or part.oldest_ms > floor_ms
    assert moments(part) <= moments(span)


def game_of(record: Mapping[str, object]) -> Game:
    """`sync` looks at nothing but the id."""
    sides = {"white": GamePlayer(name="Ann"), "black": GamePlayer(computer_level=3)}
    return Game(
        id=str(record["id"]),
        variant="standard",
        speed=str(record["speed"]),
        rated=True,
        created_at=NOW,
        winner=None,
        **sides,
    )


class Source:
    """Lichess as `sync` sees it: games newest first, cut where a test wants it."""

    def __init__(self, games: int) -> None:
        self.records: list[dict[str, object]] = []
        for day in range(games):
            self.add(NOW - timedelta(days=games - day - 0.5), "rapid" if day % 2 else "blitz")
        self.sent: list[str] = []
        self.asked: list[tuple[datetime | None, datetime | None]] = []
        self.cut_after: int | None = None

    def add(self, created_at: datetime, speed: str = "blitz") -> None:
        user = {"user": {"name": "Ann", "id": "ann"}}
        record: dict[str, object] = {
            "id": f"game{len(self.records):04}",
            "createdAt": round(created_at.timestamp() * 1000),
            "speed": speed,
            "players": {"white": user, "black": {"aiLevel": 3}},
        }
        self.records.append(record)

    def games(
        self, username: str, *, since: datetime | None, until: datetime | None
    ) -> Iterator[dict[str, object]]:
        self.asked.append((since, until))
        low = since.timestamp() * 1000 if since else 0
        high = until.timestamp() * 1000 if until else float("inf")
        found = [r for r in self.records if low <= int(str(r["createdAt"])) <= high]
        for record in sorted(found, key=lambda r: -int(str(r["createdAt"]))):
            if self.cut_after is not None:
                if self.cut_after == 0:
                    raise ConnectionError("cut")
                self.cut_after -= 1
            self.sent.append(str(record.get("id")))
            yield record


def fetch(
    source: Source,
    store: Store,
    *,
    last: int = 0,
    since: datetime | None = None,
    until: datetime | None = None,
    speed: str | None = None,
    now: datetime = NOW,
    **more: Any,
) -> None:
    arriving = sync(
        "Ann",
        source=source,
        store=store,
        wanted=lambda record: game_of(record) if speed in (None, record["speed"]) else None,
        last=last,
        since=since,
        until=until,
        now=now,
        progress=Silent(),
        **more,
    )
    for _ in arriving:
        pass


def kept(store: Store) -> list[str]:
    return sorted(json.loads(record)["id"] for record in store.games_of("ann"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "store.sqlite") as store:
        yield store


def test_the_second_time_only_the_last_day_is_asked_for_again(store: Store) -> None:
    source = Source(games=60)
    fetch(source, store)
    assert len(kept(store)) == 60
    source.sent.clear()
    fetch(source, store)
    assert source.sent == ["game0059"]


def test_games_played_since_are_added(store: Store) -> None:
    source = Source(games=60)
    fetch(source, store)
    source.sent.clear()
    source.add(NOW + timedelta(days=3))
    fetch(source, store, now=NOW + timedelta(days=4))
    assert source.sent == ["game0060", "game0059"]
    assert len(kept(store)) == 61


def test_a_game_that_was_still_being_played_at_the_last_fetch_is_found(store: Store) -> None:
    source = Source(games=5)
    fetch(source, store)
    source.add(NOW - timedelta(hours=1))
    fetch(source, store, now=NOW + timedelta(hours=1))
    assert "game0005" in kept(store)


def test_it_stops_when_enough_wanted_games_are_there(store: Store) -> None:
    source = Source(games=60)
    fetch(source, store, last=10, speed="rapid")
    assert len(source.sent) == 19
    source.sent.clear()
    fetch(source, store, last=10, speed="rapid")
    assert source.sent == ["game0059"]
    source.sent.clear()
    fetch(source, store, last=15, speed="rapid")
    assert len(source.sent) == 12
    assert len(kept(store)) == 29


@pytest.mark.parametrize("cut_after", [0, 1, 24, 25, 26, 59])
def test_a_cut_keeps_what_arrived_and_the_next_run_continues(store: Store, cut_after: int) -> None:
    source = Source(games=60)
    source.cut_after = cut_after
    with pytest.raises(ConnectionError):
        fetch(source, store)
    assert len(kept(store)) == cut_after
    source.cut_after = None
    source.sent.clear()
    fetch(source, store)
    assert len(kept(store)) == 60
    # The oldest that arrived and the last day come twice, nothing else.
    assert len(source.sent) <= 60 - cut_after + 2


def test_a_cut_between_two_fetched_stretches_leaves_no_hole(store: Store) -> None:
    source = Source(games=10)
    fetch(source, store)
    for day in range(1, 81):
        source.add(NOW + timedelta(days=day))
    source.cut_after = 30
    later = NOW + timedelta(days=81)
    with pytest.raises(ConnectionError):
        fetch(source, store, now=later)
    source.cut_after = None
    source.sent.clear()
    fetch(source, store, now=later)
    assert len(kept(store)) == 90
    assert len(source.sent) <= 53


def test_games_that_began_in_the_same_millisecond_are_all_fetched(store: Store) -> None:
    source = Source(games=0)
    for _ in range(60):
        source.add(NOW - timedelta(days=5))
    source.cut_after = 30
    with pytest.raises(ConnectionError):
        fetch(source, store)
    source.cut_after = None
    fetch(source, store)
    assert len(kept(store)) == 60


def test_a_record_without_an_id_or_a_time_is_said_and_the_rest_is_kept(store: Store) -> None:
    source = Source(games=3)
    del source.records[1]["id"]
    said: list[str] = []

    class Heard(Silent):
        def say(self, sentence: str) -> None:
            said.append(sentence)

    arriving = sync(
        "Ann",
        source=source,
        store=store,
        wanted=game_of,
        last=0,
        since=None,
        until=None,
        now=NOW,
        progress=Heard(),
    )
    assert [game.id for game in arriving] == ["game0002", "game0000"]
    assert kept(store) == ["game0000", "game0002"]
    assert len(said) == 1 and "no id or no time" in said[0]


def test_only_the_window_that_was_asked_for_is_fetched(store: Store) -> None:
    source = Source(games=60)
    since, until = NOW - timedelta(days=30), NOW - timedelta(days=20)
    fetch(source, store, since=since, until=until)
    assert len(kept(store)) == 10
    source.sent.clear()
    fetch(source, store, since=since, until=until)
    assert source.sent == []
    fetch(source, store)
    assert len(kept(store)) == 60
    assert len(source.sent) == 50


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 12)), max_size=5))
def test_whatever_was_asked_for_before_everything_is_there_in_the_end(
    tmp_path_factory: pytest.TempPathFactory, asked: list[tuple[int, int, int]]
) -> None:
    source = Source(games=40)
    with Store(tmp_path_factory.mktemp("store") / "store.sqlite") as store:
        for start, end, last in asked:
            oldest, newest = NOW - timedelta(days=max(start, end)), NOW - timedelta(min(start, end))
            fetch(source, store, since=oldest, until=newest, last=last)
        fetch(source, store)
        assert len(kept(store)) == 40


# --- windows ---------------------------------------------------------------------------------

BEGAN = NOW - timedelta(days=2000)


def test_history_is_fetched_in_windows_newest_first_and_whole(store: Store) -> None:
    source = Source(games=1500)
    fetch(source, store, began=BEGAN)
    assert len(kept(store)) == 1500
    assert len(source.sent) == len(set(source.sent))
    starts = [since for since, _ in source.asked]
    assert 3 <= len(starts) < 10
    assert starts[-1] is None and starts[:-1] == sorted(filter(None, starts), reverse=True)


def test_an_account_that_was_never_used_costs_few_requests(store: Store) -> None:
    source = Source(games=0)
    fetch(source, store, began=BEGAN)
    assert len(source.asked) < 10


def test_what_came_since_the_last_fetch_is_one_request(store: Store) -> None:
    source = Source(games=400)
    fetch(source, store, began=BEGAN)
    source.asked.clear()
    fetch(source, store, began=BEGAN, now=NOW + timedelta(days=90))
    assert len(source.asked) == 1


def test_a_window_that_came_whole_is_not_asked_for_again_whatever_its_order(
    store: Store,
) -> None:
    class Shuffled(Source):
        def games(self, username: str, **between: Any) -> Iterator[dict[str, object]]:
            records = list(super().games(username, **between))
            self.sent.clear()
            for record in random.Random(1).sample(records, len(records)):
                if self.cut_after is not None:
                    self.cut_after -= 1
                    if self.cut_after < 0:
                        raise ConnectionError("cut")
                self.sent.append(str(record["id"]))
                yield record

    source = Shuffled(games=300)
    fetch(source, store, since=NOW - timedelta(days=100))
    source.cut_after = 250
    with pytest.raises(ConnectionError):
        fetch(source, store, began=BEGAN)
    source.cut_after = None
    fetch(source, store, began=BEGAN)
    assert len(kept(store)) == 300


@given(
    cuts=st.lists(st.integers(0, 120), max_size=4),
    windows=st.booleans(),
    later=st.lists(st.integers(0, 5), max_size=3),
)
def test_however_often_it_is_cut_all_are_there_once_in_the_end(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int], windows: bool, later: list[int]
) -> None:
    source = Source(games=120)
    now = NOW
    with Store(tmp_path_factory.mktemp("store") / "store.sqlite") as store:
        for cut in cuts:
            source.cut_after = cut
            with suppress(ConnectionError):
                fetch(source, store, now=now, began=BEGAN if windows else None)
            for days in later:
                source.add(now + timedelta(days=days))
            now += timedelta(days=6)
        source.cut_after = None
        fetch(source, store, now=now, began=BEGAN if windows else None)
        assert kept(store) == sorted(str(record["id"]) for record in source.records)


# --- the clock -------------------------------------------------------------------------------


@pytest.mark.parametrize("began", [None, BEGAN], ids=["at once", "in windows"])
@pytest.mark.parametrize("games", [0, 60])
def test_nothing_is_lost_after_a_clock_that_was_years_ahead(
    store: Store, games: int, began: datetime | None
) -> None:
    source = Source(games=games)
    fetch(source, store, now=NOW + timedelta(days=800), began=began)
    source.add(NOW + timedelta(days=1))
    fetch(source, store, now=NOW + timedelta(days=2), began=began)
    assert len(kept(store)) == games + 1
    source.add(NOW + timedelta(days=3))
    fetch(source, store, now=NOW + timedelta(days=900), began=began)
    assert len(kept(store)) == games + 2


def test_what_is_noted_of_the_future_is_not_believed(store: Store) -> None:
    source = Source(games=10)
    fetch(source, store)
    future = round((NOW + timedelta(days=500)).timestamp() * 1000)
    store.add_fetched_span("ann", Span(0, future))
    source.add(NOW + timedelta(days=1))
    fetch(source, store, now=NOW + timedelta(days=2))
    assert len(kept(store)) == 11


def test_nothing_is_lost_with_a_clock_that_was_set_back(store: Store) -> None:
    source = Source(games=60)
    fetch(source, store)
    fetch(source, store, now=NOW - timedelta(days=400))
    source.add(NOW + timedelta(days=1))
    fetch(source, store, now=NOW + timedelta(days=2))
    assert len(kept(store)) == 61


def test_a_game_that_took_weeks_is_found_where_such_games_are_waited_for(store: Store) -> None:
    source = Source(games=60)
    fetch(source, store)
    source.add(NOW - timedelta(days=20), "correspondence")
    later = NOW + timedelta(days=1)
    fetch(source, store, now=later)
    assert len(kept(store)) == 60
    fetch(source, store, now=later, still_played=timedelta(days=28))
    assert len(kept(store)) == 61


# --- several at once -------------------------------------------------------------------------


def test_two_syncs_of_one_player_lose_nothing_of_each_other(store_url: Path | str) -> None:
    source = Source(games=100)
    middle = NOW - timedelta(days=50)

    def arriving(store: Store, since: datetime | None, until: datetime | None) -> Iterator[Game]:
        return sync(
            "Ann",
            source=source,
            store=store,
            wanted=game_of,
            last=0,
            since=since,
            until=until,
            now=NOW,
            progress=Silent(),
        )

    with Store(store_url) as one, Store(store_url) as two:
        older, newer = arriving(one, None, middle), arriving(two, middle, None)
        for _ in zip(older, newer, strict=False):
            pass
        assert [*older, *newer] == []
        source.sent.clear()
        fetch(source, one)
        assert source.sent == ["game0099"]
        assert len(kept(one)) == 100


def test_spans_that_several_note_at_once_are_all_noted(store_url: Path | str) -> None:
    with Store(store_url):
        pass

    def note(first: int) -> None:
        with Store(store_url) as store:
            for n in range(first, 200, 4):
                store.add_fetched_span("ann", Span(n, n))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(note, range(4)))
    with Store(store_url) as store:
        assert store.fetched_spans("ann") == (Span(0, 199),)
        store.add_fetched_span("ann", Span(300, 250))
        store.add_fetched_span("ann", Span(300, 310))
        assert store.fetched_spans("ann") == (Span(0, 199), Span(300, 310))


# --- a Lichess that fails, over HTTP ---------------------------------------------------------

NAME = "Quillfeather"
GAMES = export_games(40)
IDS = sorted(game["id"] for game in GAMES)
SELECTION = Selection(player=NAME, speeds=("blitz",))


class Run:
    """One start of movelo: what it waited, said and counted."""

    def __init__(self, base_url: str, store: Store, *, clock: "Clock | None" = None) -> None:
        self.clock = clock or Clock()
        self.store = store
        self.said: list[str] = []
        self.fetched = Fetched(player=NAME)
        self.yielded: list[str] = []
        self.session = lichess_session(
            token=None,
            user_agent="movelo-tests (nobody@example.org)",
            connect_timeout_seconds=2,
            read_timeout_seconds=0.3,
        )
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
