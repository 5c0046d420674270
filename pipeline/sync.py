"""From Lichess into the store: only what is missing, newest first, as far back as is needed."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeAlias

from config.language import _, english
from pipeline.arrivals import Arrivals, NewestFirst
from pipeline.epoch import epoch_ms
from pipeline.progress import Progress
from pipeline.records import Game
from pipeline.spans import Span, gaps, newest_part
from pipeline.store import Store, StoredGame

Record: TypeAlias = Mapping[str, object]
Wanted: TypeAlias = Callable[[Record], Game | None]
"""The game in a record that is asked for; None for one that is not, or cannot be read."""

FETCHING = english("Fetching games")

STILL_PLAYED = timedelta(days=1)
"""Lichess filters by the time a game began. One that was still being played at the last fetch
lies before others that were kept then, so the last day is always asked for again."""

_BATCH_GAMES = 25

# The first window of a history, and of what came since the last fetch. Each is wider than the
# one before it if that had few games, and half as wide if it had many.
_FIRST_WINDOW_MS = 30 * 24 * 60 * 60 * 1000
_FIRST_WINDOW_SINCE_MS = _WIDEST_WINDOW_MS = 12 * _FIRST_WINDOW_MS
_FEW_GAMES, _MANY_GAMES = 1_500, 6_000

_LAST_TIME_MS = 253_402_300_799_999  # the end of the year 9999, as far as datetime goes


class GameSource(Protocol):
    """What the Lichess client is to this stage."""

    def games(
        self, username: str, *, since: datetime | None, until: datetime | None
    ) -> Iterator[dict[str, object]]:
        """Export records, newest first."""
        ...


def sync(
    username: str,
    *,
    source: GameSource,
    store: Store,
    wanted: Wanted,
    last: int,
    since: datetime | None,
    until: datetime | None,
    now: datetime,
    progress: Progress,
    still_played: timedelta = STILL_PLAYED,
    began: datetime | None = None,
    arrivals: Arrivals | None = None,
) -> Generator[Game, None, None]:
    """Fetch what the store lacks between `since` and `until` (both inclusive, UTC).

    Yields the wanted games as they arrive. With `last` above 0 it stops as soon as so many games
    that are `wanted` are there. What arrived is kept whatever happens then, and is not asked for
    again. With `began` (when the account was made) history is asked for in windows, newest first.
    `arrivals` counts all that comes.
    """
    window = Span(epoch_ms(since) if since else 0, epoch_ms(until) if until else epoch_ms(now))
    settled_ms = epoch_ms(now - still_played)
    player_id = username.casefold()
    fetch = _Fetch(
        username=username,
        player_id=player_id,
        source=source,
        store=store,
        wanted=wanted,
        last=last,
        progress=progress,
        settled_ms=settled_ms,
        # What is noted of a future is of a clock that was ahead then.
        is_open=window.newest_ms > settled_ms,
        newest_ms=store.newest_game_ms(player_id) or 0,
        began_ms=None if began is None else epoch_ms(began),
        arrivals=arrivals,
    )
    progress.begin(FETCHING, last or None)
    covered = [
        Span(span.oldest_ms, min(span.newest_ms, settled_ms))
        for span in store.fetched_spans(player_id)
    ]
    for gap in gaps(window, covered):
        # The game at the very edge of the gap is kept already, and comes once more.
        above = Span(gap.newest_ms, window.newest_ms)
        fetch.counted = _kept_ids(player_id, store, wanted, above) if last else set()
        if fetch.has_enough():
            break
        yield from fetch.fill(gap)
    progress.begin(FETCHING, fetch.fetched)  # an account may have fewer than were asked for


def _kept_ids(player_id: str, store: Store, wanted: Wanted, span: Span) -> set[str]:
    kept = store.games_of(player_id, since_ms=span.oldest_ms, until_ms=span.newest_ms)
    records = map(json.loads, kept)
    return {record["id"] for record in records if wanted(record)}


@dataclass(slots=True, kw_only=True)
class _Fetch:
    """One player's fetch as it goes; times are in milliseconds.

    `is_open`: the end of what is asked for is the present. How far that has come, no game can
    be before it says; `newest_ms` is the newest that did.
    """

    username: str
    player_id: str
    source: GameSource
    store: Store
    wanted: Wanted
    last: int
    progress: Progress
    settled_ms: int
    is_open: bool
    newest_ms: int
    began_ms: int | None
    arrivals: Arrivals | None
    counted: set[str] = field(default_factory=set)
    fetched: int = 0

    def has_enough(self) -> bool:
        """Whether as many wanted games are there as are asked for."""
        return bool(self.last) and len(self.counted) >= self.last

    def fill(self, gap: Span) -> Generator[Game, None, None]:
        """Ask for a stretch of time, in windows where history is long."""
        began_ms = gap.newest_ms if self.began_ms is None else self.began_ms
        width_ms = _FIRST_WINDOW_MS if gap.oldest_ms <= began_ms else _FIRST_WINDOW_SINCE_MS
        while gap and not self.has_enough():
            window = newest_part(gap, width_ms=width_ms, floor_ms=began_ms)
            games = yield from self._fill_window(window)
            width_ms = _next_width(width_ms, games)
            gap = Span(gap.oldest_ms, window.oldest_ms - 1)

    def _fill_window(self, window: Span) -> Generator[Game, None, int]:
        """How many games came, in the end."""
        batch: list[StoredGame] = []
        came = NewestFirst(window)
        complete = False
        # A millisecond more at each end: nobody says whether Lichess's own ends are included.
        since, until = _time(window.oldest_ms - 1), _time(window.newest_ms + 1)
        try:
            for record in self.source.games(self.username, since=since, until=until):
                if (stored := self._stored(record)) is None:
                    continue
                batch.append(stored)
                if stored.created_at_ms in window:
                    came.came(stored.created_at_ms)
                    if (game := self._wanted(record)) is not None:
                        yield game
                if self.has_enough():
                    return came.games
                if len(batch) >= _BATCH_GAMES:
                    self._keep(batch, window, came)
                    batch = []
            complete = True
        finally:
            self._keep(batch, window, came)
            if complete:
                self._cover(window)
        return came.games

    def _wanted(self, record: Record) -> Game | None:
        game = self.wanted(record)
        if self.arrivals is not None:
            self.arrivals.look_at(record)
        if game is not None:
            self.progress.advance(FETCHING)
            self.fetched += 1
            if self.last:
                self.counted.add(game.id)
        return game

    def _keep(self, batch: list[StoredGame], window: Span, came: NewestFirst) -> None:
        if not batch:
            return
        if self.arrivals is not None:
            self._count(batch, window, self.arrivals)
        self.store.add_games(batch)
        self.newest_ms = max(self.newest_ms, *(game.created_at_ms for game in batch))
        if (part := came.complete_part()) is not None:
            self._cover(part)

    def _count(self, batch: list[StoredGame], window: Span, arrivals: Arrivals) -> None:
        # What lies at the edges of two windows is counted in its own.
        ids = {game.id for game in batch if game.created_at_ms in window}
        known = len(self.store.kept_ids(ids))
        arrivals.known += known
        arrivals.new += len(ids) - known

    def _cover(self, span: Span) -> None:
        # A clock may be ahead: a present without games may still be to come.
        newest_ms = min(self.settled_ms, self.newest_ms) if self.is_open else self.settled_ms
        settled = Span(span.oldest_ms, min(span.newest_ms, newest_ms))
        self.store.add_fetched_span(self.player_id, settled)

    def _stored(self, record: Record) -> StoredGame | None:
        game_id, created_at = record.get("id"), record.get("createdAt")
        if (
            isinstance(game_id, str)
            and isinstance(created_at, int)
            and 0 <= created_at <= _LAST_TIME_MS
        ):
            return StoredGame(
                id=game_id,
                created_at_ms=created_at,
                white_id=_player_id(record, "white"),
                black_id=_player_id(record, "black"),
                record_json=json.dumps(record, ensure_ascii=False, separators=(",", ":")),
            )
        if self.arrivals is not None:
            self.arrivals.nameless += 1
        self.progress.say(
            _("A game from Lichess was left out: no id or no time in {record}.").format(
                record=str(record)[:80]
            )
        )
        return None


def _next_width(width_ms: int, games: int) -> int:
    if games < _FEW_GAMES:
        wider_ms = width_ms * (4 if games < _FEW_GAMES // 4 else 2)
        return min(wider_ms, _WIDEST_WINDOW_MS)
    return max(width_ms // 2, 1) if games > _MANY_GAMES else width_ms


def _player_id(record: Record, color: str) -> str | None:
    node: object = record
    for key in ("players", color, "user", "name"):
        node = node.get(key) if isinstance(node, Mapping) else None
    return node.casefold() if isinstance(node, str) else None


def _time(ms: int) -> datetime | None:
    return datetime.fromtimestamp(ms / 1000, tz=UTC) if ms > 0 else None
