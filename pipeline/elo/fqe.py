"""The Fédération québécoise des échecs, whose formula is not public.

Its calculator (fqechecs.qc.ca/calculateur) gives results and no rule; Elo's system was adopted in
1973, ratings run from 0 to 3000. Recomputing one would be guessing.
"""

from __future__ import annotations

from typing import Final

from config.language import english

FORMULA_NOT_PUBLIC: Final = english(
    "The FQE does not publish its rating formula, so movelo does not calculate FQE "
    "ratings; use the calculator on fqechecs.qc.ca."
)
