"""All that is kept of one player, deleted in one transaction and counted."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from pipeline.store import tables
from pipeline.store.database import alone_with
from pipeline.store.job_changes import remove_jobs
from pipeline.store.runs import forget_outcomes


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """How much was deleted, in rows; `reports` are those asked for at a server that speak of them,
    `outcomes` what batches told of the player (their files lie in the batches' folders).

    `also_of` are other players whose games are fetched, with the number of deleted games that
    were theirs too. `unattributed` is what stays because nothing tells whose it is: evaluations
    and readings from before the store noted which game they are of. They name nobody.
    """

    games: int
    evidence: int
    fetched_spans: int
    evaluations: int
    human_likelihoods: int
    also_of: tuple[tuple[str, int], ...]
    unattributed: int
    reports: int = 0
    outcomes: int = 0


def forget(connection: sa.Connection, player_id: str) -> Forgotten:
    """Evaluations and readings go if no other game that the store knows went the same way."""
    game, moves = tables.games, tables.game_moves
    alone_with(connection, *tables.metadata.sorted_tables)
    doomed = sa.select(game.c.id).where(_is_of(player_id))
    abandoned = _moves_of_no_other_game(doomed)
    also_of = _fetched_opponents(connection, player_id)

    def deleted(table: sa.Table, condition: sa.ColumnElement[bool]) -> int:
        return connection.execute(sa.delete(table).where(condition)).rowcount

    counts = {
        table.name: deleted(table, table.c.moves_digest.in_(abandoned))
        for table in (tables.evaluations, tables.human_likelihoods)
    }
    evidence = deleted(tables.evidence, tables.evidence.c.game_id.in_(doomed))
    deleted(moves, moves.c.game_id.in_(doomed))
    return Forgotten(
        games=deleted(game, _is_of(player_id)),
        evidence=evidence,
        fetched_spans=deleted(tables.spans, tables.spans.c.player_id == player_id),
        **counts,
        also_of=also_of,
        unattributed=_unattributed(connection),
        reports=_forget_reports(connection, player_id),
        outcomes=forget_outcomes(connection, player_id),
    )


def _forget_reports(connection: sa.Connection, player_id: str) -> int:
    """Those about the player, and those in which they are an opponent."""
    job, named = tables.jobs.c, tables.job_players.c
    in_them = sa.select(named.job_id).where(named.player_id == player_id)
    query = sa.select(job.id).where(sa.or_(job.player_id == player_id, job.id.in_(in_them)))
    ids = connection.execute(query).scalars().all()
    remove_jobs(connection, ids)
    return len(ids)


def _is_of(player_id: str) -> sa.ColumnElement[bool]:
    game = tables.games.c
    return sa.or_(game.white_id == player_id, game.black_id == player_id)


def _moves_of_no_other_game(doomed: sa.Select[tuple[str]]) -> sa.Select[tuple[str]]:
    """The digests of the moves by which only doomed games went."""
    theirs, others = tables.game_moves.alias(), tables.game_moves.alias()
    elsewhere = sa.select(others.c.game_id).where(
        others.c.moves_digest == theirs.c.moves_digest, others.c.game_id.not_in(doomed)
    )
    return sa.select(theirs.c.moves_digest).where(
        theirs.c.game_id.in_(doomed), ~sa.exists(elsewhere)
    )


def _fetched_opponents(connection: sa.Connection, player_id: str) -> tuple[tuple[str, int], ...]:
    game = tables.games.c
    opponent = sa.case((game.white_id == player_id, game.black_id), else_=game.white_id)
    fetched = sa.select(tables.spans.c.player_id).where(tables.spans.c.player_id != player_id)
    query = (
        sa.select(opponent, sa.func.count())
        .where(_is_of(player_id), opponent.in_(fetched))
        .group_by(opponent)
        .order_by(opponent)
    )
    return tuple((name, count) for name, count in connection.execute(query))


def _unattributed(connection: sa.Connection) -> int:
    known = sa.select(tables.game_moves.c.moves_digest)
    counts = (
        sa.select(sa.func.count()).select_from(table).where(table.c.moves_digest.not_in(known))
        for table in (tables.evaluations, tables.human_likelihoods)
    )
    return sum(connection.execute(count).scalar_one() for count in counts)
