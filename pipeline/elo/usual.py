"""What is supposed of a player or of a list where nothing is said, in the terminal and in forms.

Nothing is imported here: the terminal's options need it before anything is calculated.
"""

from __future__ import annotations

from typing import Final

K: Final = 20.0
"""Points that a whole game is worth in plain Elo."""
TABLE_STEP: Final = 25
TABLE_END: Final = 800
"""Points of difference, of the table of expected scores."""
COVERAGE_PERCENT: Final = 80.0
"""What a range is to hold."""
PRIOR_GAMES: Final = 26
"""The fewest with which US Chess's rating is established."""
DEVIATION: Final = 60.0
"""What Lichess takes for a typical active player's (it grows from there to 110 in a year)."""
VOLATILITY: Final = 0.06
"""For which Lichess chose how fast a deviation grows."""
