"""What is kept between runs, in SQLite or PostgreSQL; the only room that imports SQLAlchemy."""

from pipeline.store.fetched_games import StoredGame
from pipeline.store.forgetting import Forgotten
from pipeline.store.keys import EvidenceKey
from pipeline.store.store import Store

__all__ = ["EvidenceKey", "Forgotten", "Store", "StoredGame"]
