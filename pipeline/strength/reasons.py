"""When there is no honest number, and the words for why."""

from __future__ import annotations

from collections.abc import Collection

import chess

from pipeline.records import Game, NoEstimate

MIN_OWN_MOVES = 10
"""Below this the opening is nearly all there is, and the training games have none so short."""


def why_no_estimate(game: Game, own_moves: int, speeds: Collection[str]) -> NoEstimate | None:
    """None when `own_moves` scored moves of `game` can be read by a model of `speeds`."""
    if game.variant != "standard" or not _starts_normally(game):
        return NoEstimate(reason="the model knows only games from the usual starting position")
    if game.speed not in speeds:
        return NoEstimate(reason=f"no model for {game.speed} games yet")
    if own_moves == 0:
        return NoEstimate(reason="none of the moves has an evaluation")
    if own_moves < MIN_OWN_MOVES:
        word = "move" if own_moves == 1 else "moves"
        return NoEstimate(
            reason=f"only {own_moves} own {word} with an evaluation; {MIN_OWN_MOVES} are needed"
        )
    return None


def _starts_normally(game: Game) -> bool:
    return game.initial_fen in (None, "", "startpos", chess.STARTING_FEN)
