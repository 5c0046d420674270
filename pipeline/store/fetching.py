"""How far fetching got and when it may go on: written by several processes, lost by none."""

from __future__ import annotations

import sqlalchemy as sa

from pipeline.spans import Span, merged
from pipeline.store import tables
from pipeline.store.database import alone_with


def add_span(connection: sa.Connection, player_id: str, span: Span) -> None:
    """Beside what others noted meanwhile."""
    spans = tables.spans
    alone_with(connection, spans)
    of_player = spans.c.player_id == player_id
    query = sa.select(spans.c.oldest_ms, spans.c.newest_ms).where(of_player)
    before = [Span(*row) for row in connection.execute(query)]
    after = merged([*before, span])
    if set(after) == set(before):
        return
    connection.execute(sa.delete(spans).where(of_player))
    rows = [
        {"player_id": player_id, "oldest_ms": one.oldest_ms, "newest_ms": one.newest_ms}
        for one in after
    ]
    connection.execute(sa.insert(spans), rows)


def note_wait(connection: sa.Connection, host: str, *, now_ms: int, until_ms: int) -> None:
    """Until `until_ms`, or later where somebody was told so."""
    waits = tables.waits
    alone_with(connection, waits)
    query = sa.select(waits.c.noted_ms, waits.c.until_ms).where(waits.c.host == host)
    before = connection.execute(query).first()
    if before is not None and before.noted_ms <= now_ms and before.until_ms > until_ms:
        return
    connection.execute(sa.delete(waits).where(waits.c.host == host))
    connection.execute(sa.insert(waits).values(host=host, noted_ms=now_ms, until_ms=until_ms))


def wait_ms(noted_ms: int, until_ms: int, *, now_ms: int) -> int:
    """What is left of a wait; never more than it was at first, whatever the clock says."""
    return max(0, until_ms - max(now_ms, noted_ms))
