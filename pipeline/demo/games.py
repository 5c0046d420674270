"""The games that movelo ships for a look without a network, an engine or a model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources

from config.language import english
from engines.evals import EngineId
from pipeline.fetch.export import game_from_export
from pipeline.records import Game

DEMO_PLAYER = "demo-player"

DEMO_NOTE = english(
    "These are demonstration games: their moves were sampled from Maia-3, a model of "
    "human moves, at known strengths, which grow from 1450 to 1750 for the demo player. "
    "Names, ratings and clocks are made up, and no person played a move."
)

DEMO_GAMES = 40
DEMO_NODES = 100_000
"""Stockfish 15.1 searched so many a position."""

_ENGINE = EngineId(
    name=english("Stockfish 15.1 ({nodes} nodes a position)").format(nodes=f"{DEMO_NODES:,}")
)
_FIRST_STRENGTH, _LAST_STRENGTH = 1450, 1750
_OPPONENT = "demo-opponent-"


def demo_games() -> Iterator[Game]:
    """Every shipped game; none of them can be found on Lichess, so none has an address."""
    text = (resources.files("pipeline.demo") / "games.ndjson").read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        game = game_from_export(json.loads(line), where=f"demonstration game {number}")
        yield replace(game, url=None, source_engine=_ENGINE)


def demo_strength(number: int) -> int:
    """What the demo player's moves of game `number` (from 0) were sampled at."""
    share = number / (DEMO_GAMES - 1)
    return round(_FIRST_STRENGTH + share * (_LAST_STRENGTH - _FIRST_STRENGTH))


def opponent_name(strength: int) -> str:
    """An opponent's name says what their moves were sampled at."""
    return f"{_OPPONENT}{strength}"


def opponent_strength(name: str) -> int:
    """What `opponent_name` was given."""
    return int(name.removeprefix(_OPPONENT))
