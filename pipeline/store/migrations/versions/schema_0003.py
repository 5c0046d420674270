"""Schema 3: until when Lichess asked to wait, for whoever asks next."""

import sqlalchemy as sa
from alembic import op

from pipeline.store.column_types import Words

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """One row a host."""
    op.create_table(
        "waits",
        sa.Column("host", Words, primary_key=True),
        sa.Column("noted_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
