"""Schema 4: the queue of reports that were asked for, what was handed in, what came of them."""

import sqlalchemy as sa
from alembic import op

from pipeline.store.column_types import Words

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """What is large, or rarely wanted, has a table of its own."""
    op.create_table(
        "jobs",
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
    )
    op.create_index("ix_jobs_state", "jobs", ["state", "created_at_ms", "id"])
    op.create_index("ix_jobs_visitor", "jobs", ["visitor", "created_at_ms", "id"])
    op.create_table(
        "job_files",
        sa.Column("job_id", Words, primary_key=True),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "job_reports",
        sa.Column("job_id", Words, primary_key=True),
        sa.Column("report", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "job_players",
        sa.Column("job_id", Words, primary_key=True),
        sa.Column("player_id", Words, primary_key=True),
    )
    op.create_index("ix_job_players_player_id", "job_players", ["player_id"])
