"""The systems in which a target can be asked for. Nothing is imported: options name them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SYSTEMS: Final[Mapping[str, str]] = {
    "elo": "Elo",
    "fide": "FIDE",
    "cma": "CMA",
    "cfc": "CFC",
    "uscf": "US Chess",
    "lichess": "Lichess",
}
"""Names by their keys."""
DATED_SYSTEMS: Final = frozenset({"fide", "uscf"})
"""Their answer is another one by the rules of another day."""
