"""When there is no honest number, and the words for why."""

from __future__ import annotations

from collections.abc import Collection

import chess

from config.language import english, nenglish
from pipeline.records import Game, NoEstimate

MIN_OWN_MOVES = 10
"""Below this the opening is nearly all there is, and the training games have none so short."""


def why_no_estimate(game: Game, own_moves: int, speeds: Collection[str]) -> NoEstimate | None:
    """None when `own_moves` scored moves of `game` can be read by a model of `speeds`."""
    if game.variant != "standard" or not _starts_normally(game):
        return NoEstimate(
            reason=english("the model knows only games from the usual starting position")
        )
    if game.speed not in speeds:
        return NoEstimate(reason=english("no model for {speed} games yet").format(speed=game.speed))
    if own_moves == 0:
        return NoEstimate(reason=english("none of the moves has an evaluation"))
    if own_moves < MIN_OWN_MOVES:
        reason = nenglish(
            "only {count} own move with an evaluation; {fewest} are needed",
            "only {count} own moves with an evaluation; {fewest} are needed",
            own_moves,
        )
        return NoEstimate(reason=reason.format(count=own_moves, fewest=MIN_OWN_MOVES))
    return None


def _starts_normally(game: Game) -> bool:
    return game.initial_fen in (None, "", "startpos", chess.STARTING_FEN)
