"""The lines that are drawn when games are sorted, each with its reason."""

from __future__ import annotations

from engines.evals import Color

WINNING_PERCENT = 75.0
"""From this win percent on a position counts as winning: about three pawns, a piece more, where
annotators write "decisive advantage". By how many wins follow it is no more than likely: that is
why a player's share is compared with the opponents', never with 100 %."""

LOSING_PERCENT = 100 - WINNING_PERCENT
"""The same seen from the other side."""

PRESSURE_SHARE = 0.1
PRESSURE_SECONDS = 30.0
"""Time pressure: less than a tenth of the initial time before the move, and under 30 seconds."""

NEAR_RATING = 100
"""Rating points within which an opponent is about equal; as in the other views of results."""

SESSION_GAP_SECONDS = 3600.0
"""Games that begin within an hour of the one before belong to one session: the longest rapid
game takes about as long."""

FEWEST_GAMES = 20
"""Below it a group has no figure: its score has an 80 % interval of ±13 points in 100 then."""

FEWEST_ENDINGS = 8
"""Games that an ending has decided, for an interval or a claim about it."""

FEWEST_MOVES = 100
"""Moves of a side, for a figure of its moves; of each side, for a claim about them."""

FALSE_CLAIM_RATE = 0.05
"""How often an account without any peculiarity may get a claim."""

SMALLEST_SHARE = 0.01
"""Points a game: what is smaller is not worth a sentence, however sure it is."""

LARGEST_RATING_SHIFT = 150.0
"""Points of performance rating up to which a share of points is turned into them: the curve of
expected scores is nearly straight so far."""

RATING_DIFFERENCES_HOLD = 0.8
_FIRST_MOVE = 0.018


def foreseen_score(expected_score: float, color: Color) -> float:
    """What players of such ratings really score, 0 to 1, given what the formula expects.

    Ratings are uncertain, so that differences promise more than they hold: measured on 37,000
    Lichess blitz and rapid games with opponents of all strengths, the score moves by 0.78 to
    0.85 of what is expected, and White has 0.014 to 0.028 more than it. Without this everybody
    would seem to play better against stronger opponents, and with White.
    """
    first_move = _FIRST_MOVE if color == "white" else -_FIRST_MOVE
    return 0.5 + RATING_DIFFERENCES_HOLD * (expected_score - 0.5) + first_move
