"""Schema 1, of which movelo 0.1.0 made stores; what such a store has already is left alone."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from pipeline.store.column_types import Words

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables that are missing."""
    _games()
    _evaluations()
    _evidence()


def _games() -> None:
    _table("meta", sa.Column("key", Words, primary_key=True), _needed("value"))
    _table(
        "games",
        sa.Column("id", Words, primary_key=True),
        sa.Column("created_at_ms", sa.BigInteger, nullable=False),
        sa.Column("white_id", Words),
        sa.Column("black_id", Words),
        _needed("record_json"),
    )
    op.create_index("ix_games_white_id", "games", ["white_id"], if_not_exists=True)
    op.create_index("ix_games_black_id", "games", ["black_id"], if_not_exists=True)
    _table(
        "fetched_spans",
        sa.Column("player_id", Words, primary_key=True),
        sa.Column("oldest_ms", sa.BigInteger, primary_key=True),
        sa.Column("newest_ms", sa.BigInteger, nullable=False),
    )


def _evaluations() -> None:
    _table(
        "evaluations",
        *_key("moves_digest", "engine", "network"),
        sa.Column("nodes_per_position", sa.BigInteger, primary_key=True),
        *_key("policy"),
        _needed("evals"),
        _needed("best_moves_uci"),
    )
    _table(
        "human_likelihoods",
        *_key("moves_digest", "network", "ratings"),
        sa.Column("first_ply", sa.Integer, primary_key=True),
        sa.Column("likelihoods", sa.LargeBinary, nullable=False),
    )


def _evidence() -> None:
    _table(
        "evidence",
        *_key("game_id", "color", "model", "engine", "network"),
        sa.Column("nodes_per_position", sa.BigInteger, primary_key=True),
        *_key("policy", "human_network"),
        _needed("inputs_digest"),
        _needed("scale"),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("with_human_model", sa.Boolean, nullable=False),
        sa.Column("log_likelihoods", sa.LargeBinary, nullable=False),
    )


def _table(name: str, *columns: sa.Column[Any]) -> None:
    op.create_table(name, *columns, if_not_exists=True)


def _key(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, Words, primary_key=True) for name in names]


def _needed(name: str) -> sa.Column[str]:
    return sa.Column(name, Words, nullable=False)
