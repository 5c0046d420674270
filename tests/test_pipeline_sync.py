"""Fetching only what is missing: whatever is cut, every game is there once in the end."""

import json
import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_store import made_store

from pipeline.progress import Silent
from pipeline.records import Game, GamePlayer
from pipeline.spans import Span
from pipeline.store import Store
from pipeline.sync import sync

pytest_plugins = ["postgresql_server"]

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def game_of(record: Mapping[str, object]) -> Game:
    """`sync` looks at nothing but the id."""
    return Game(
        id=str(record["id"]),
        variant="standard",
        speed=str(record["speed"]),
        rated=True,
        created_at=NOW,
        winner=None,
        white=GamePlayer(name="Ann"),
        black=GamePlayer(computer_level=3),
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
    with Store(made_store(tmp_path_factory.mktemp("store") / "store.sqlite")) as store:
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
    with Store(made_store(tmp_path_factory.mktemp("store") / "store.sqlite")) as store:
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
