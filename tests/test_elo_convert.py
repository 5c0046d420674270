"""Between scales: typical ranges from stated sources, and nothing beyond them."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo.convert import SCALES, Conversion, convert
from pipeline.elo.rating_maps import BETWEEN_PLAYERS, BY_RULE, RATING_MAPS, RatingMap
from pipeline.records import NoEstimate

pairs = st.tuples(st.sampled_from(SCALES), st.sampled_from(SCALES)).filter(lambda p: p[0] != p[1])
ratings = st.floats(0, 3500)


def converted(rating: float, from_scale: str, to_scale: str) -> Conversion:
    found = convert(rating, from_scale=from_scale, to_scale=to_scale)
    assert isinstance(found, Conversion)
    return found


def middle(rating: float, from_scale: str, to_scale: str) -> float:
    found = converted(rating, from_scale, to_scale)
    return (found.low + found.high) / 2


@pytest.mark.parametrize(
    ("scale", "expected"), [("lichess_blitz", 1780), ("lichess_rapid", 1930), ("fide", 1710)]
)
def test_chesscom_blitz_1500_is_what_chessgoals_prints(scale: str, expected: float) -> None:
    found = converted(1500, "chesscom_blitz", scale)
    assert (found.low, found.high) == (expected - BETWEEN_PLAYERS, expected + BETWEEN_PLAYERS)
    assert found.steps[0].as_of == "2025-07"


def test_between_two_rows_it_is_linear() -> None:
    assert middle(1525, "chesscom_blitz", "lichess_blitz") == pytest.approx((1780 + 1815) / 2)


@pytest.mark.parametrize(
    ("rating", "from_scale", "to_scale", "expected"),
    [
        (1800, "cfc", "cma", 1400), (2000, "cfc", "cma", 1800), (2200, "cfc", "cma", 2200),
        (2350, "cfc", "cma", 2350), (1750, "fqe", "cma", 1400), (2000, "fqe", "cma", 1900),
        (2150, "fqe", "cma", 2200), (2300, "fqe", "cma", 2350), (1600, "fqe", "cfc", 1650),
        (1900, "cma", "fqe", 2000),
    ],
)  # fmt: skip
def test_the_rules_of_echecs_et_maths_hold(
    rating: float, from_scale: str, to_scale: str, expected: float
) -> None:
    found = converted(rating, from_scale, to_scale)
    assert (found.low, found.high) == (expected - BY_RULE, expected + BY_RULE)


def test_where_a_scale_stands_still_the_range_holds_all_that_belong_to_it() -> None:
    # ChessGoals gives Lichess classical 1935 for Chess.com blitz 1500, 1550 and 1600.
    found = converted(1935, "lichess_classical", "chesscom_blitz")
    assert (found.low, found.high) == (1500 - BETWEEN_PLAYERS, 1600 + BETWEEN_PLAYERS)


def test_another_source_for_the_same_pair_is_named() -> None:
    (other,) = converted(2000, "lichess_blitz", "fide").others
    assert other.rating == pytest.approx(78.643 + 0.80397 * 2000)
    (dojo,) = converted(1800, "fide", "uscf").others
    assert dojo.source.startswith("ChessDojo") and dojo.rating == 1750
    # A regression says nothing about the way back.
    assert converted(1800, "fide", "lichess_blitz").others == ()


def test_without_a_common_source_the_steps_are_named_and_their_uncertainties_add_up() -> None:
    found = converted(1900, "lichess_rapid", "cfc")
    assert [(s.from_scale, s.to_scale) for s in found.steps] == [
        ("lichess_rapid", "chesscom_rapid"), ("chesscom_rapid", "cfc"),
    ]  # fmt: skip
    assert found.high - found.low >= 4 * BETWEEN_PLAYERS


@pytest.mark.parametrize(
    ("rating", "from_scale", "to_scale", "known"),
    [
        (3001, "chesscom_blitz", "lichess_blitz", "from chesscom_blitz 500 to 3000"),
        (499, "chesscom_blitz", "lichess_blitz", "from chesscom_blitz 500 to 3000"),
        (900, "chesscom_blitz", "fide", "from chesscom_blitz 1000 to 3000"),
        (1799, "cfc", "cma", "from cfc 1800 to 3050"),
    ],
)
def test_nothing_is_extrapolated(rating: float, from_scale: str, to_scale: str, known: str) -> None:
    found = convert(rating, from_scale=from_scale, to_scale=to_scale)
    assert isinstance(found, NoEstimate)
    assert f"{rating:g} lies outside what is known" in found.reason
    assert found.reason.endswith(known)


@given(pairs, ratings)
def test_every_pair_gives_a_range_or_the_range_that_is_known(
    pair: tuple[str, str], rating: float
) -> None:
    found = convert(rating, from_scale=pair[0], to_scale=pair[1])
    if isinstance(found, NoEstimate):
        start, end = found.reason.rpartition("from ")[2].split(" ", 1)[1].split(" to ")
        assert not float(start) <= rating <= float(end)
        assert isinstance(convert(float(start), from_scale=pair[0], to_scale=pair[1]), Conversion)
        assert isinstance(convert(float(end), from_scale=pair[0], to_scale=pair[1]), Conversion)
    else:
        assert found.high - found.low >= 2 * BY_RULE


@given(pairs, ratings, ratings)
def test_a_higher_rating_never_converts_to_a_lower_one(
    pair: tuple[str, str], a: float, b: float
) -> None:
    lower, higher = (
        convert(r, from_scale=pair[0], to_scale=pair[1]) for r in (min(a, b), max(a, b))
    )
    if isinstance(lower, Conversion) and isinstance(higher, Conversion):
        assert higher.low >= lower.low - 1e-9
        assert higher.high >= lower.high - 1e-9


@given(pairs, ratings)
def test_there_and_back_stays_within_the_stated_range(pair: tuple[str, str], rating: float) -> None:
    there = convert(rating, from_scale=pair[0], to_scale=pair[1])
    assume(isinstance(there, Conversion))
    assert isinstance(there, Conversion)
    back = convert((there.low + there.high) / 2, from_scale=pair[1], to_scale=pair[0])
    if isinstance(back, Conversion):
        assert back.low <= rating <= back.high


@pytest.mark.parametrize("known", RATING_MAPS, ids=lambda known: known.source)
def test_no_scale_of_a_map_ever_falls(known: RatingMap) -> None:
    assert {len(row) for row in known.rows} == {len(known.scales)}
    for column in zip(*known.rows, strict=True):
        numbers = [number for number in column if number is not None]
        assert numbers == sorted(numbers)


def test_an_unknown_scale_and_a_scale_onto_itself_are_refused() -> None:
    with pytest.raises(InputError, match="'elo' is no scale that movelo knows: take chesscom_"):
        convert(1500, from_scale="elo", to_scale="fide")
    with pytest.raises(InputError, match="fide is one scale, not two"):
        convert(1500, from_scale="fide", to_scale="fide")
