"""How much may be asked for in a form, which strangers fill in; a terminal is one's own."""

from __future__ import annotations

from typing import Final

HIGHEST_RATING: Final = 5000
"""Nobody's is higher; computing time grows with the span of the ratings."""
MOST_GAMES: Final = 500
LONGEST_LIST: Final = 20_000
"""Characters of a field of many games or ratings."""
