"""The games that movelo ships for a look without a network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources

from pipeline.fetch.export import game_from_export
from pipeline.records import Game

DEMO_PLAYER = "demo-player"

DEMO_NOTE = (
    "These are demonstration games: Stockfish at limited strength played them against itself. "
    "Names, ratings and clocks are made up, and no person played a move."
)


def demo_games() -> Iterator[Game]:
    """Every shipped game; none of them can be found on Lichess, so none has an address."""
    text = (resources.files("pipeline.demo") / "games.ndjson").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        game = game_from_export(json.loads(line), where=f"demonstration game {number}")
        yield replace(game, url=None)
