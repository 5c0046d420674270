"""The tables. One that is missing in an older store of the same schema is made on opening."""

from __future__ import annotations

import sqlalchemy as sa

SCHEMA_VERSION = 1

metadata = sa.MetaData()
meta = sa.Table(
    "meta",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
games = sa.Table(
    "games",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("created_at_ms", sa.BigInteger, nullable=False),
    sa.Column("white_id", sa.Text, index=True),
    sa.Column("black_id", sa.Text, index=True),
    sa.Column("record_json", sa.Text, nullable=False),
)
spans = sa.Table(
    "fetched_spans",
    metadata,
    sa.Column("player_id", sa.Text, primary_key=True),
    sa.Column("oldest_ms", sa.BigInteger, primary_key=True),
    sa.Column("newest_ms", sa.BigInteger, nullable=False),
)
evaluations = sa.Table(
    "evaluations",
    metadata,
    sa.Column("moves_digest", sa.Text, primary_key=True),
    sa.Column("engine", sa.Text, primary_key=True),
    sa.Column("network", sa.Text, primary_key=True),
    sa.Column("nodes_per_position", sa.Integer, primary_key=True),
    sa.Column("policy", sa.Text, primary_key=True),
    sa.Column("evals", sa.Text, nullable=False),
    sa.Column("best_moves_uci", sa.Text, nullable=False),
)
human_likelihoods = sa.Table(
    "human_likelihoods",
    metadata,
    sa.Column("moves_digest", sa.Text, primary_key=True),
    sa.Column("network", sa.Text, primary_key=True),
    sa.Column("ratings", sa.Text, primary_key=True),
    sa.Column("first_ply", sa.Integer, primary_key=True),
    sa.Column("likelihoods", sa.LargeBinary, nullable=False),
)
# The engine's network is "" and its nodes are 0 where the evaluations came with the game; the
# human network is "" where the human-move model had no part.
evidence = sa.Table(
    "evidence",
    metadata,
    sa.Column("game_id", sa.Text, primary_key=True),
    sa.Column("color", sa.Text, primary_key=True),
    sa.Column("model", sa.Text, primary_key=True),
    sa.Column("engine", sa.Text, primary_key=True),
    sa.Column("network", sa.Text, primary_key=True),
    sa.Column("nodes_per_position", sa.Integer, primary_key=True),
    sa.Column("policy", sa.Text, primary_key=True),
    sa.Column("human_network", sa.Text, primary_key=True),
    sa.Column("inputs_digest", sa.Text, nullable=False),
    sa.Column("scale", sa.Text, nullable=False),
    sa.Column("moves", sa.Integer, nullable=False),
    sa.Column("with_human_model", sa.Boolean, nullable=False),
    sa.Column("log_likelihoods", sa.LargeBinary, nullable=False),
)
