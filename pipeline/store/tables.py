"""The tables, as the newest migration leaves them."""

from __future__ import annotations

import sqlalchemy as sa

from pipeline.store.column_types import Words

SCHEMA_VERSION = 5
"""The number of the newest file in `migrations/versions`; kept in `meta` too."""

metadata = sa.MetaData()
meta = sa.Table(
    "meta",
    metadata,
    sa.Column("key", Words, primary_key=True),
    sa.Column("value", Words, nullable=False),
)
games = sa.Table(
    "games",
    metadata,
    sa.Column("id", Words, primary_key=True),
    sa.Column("created_at_ms", sa.BigInteger, nullable=False),
    sa.Column("white_id", Words),
    sa.Column("black_id", Words),
    sa.Column("record_json", Words, nullable=False),
    # In the order in which a player's games are read: SQLite has nothing to sort.
    sa.Index("ix_games_of_white", "white_id", "created_at_ms", "id"),
    sa.Index("ix_games_of_black", "black_id", "created_at_ms", "id"),
)
spans = sa.Table(
    "fetched_spans",
    metadata,
    sa.Column("player_id", Words, primary_key=True),
    sa.Column("oldest_ms", sa.BigInteger, primary_key=True),
    sa.Column("newest_ms", sa.BigInteger, nullable=False),
)
# Until when a server asked not to be asked, and when it said so: the clock may be wrong later.
waits = sa.Table(
    "waits",
    metadata,
    sa.Column("host", Words, primary_key=True),
    sa.Column("noted_ms", sa.BigInteger, nullable=False),
    sa.Column("until_ms", sa.BigInteger, nullable=False),
)
# Which moves a game went by, as far as they were evaluated or read.
game_moves = sa.Table(
    "game_moves",
    metadata,
    sa.Column("moves_digest", Words, primary_key=True),
    sa.Column("game_id", Words, primary_key=True),
    sa.Index("ix_game_moves_game_id", "game_id"),
)
evaluations = sa.Table(
    "evaluations",
    metadata,
    sa.Column("moves_digest", Words, primary_key=True),
    sa.Column("engine", Words, primary_key=True),
    sa.Column("network", Words, primary_key=True),
    sa.Column("nodes_per_position", sa.BigInteger, primary_key=True),
    sa.Column("policy", Words, primary_key=True),
    sa.Column("evals", Words, nullable=False),
    sa.Column("best_moves_uci", Words, nullable=False),
)
human_likelihoods = sa.Table(
    "human_likelihoods",
    metadata,
    sa.Column("moves_digest", Words, primary_key=True),
    sa.Column("network", Words, primary_key=True),
    sa.Column("ratings", Words, primary_key=True),
    sa.Column("first_ply", sa.Integer, primary_key=True),
    sa.Column("likelihoods", sa.LargeBinary, nullable=False),
)
# The engine's network is "" and its nodes are 0 where the evaluations came with the game; the
# human network is "" where the human-move model had no part.
evidence = sa.Table(
    "evidence",
    metadata,
    sa.Column("game_id", Words, primary_key=True),
    sa.Column("color", Words, primary_key=True),
    sa.Column("model", Words, primary_key=True),
    sa.Column("engine", Words, primary_key=True),
    sa.Column("network", Words, primary_key=True),
    sa.Column("nodes_per_position", sa.BigInteger, primary_key=True),
    sa.Column("policy", Words, primary_key=True),
    sa.Column("human_network", Words, primary_key=True),
    sa.Column("inputs_digest", Words, nullable=False),
    sa.Column("scale", Words, nullable=False),
    sa.Column("moves", sa.Integer, nullable=False),
    sa.Column("with_human_model", sa.Boolean, nullable=False),
    sa.Column("log_likelihoods", sa.LargeBinary, nullable=False),
)
# The queue of reports. `visitor` and `address` tell who asked, as far as limits and a list of one's
# own reports need it; `worker` is "" while nobody works on it.
jobs = sa.Table(
    "jobs",
    metadata,
    sa.Column("id", Words, primary_key=True),
    sa.Column("state", Words, nullable=False),
    sa.Column("player_id", Words, nullable=False),
    sa.Column("order_json", Words, nullable=False),
    sa.Column("visitor", Words, nullable=False),
    sa.Column("address", Words, nullable=False),
    sa.Column("created_at_ms", sa.BigInteger, nullable=False),
    sa.Column("started_at_ms", sa.BigInteger),
    sa.Column("finished_at_ms", sa.BigInteger),
    sa.Column("worker", Words, nullable=False),
    sa.Column("lease_until_ms", sa.BigInteger, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("cancel_asked", sa.Boolean, nullable=False),
    sa.Column("progress_json", Words, nullable=False),
    sa.Column("failure", Words),
    sa.Index("ix_jobs_state", "state", "created_at_ms", "id"),
    sa.Index("ix_jobs_visitor", "visitor", "created_at_ms", "id"),
)
# What was handed in, until the job is over.
job_files = sa.Table(
    "job_files",
    metadata,
    sa.Column("job_id", Words, primary_key=True),
    sa.Column("content", sa.LargeBinary, nullable=False),
)
job_reports = sa.Table(
    "job_reports",
    metadata,
    sa.Column("job_id", Words, primary_key=True),
    sa.Column("report", sa.LargeBinary, nullable=False),
)
# Of whom a report speaks: the player and the opponents.
job_players = sa.Table(
    "job_players",
    metadata,
    sa.Column("job_id", Words, primary_key=True),
    sa.Column("player_id", Words, primary_key=True),
    sa.Index("ix_job_players_player_id", "player_id"),
)
# What became of each player of a batch, and of which inputs; `outcome_json` is what is told of it.
batch_players = sa.Table(
    "batch_players",
    metadata,
    sa.Column("batch_id", Words, primary_key=True),
    sa.Column("player_id", Words, primary_key=True),
    sa.Column("recipe", Words, nullable=False),
    sa.Column("kept_digest", Words, nullable=False),
    sa.Column("inputs_digest", Words, nullable=False),
    sa.Column("outcome_json", Words, nullable=False),
    sa.Index("ix_batch_players_player_id", "player_id"),
)
# `handled_ms` is the last due time that needs nothing more; `due_ms` the one that was begun.
schedules = sa.Table(
    "schedules",
    metadata,
    sa.Column("name", Words, primary_key=True),
    sa.Column("order_json", Words, nullable=False),
    sa.Column("handled_ms", sa.BigInteger, nullable=False),
    sa.Column("due_ms", sa.BigInteger),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("started_at_ms", sa.BigInteger),
    sa.Column("finished_at_ms", sa.BigInteger),
    sa.Column("exit_code", sa.Integer),
)
# Who is at what just now, so that nobody else is: until then, unless it is said again.
leases = sa.Table(
    "leases",
    metadata,
    sa.Column("name", Words, primary_key=True),
    sa.Column("holder", Words, nullable=False),
    sa.Column("since_ms", sa.BigInteger, nullable=False),
    sa.Column("until_ms", sa.BigInteger, nullable=False),
)
