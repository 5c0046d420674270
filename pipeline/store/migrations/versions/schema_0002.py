"""Schema 2: which game went by which moves, and a player's games in order of time."""

import sqlalchemy as sa
from alembic import op

from pipeline.store.column_types import Words

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Which evaluations kept so far are of which game is noted when they are next asked for."""
    op.create_table(
        "game_moves",
        sa.Column("moves_digest", Words, primary_key=True),
        sa.Column("game_id", Words, primary_key=True),
    )
    op.create_index("ix_game_moves_game_id", "game_moves", ["game_id"])
    for side in ("white", "black"):
        columns = [f"{side}_id", "created_at_ms", "id"]
        op.create_index(f"ix_games_of_{side}", "games", columns)
        op.drop_index(f"ix_games_{side}_id", "games")
