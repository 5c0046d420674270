"""From Lichess into the store: only what is missing, newest first, as far back as is needed."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Generator, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeAlias

from pipeline.progress import Progress
from pipeline.records import Game
from pipeline.spans import Span, gaps, merged
from pipeline.store import Store, StoredGame

Record: TypeAlias = Mapping[str, object]
Wanted: TypeAlias = Callable[[Record], Game | None]
"""The game in a record that is asked for; None for one that is not, or cannot be read."""

FETCHING = "Fetching games"

_BATCH_GAMES = 25

# Lichess filters by the time a game began. One that was still being played at the last fetch
# lies before others that were kept then, so the last day is always asked for again.
_STILL_PLAYED = timedelta(days=1)

_log = logging.getLogger(__name__)


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
) -> Generator[Game, None, None]:
    """Fetch what the store lacks between `since` and `until` (both inclusive, UTC).

    Yields the wanted games as they arrive. With `last` above 0 it stops as soon as so many games
    that are `wanted` are there. What arrived is kept whatever happens then, and is not asked for
    again.
    """
    player_id = username.casefold()
    window = Span(_ms(since) if since else 0, _ms(until) if until else _ms(now))
    progress.begin(FETCHING, last or None)
    for gap in gaps(window, store.fetched_spans(player_id)):
        # The game at the very edge of the gap is kept already, and comes once more.
        above = Span(gap.newest_ms, window.newest_ms)
        counted = _kept_ids(player_id, store, wanted, above) if last else set()
        if last and len(counted) >= last:
            return
        yield from _fill(username, gap, source, store, wanted, last, counted, now, progress)


def _kept_ids(player_id: str, store: Store, wanted: Wanted, span: Span) -> set[str]:
    kept = store.games_of(player_id, since_ms=span.oldest_ms, until_ms=span.newest_ms)
    records = map(json.loads, kept)
    return {record["id"] for record in records if wanted(record)}


def _fill(
    username: str,
    gap: Span,
    source: GameSource,
    store: Store,
    wanted: Wanted,
    last: int,
    counted: set[str],
    now: datetime,
    progress: Progress,
) -> Generator[Game, None, None]:
    batch: list[StoredGame] = []
    complete = False
    try:
        # A millisecond more at each end: nobody says whether Lichess's own ends are included.
        since, until = _time(gap.oldest_ms - 1), _time(gap.newest_ms + 1)
        for record in source.games(username, since=since, until=until):
            stored = _stored(record)
            if stored is None:
                progress.say(
                    f"A game from Lichess was left out: no id or no time in {str(record)[:80]}."
                )
                continue
            batch.append(stored)
            if (game := wanted(record)) is not None:
                counted.add(game.id)
                progress.advance(FETCHING)
                yield game
            if last and len(counted) >= last:
                return
            if len(batch) >= _BATCH_GAMES:
                _keep(username, batch, gap, store, now)
                batch.clear()
        complete = True
    finally:
        _keep(username, batch, gap, store, now)
        if complete:
            _cover(username, gap, store, now)


def _keep(username: str, batch: list[StoredGame], gap: Span, store: Store, now: datetime) -> None:
    if not batch:
        return
    store.add_games(batch)
    # Others may have begun in the same millisecond as the oldest, so that one is still open.
    oldest_ms = min(game.created_at_ms for game in batch) + 1
    _cover(username, Span(max(oldest_ms, gap.oldest_ms), gap.newest_ms), store, now)


def _cover(username: str, span: Span, store: Store, now: datetime) -> None:
    settled = Span(span.oldest_ms, min(span.newest_ms, _ms(now - _STILL_PLAYED)))
    player_id = username.casefold()
    store.set_fetched_spans(player_id, merged([*store.fetched_spans(player_id), settled]))


def _stored(record: Record) -> StoredGame | None:
    game_id, created_at = record.get("id"), record.get("createdAt")
    if not isinstance(game_id, str) or not isinstance(created_at, int):
        return None
    return StoredGame(
        id=game_id,
        created_at_ms=created_at,
        white_id=_player_id(record, "white"),
        black_id=_player_id(record, "black"),
        record_json=json.dumps(record, ensure_ascii=False, separators=(",", ":")),
    )


def _player_id(record: Record, color: str) -> str | None:
    node: object = record
    for key in ("players", color, "user", "name"):
        node = node.get(key) if isinstance(node, Mapping) else None
    return node.casefold() if isinstance(node, str) else None


def _ms(time: datetime) -> int:
    return round(time.timestamp() * 1000)


def _time(ms: int) -> datetime | None:
    return datetime.fromtimestamp(ms / 1000, tz=UTC) if ms > 0 else None
