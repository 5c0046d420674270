"""What is kept between runs, in one SQLite file; the only room that imports SQLAlchemy."""

from pipeline.store.store import EvidenceKey, Store, StoredGame

__all__ = ["EvidenceKey", "Store", "StoredGame"]
