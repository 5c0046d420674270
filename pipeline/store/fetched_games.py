"""The games of the store, how far fetching them got, and whom not to ask for a while."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import sqlalchemy as sa

from pipeline.spans import Span
from pipeline.store import tables
from pipeline.store.database import Database, Row
from pipeline.store.fetching import add_span, note_wait, wait_ms

_GAMES_A_TRANSACTION = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame:
    """A game as Lichess exported it; player ids are lower-case names, None for nobody."""

    id: str
    created_at_ms: int
    white_id: str | None
    black_id: str | None
    record_json: str


class FetchedGames:
    """A part of the `Store`. Times are in milliseconds since 1970; player ids are lower-case."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_games(self, games: Iterable[StoredGame]) -> None:
        """Keep these games; one that is there already is replaced by what came now.

        A thousand at a time: what was kept before a failure stays.
        """
        coming = iter(games)
        while batch := list(islice(coming, _GAMES_A_TRANSACTION)):
            self._database.put(tables.games, map(_game_row, batch))

    def games_of(
        self, player_id: str, *, since_ms: int | None = None, until_ms: int | None = None
    ) -> Iterator[str]:
        """The export records (JSON) of a player's games, newest first, within inclusive times."""
        game = tables.games.c
        times: list[sa.ColumnElement[bool]] = []
        if since_ms is not None:
            times.append(game.created_at_ms >= since_ms)
        if until_ms is not None:
            times.append(game.created_at_ms <= until_ms)
        # Each half has an index in this order: the first game comes at once, from a file.
        columns = (game.record_json, game.created_at_ms, game.id)
        as_white = sa.select(*columns).where(game.white_id == player_id, *times)
        as_black = sa.select(*columns).where(
            game.black_id == player_id, game.white_id.is_distinct_from(player_id), *times
        )
        query = sa.union_all(as_white, as_black)
        order = (query.selected_columns.created_at_ms.desc(), query.selected_columns.id.desc())
        yield from self._database.stream(query.order_by(*order))

    def count_games_of(self, player_id: str) -> int:
        """How many games of a player are kept."""
        game = tables.games.c
        is_of = sa.or_(game.white_id == player_id, game.black_id == player_id)
        (row,) = self._database.rows(sa.select(sa.func.count()).where(is_of))
        return int(row[0])

    def kept_ids(self, ids: Iterable[str]) -> frozenset[str]:
        """Those of `ids` whose games are kept; a few hundred at a time."""
        game = tables.games.c
        rows = self._database.rows(sa.select(game.id).where(game.id.in_(list(ids))))
        return frozenset(row.id for row in rows)

    def records(self, ids: Iterable[str]) -> dict[str, str]:
        """The export records (JSON) of those of `ids` that are kept; a few hundred at a time."""
        game = tables.games.c
        query = sa.select(game.id, game.record_json).where(game.id.in_(list(ids)))
        return {row.id: row.record_json for row in self._database.rows(query)}

    def newest_game_ms(self, player_id: str) -> int | None:
        """When the newest kept game of a player began."""
        game = tables.games.c
        halves = (
            sa.select(sa.func.max(game.created_at_ms).label("ms")).where(side == player_id)
            for side in (game.white_id, game.black_id)
        )
        rows = self._database.rows(sa.union_all(*halves))
        return max((row.ms for row in rows if row.ms is not None), default=None)

    def fetched_spans(self, player_id: str) -> tuple[Span, ...]:
        """The stretches of time from which all of a player's games are in the store."""
        span = tables.spans.c
        query = sa.select(span.oldest_ms, span.newest_ms).where(span.player_id == player_id)
        rows = self._database.rows(query.order_by(span.oldest_ms))
        return tuple(Span(row.oldest_ms, row.newest_ms) for row in rows)

    def fetched_players(self, beginning: str, *, most: int) -> tuple[str, ...]:
        """Up to `most` ids of players with such spans, those that begin so, in their order."""
        player = tables.spans.c.player_id
        query = sa.select(player).where(player.startswith(beginning, autoescape=True))
        rows = self._database.rows(query.distinct().order_by(player).limit(most))
        return tuple(row.player_id for row in rows)

    def set_fetched_spans(self, player_id: str, spans: Iterable[Span]) -> None:
        """Note what of a player's history is complete; its games must be kept already."""
        rows: list[Row] = [
            {"player_id": player_id, "oldest_ms": s.oldest_ms, "newest_ms": s.newest_ms}
            for s in spans
        ]
        self._database.replace(tables.spans, {"player_id": player_id}, rows)

    def add_fetched_span(self, player_id: str, span: Span) -> None:
        """Note that the games of one more stretch are kept; nobody else's note is lost."""
        if span:
            self._database.write(lambda connection: add_span(connection, player_id, span))

    def note_wait(self, host: str, *, now_ms: int, until_ms: int) -> None:
        """Keep until when `host` asked not to be asked again; a later end stays."""
        self._database.write(
            lambda connection: note_wait(connection, host, now_ms=now_ms, until_ms=until_ms)
        )

    def wait_ms(self, host: str, *, now_ms: int) -> int:
        """For how many milliseconds more `host` is not to be asked, by any process."""
        wait = tables.waits.c
        query = sa.select(wait.noted_ms, wait.until_ms).where(wait.host == host)
        row = self._database.first(query)
        return 0 if row is None else wait_ms(row.noted_ms, row.until_ms, now_ms=now_ms)


def _game_row(game: StoredGame) -> Row:
    return {column.name: getattr(game, column.name) for column in tables.games.c}
