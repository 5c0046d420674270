"""Fetching only what is missing: whatever is cut, every game is there once in the end."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.progress import Silent
from pipeline.records import Game, GamePlayer
from pipeline.spans import Span, gaps, merged
from pipeline.store import Store
from pipeline.sync import sync

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
