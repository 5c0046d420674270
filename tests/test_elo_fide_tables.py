"""FIDE's two tables, every row, and the laws that hold for them."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.elo.fide_tables import rating_difference, scoring_percent

VECTORS = Path(__file__).parent / "vectors"


def rows(name: str) -> list[dict[str, str]]:
    with (VECTORS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def percent(text: str) -> int:
    return round(float(text) * 100)


def test_both_tables_have_all_their_rows() -> None:
    assert len(rows("fide_8_1_1")) == 101
    assert len(rows("fide_8_1_2")) == 51


@pytest.mark.parametrize("row", rows("fide_8_1_1"), ids=lambda r: r["p"])
def test_table_8_1_1_gives_the_printed_difference(row: dict[str, str]) -> None:
    assert rating_difference(percent(row["p"])) == int(row["dp"])


@pytest.mark.parametrize("row", rows("fide_8_1_2"), ids=lambda r: r["d_min"])
def test_table_8_1_2_gives_the_printed_expectation_over_its_whole_range(
    row: dict[str, str],
) -> None:
    first, last = int(row["d_min"]), int(row["d_max"] or 5000)
    for difference in range(first, last + 1):
        assert scoring_percent(difference) == percent(row["pd_higher"])
        if difference:
            assert scoring_percent(-difference) == percent(row["pd_lower"])


@given(st.integers(-3000, 3000))
def test_the_expectations_of_both_players_make_one_point(difference: int) -> None:
    assert scoring_percent(difference) + scoring_percent(-difference) == 100


@given(st.integers(-3000, 3000), st.integers(0, 500))
def test_a_larger_difference_never_promises_less(difference: int, more: int) -> None:
    assert scoring_percent(difference + more) >= scoring_percent(difference)


@pytest.mark.parametrize("percent", range(100))
def test_a_larger_score_stands_for_a_larger_difference(percent: int) -> None:
    assert rating_difference(percent) < rating_difference(percent + 1)


@pytest.mark.parametrize("percent", range(101))
def test_the_table_of_differences_is_the_same_seen_from_the_other_side(percent: int) -> None:
    assert rating_difference(100 - percent) == -rating_difference(percent)


@pytest.mark.parametrize("outside", [-1, 101])
def test_a_score_outside_0_to_100_percent_has_no_difference(outside: int) -> None:
    with pytest.raises(ValueError, match="0 to 100 percent"):
        rating_difference(outside)
