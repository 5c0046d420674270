"""What is known about how one rating scale relates to another: numbers with source and date.

Players hold different ratings on different scales for many reasons besides the scales, so a
map says what is typical (medians of players with accounts on both), never what is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

from config.language import english

Row = tuple[float | None, ...]

BETWEEN_PLAYERS = 135.0
"""Points by which such medians are found to be off at least: 50 to 135. The wide end is used."""
BY_RULE = 50.0
"""The rules of the federations state no uncertainty; the narrow end of the same is supposed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingMap:
    """Ratings that belong together, one row each, rising; None where a scale has no number.

    `uncertainty` is the half width in points that a converted rating has at least. `one_way`:
    only from the first scale to the second (a regression is no conversion back).
    """

    source: str
    as_of: str
    scales: tuple[str, ...]
    rows: tuple[Row, ...]
    uncertainty: float
    one_way: bool = False


CHESSGOALS = RatingMap(
    # https://chessgoals.com/rating-comparison/; FIDE and US Chess from about 85 and 130 players.
    source=english("ChessGoals, medians of players with several accounts"),
    as_of="2025-07",
    scales=(
        *("chesscom_blitz", "chesscom_bullet", "chesscom_rapid", "uscf", "fide"),
        *("lichess_bullet", "lichess_blitz", "lichess_rapid", "lichess_classical"),
    ),
    rows=(
        (500, 445, 735, 715, None, 975, 1030, 1205, 1405),
        (600, 530, 835, 775, None, 1010, 1075, 1270, 1435),
        (700, 620, 945, 860, None, 1075, 1145, 1340, 1495),
        (800, 725, 1035, 930, None, 1115, 1200, 1400, 1555),
        (900, 825, 1130, 1055, None, 1200, 1335, 1515, 1625),
        (1000, 920, 1230, 1155, 1450, 1295, 1420, 1615, 1715),
        (1100, 1020, 1320, 1280, 1490, 1385, 1475, 1690, 1770),
        (1150, 1070, 1365, 1325, 1540, 1435, 1525, 1730, 1795),
        (1200, 1115, 1405, 1350, 1555, 1475, 1565, 1765, 1810),
        (1250, 1165, 1450, 1390, 1570, 1530, 1605, 1795, 1830),
        (1300, 1205, 1500, 1435, 1610, 1575, 1635, 1825, 1850),
        (1350, 1260, 1540, 1480, 1625, 1630, 1670, 1850, 1855),
        (1400, 1305, 1575, 1530, 1650, 1675, 1705, 1880, 1865),
        (1450, 1355, 1610, 1570, 1690, 1720, 1745, 1915, 1915),
        (1500, 1400, 1655, 1595, 1710, 1770, 1780, 1930, 1935),
        (1550, 1450, 1695, 1640, 1720, 1805, 1815, 1965, 1935),
        (1600, 1510, 1730, 1675, 1735, 1845, 1850, 1990, 1935),
        (1650, 1575, 1780, 1710, 1745, 1895, 1895, 2020, 1985),
        (1700, 1615, 1810, 1750, 1770, 1920, 1910, 2035, 2000),
        (1750, 1665, 1850, 1790, 1795, 1960, 1950, 2055, 2010),
        (1800, 1715, 1890, 1815, 1810, 2000, 1970, 2085, 2030),
        (1850, 1780, 1940, 1850, 1840, 2040, 2005, 2115, 2045),
        (1900, 1825, 1990, 1880, 1880, 2110, 2050, 2135, 2070),
        (1950, 1880, 2010, 1910, 1910, 2145, 2075, 2155, 2095),
        (2000, 1930, 2035, 1940, 1925, 2195, 2100, 2185, 2100),
        (2100, 2035, 2080, 2005, 1990, 2255, 2170, 2240, 2125),
        (2200, 2155, 2135, 2085, 2055, 2330, 2235, 2285, 2195),
        (2300, 2255, 2190, 2185, 2135, 2400, 2295, 2330, 2245),
        (2400, 2355, 2235, 2210, 2210, 2490, 2370, 2380, 2340),
        (2500, 2465, 2290, 2260, 2275, 2560, 2445, 2445, 2360),
        (2600, 2570, 2355, 2315, 2350, 2700, 2560, 2510, 2435),
        (2700, 2670, 2425, 2435, 2415, 2765, 2625, 2595, 2500),
        (2800, 2785, 2480, 2500, 2470, 2870, 2695, 2630, None),
        (2900, 2875, 2545, 2575, 2535, 3005, 2780, 2705, None),
        (3000, 2985, 2625, 2685, 2590, 3090, 2850, 2735, None),
    ),
    uncertainty=BETWEEN_PLAYERS,
)

CHESSDOJO = RatingMap(
    # The upper ends of https://www.chessdojo.club's cohorts, which treat these as equal.
    source=english("ChessDojo, upper ends of its cohorts"),
    as_of="2024-09",
    scales=("chesscom_rapid", "lichess_classical", "fide", "uscf", "cfc"),
    rows=(
        (550, 1250, None, 350, 350),
        (650, 1310, None, 460, 460),
        (750, 1370, None, 570, 570),
        (850, 1435, None, 680, 680),
        (950, 1500, None, 790, 780),
        (1050, 1550, None, 900, 880),
        (1150, 1600, None, 1010, 980),
        (1250, 1665, 1450, 1120, 1090),
        (1350, 1730, 1500, 1230, 1200),
        (1450, 1795, 1550, 1330, 1300),
        (1550, 1850, 1600, 1420, 1390),
        (1650, 1910, 1650, 1510, 1480),
        (1750, 1970, 1700, 1600, 1570),
        (1850, 2030, 1750, 1675, 1645),
        (1950, 2090, 1800, 1750, 1730),
        (2050, 2150, 1850, 1825, 1825),
        (2165, 2225, 1910, 1930, 1925),
        (2275, 2310, 2000, 2055, 2060),
        (2360, 2370, 2100, 2185, 2185),
        (2425, 2410, 2200, 2290, 2290),
        (2485, 2440, 2300, 2395, 2395),
        (2550, 2470, 2400, 2500, 2500),
    ),
    uncertainty=BETWEEN_PLAYERS,
)

CMA_FROM_CFC = RatingMap(
    # https://chess-math.org/cma-rating-conversion: 2 CFC - 2200 from 1800 on, CFC from 2200 on.
    source=english("Association Echecs et Maths, conversion of CFC ratings"),
    as_of="2026-11",
    scales=("cfc", "cma"),
    rows=((1800, 1400), (2200, 2200), (3050, 3050)),
    uncertainty=BY_RULE,
)

CMA_FROM_FQE = RatingMap(
    # The same page: 2 FQE - 2100 from 1750 on, FQE + 50 from 2150 on; FQE's range ends at 3000.
    source=english("Association Echecs et Maths, conversion of FQE ratings"),
    as_of="2026-11",
    scales=("fqe", "cma"),
    rows=((1750, 1400), (2150, 2200), (3000, 3050)),
    uncertainty=BY_RULE,
)

CFC_FROM_FQE = RatingMap(
    # The same page, over the range of FQE ratings.
    source=english("Association Echecs et Maths, FQE + 50 = CFC"),
    as_of="2026-11",
    scales=("fqe", "cfc"),
    rows=((0, 50), (3000, 3050)),
    uncertainty=BY_RULE,
)

FIDE_FROM_LICHESS_BLITZ = RatingMap(
    # github.com/ethanlebowitz/RatingConverter: FIDE = 78.643 + 0.80397 blitz, correlation 0.54 to
    # 0.63. Its range is not stated: it is heard where ChessGoals has players too.
    source=english("E. Lebowitz, regression over about 28,000 accounts"),
    as_of="undated",
    scales=("lichess_blitz", "fide"),
    rows=((1420, 78.643 + 0.80397 * 1420), (2850, 78.643 + 0.80397 * 2850)),
    uncertainty=BETWEEN_PLAYERS,
    one_way=True,
)

RATING_MAPS = (
    CHESSGOALS,
    CHESSDOJO,
    CMA_FROM_CFC,
    CMA_FROM_FQE,
    CFC_FROM_FQE,
    FIDE_FROM_LICHESS_BLITZ,
)
"""Where two of them know the same pair of scales, the first one answers."""
