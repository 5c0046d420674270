"""The store that the settings name."""

from __future__ import annotations

from config.settings import Settings, store_place
from pipeline.store import Store


def open_store(settings: Settings) -> Store:
    """A context manager; StoreError says why it cannot be opened."""
    return Store(store_place(settings))
