"""Schema 5: what became of each player of a batch, schedules, and who is at what just now."""

import sqlalchemy as sa
from alembic import op

from pipeline.store.column_types import Words

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """A batch has no row of its own: its folder says what it is."""
    op.create_table(
        "batch_players",
        sa.Column("batch_id", Words, primary_key=True),
        sa.Column("player_id", Words, primary_key=True),
        sa.Column("recipe", Words, nullable=False),
        sa.Column("kept_digest", Words, nullable=False),
        sa.Column("inputs_digest", Words, nullable=False),
        sa.Column("outcome_json", Words, nullable=False),
    )
    op.create_index("ix_batch_players_player_id", "batch_players", ["player_id"])
    op.create_table(
        "schedules",
        sa.Column("name", Words, primary_key=True),
        sa.Column("order_json", Words, nullable=False),
        sa.Column("handled_ms", sa.BigInteger, nullable=False),
        sa.Column("due_ms", sa.BigInteger),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("started_at_ms", sa.BigInteger),
        sa.Column("finished_at_ms", sa.BigInteger),
        sa.Column("exit_code", sa.Integer),
    )
    op.create_table(
        "leases",
        sa.Column("name", Words, primary_key=True),
        sa.Column("holder", Words, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
