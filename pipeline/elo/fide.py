"""FIDE ratings, everything in one place: rules by date, K, games, periods, first ratings.

Source: FIDE Rating Regulations, handbook.fide.com/chapter/B022024 (and B022022), for standard
chess; the rapid and blitz regulations use the same tables.
"""

from pipeline.elo.fide_first_rating import FirstRating, first_rating
from pipeline.elo.fide_game import counted_difference, expected, game_change, is_rated
from pipeline.elo.fide_k import k_factor, k_within_700
from pipeline.elo.fide_performance import perfect_performance, performance
from pipeline.elo.fide_period import FideGame, FidePeriod, period_change, rounded_change
from pipeline.elo.fide_rules import (
    FIDE_RULES,
    TIME_CONTROLS,
    FideRules,
    TimeControl,
    march_2024_raise,
    rules_on,
)

__all__ = [
    "FIDE_RULES",
    "TIME_CONTROLS",
    "FideGame",
    "FidePeriod",
    "FideRules",
    "FirstRating",
    "TimeControl",
    "counted_difference",
    "expected",
    "first_rating",
    "game_change",
    "is_rated",
    "k_factor",
    "k_within_700",
    "march_2024_raise",
    "perfect_performance",
    "performance",
    "period_change",
    "rounded_change",
    "rules_on",
]
