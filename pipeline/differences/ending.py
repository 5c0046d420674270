"""How a game ended, and what its last position was worth."""

from __future__ import annotations

from engines.evals import Color
from pipeline.differences.move_losses import own_win_percent
from pipeline.records import Ending, GameReport

MISSING_PLIES_AT_MOST = 2
"""Between the last evaluation and the end: beyond it nobody knows what the end was worth."""

_ENDINGS = {
    "mate": Ending.BOARD,
    "stalemate": Ending.BOARD,
    "variantEnd": Ending.BOARD,
    "outoftime": Ending.CLOCK,
    "resign": Ending.RESIGNATION,
    "timeout": Ending.RESIGNATION,  # a player left, and the opponent claimed the win
    "draw": Ending.DRAW,
    "insufficientMaterialClaim": Ending.DRAW,
}


def ending_of(game: GameReport) -> Ending:
    """By Lichess's status; without one (a PGN), as far as the moves and the result tell.

    At Lichess a PGN says that time ran out, and so what is decided otherwise, without a mate,
    was given up. Elsewhere it is not known.
    """
    if game.status is not None:
        return _ENDINGS.get(game.status, Ending.UNKNOWN)
    if game.white.score == 0.5:
        return Ending.DRAW
    if _is_checkmate(game):
        return Ending.BOARD
    is_from_lichess = game.url is not None and game.url.startswith("https://lichess.org/")
    return Ending.RESIGNATION if is_from_lichess else Ending.UNKNOWN


def final_worth(game: GameReport, color: Color) -> float | None:
    """What the last position was worth to `color`, 0 to 1 (a draw is ½).

    After checkmate and stalemate it is the score itself. None where the evaluations do not
    reach the end, or nobody's play ended the game.
    """
    if not game.moves or game.plies - game.moves[-1].ply > MISSING_PLIES_AT_MOST:
        return None
    if ending_of(game) is Ending.BOARD:
        return game.side(color).score
    return own_win_percent(game.moves[-1], color) / 100


def _is_checkmate(game: GameReport) -> bool:
    return bool(game.moves) and game.moves[-1].san.endswith("#")
