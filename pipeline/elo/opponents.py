"""Which opponents say something about a player's rating, and how many of them there were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, TypeAlias

from engines.evals import Color
from pipeline.records import Game, OpponentCounts

OpponentKind: TypeAlias = Literal["counted", "computer", "anonymous", "unrated", "without_result"]
BOT_TITLE = "BOT"
"""Lichess's title for an account that a program plays on."""


def opponent_kind(game: Game, color: Color) -> OpponentKind:
    """Why the opponent of `color` does not count, or that they do.

    Lichess's own computer has no rating and an anonymous opponent none that means anything. A
    provisional rating and a bot's are ratings: they count, and `opponent_counts` names them.
    """
    opponent = game.opponent(color)
    if game.score(color) is None:
        return "without_result"
    if opponent.computer_level is not None:
        return "computer"
    if opponent.rating is None:
        return "anonymous" if opponent.name is None else "unrated"
    return "counted"


def opponent_counts(games: Iterable[tuple[Game, Color]]) -> OpponentCounts:
    """How many games there were of each kind; the colour is the player's own."""
    kinds: Counter[OpponentKind] = Counter()
    provisional = bots = 0
    for game, color in games:
        kind = opponent_kind(game, color)
        kinds[kind] += 1
        if kind == "counted":
            provisional += game.opponent(color).provisional
            bots += game.opponent(color).title == BOT_TITLE
    return OpponentCounts(
        counted=kinds["counted"],
        provisional=provisional,
        bots=bots,
        computer=kinds["computer"],
        anonymous=kinds["anonymous"],
        unrated=kinds["unrated"],
        without_result=kinds["without_result"],
    )
