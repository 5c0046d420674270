"""FIDE's two conversion tables, in whole percent and whole points.

Source: FIDE Rating Regulations (handbook B02, 2022 and 2024), tables 8.1.1 and 8.1.2; 8.1.1 is
also table 1.4.9 of the Title Regulations (B01). They print a normal curve; nothing is
interpolated. As whole numbers, sums over a period stay exact.
"""

from __future__ import annotations

from bisect import bisect_left

# The table calls the ends "necessarily indeterminate" and shows 800 notionally.
_RATING_DIFFERENCES = (
    *(-800, -677, -589, -538, -501, -470, -444, -422, -401, -383),
    *(-366, -351, -336, -322, -309, -296, -284, -273, -262, -251),
    *(-240, -230, -220, -211, -202, -193, -184, -175, -166, -158),
    *(-149, -141, -133, -125, -117, -110, -102, -95, -87, -80),
    *(-72, -65, -57, -50, -43, -36, -29, -21, -14, -7),
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)

# Upper ends of the ranges at which the higher rated expects 50, 51 … 99 %; beyond them 100 %.
_LARGEST_DIFFERENCES = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68),
    *(76, 83, 91, 98, 106, 113, 121, 129, 137, 145),
    *(153, 162, 170, 179, 188, 197, 206, 215, 225, 235),
    *(245, 256, 267, 278, 290, 302, 315, 328, 344, 357),
    *(374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)


def rating_difference(percent: int) -> int:
    """Table 8.1.1: the dp, -800 to 800 points, that belongs to a score of 0 to 100 percent."""
    if not 0 <= percent <= 100:
        raise ValueError(f"a score is 0 to 100 percent, not {percent}")
    return _RATING_DIFFERENCES[percent]


def scoring_percent(difference: int) -> int:
    """Table 8.1.2: the PD, 0 to 100 percent, at `difference` = own less opponent's rating."""
    higher = 50 + bisect_left(_LARGEST_DIFFERENCES, abs(difference))
    return higher if difference >= 0 else 100 - higher
