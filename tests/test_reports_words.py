"""What users rely on in movelo's numbers and words."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_reports import made_game_report, made_strength

from config.language import speaking
from pipeline.differences.find import find_differences
from pipeline.records import Differences, NoEstimate
from pipeline.records.zones import zone_name
from reports.words import (
    coverage_text,
    outcome_word,
    percent_text,
    period_text,
    range_text,
    rating_text,
    reason_text,
    rounded_to_ten,
    score_of_text,
    score_text,
    strength_text,
    views_text,
    zone_text,
)

RATINGS = st.floats(min_value=0, max_value=4000)


def test_a_strength_is_shown_as_a_range_rounded_to_ten() -> None:
    strength = made_strength(low=1475.0, median=1650.0, high=1794.9)
    assert strength_text(strength) == "1,480–1,790"


def test_no_estimate_is_a_dash_and_keeps_its_reason() -> None:
    missing = NoEstimate(reason="too few moves.\n")
    assert strength_text(missing) == "—"
    assert reason_text(missing) == "too few moves"
    assert reason_text(made_strength()) == ""


def test_it_is_said_who_looked_at_the_moves() -> None:
    assert views_text(0, 30) == "from Stockfish's view alone"
    assert views_text(30, 30) == "from Stockfish's view and a human-move model"
    assert views_text(28, 30) == (
        "from Stockfish's view and, in 28 of 30 games, a human-move model"
    )


@given(RATINGS, RATINGS)
def test_rounding_never_turns_a_range_around(one: float, other: float) -> None:
    low, high = sorted((one, other))
    shown_low, shown_high = (int(end.replace(",", "")) for end in range_text(low, high).split("–"))
    assert shown_low <= shown_high
    assert shown_low % 10 == shown_high % 10 == 0
    assert abs(shown_low - low) <= 5 and abs(shown_high - high) <= 5


def test_halves_are_rounded_upwards_and_not_to_even() -> None:
    assert [rounded_to_ten(rating) for rating in (1465.0, 1475.0)] == [1470, 1480]


@pytest.mark.parametrize(
    ("score", "shown"),
    [(0.0, "0"), (0.5, "½"), (1.0, "1"), (12.5, "12½"), (1200.5, "1,200½"), (None, "—")],
)
def test_scores_have_halves(score: float | None, shown: str) -> None:
    assert score_text(score) == shown


def test_scores_name_the_number_of_games() -> None:
    assert score_of_text(12.5, 20) == "12½/20"
    assert [outcome_word(score) for score in (1.0, 0.5, 0.0, None)] == [
        "win",
        "draw",
        "loss",
        "no result",
    ]


def test_a_provisional_rating_carries_lichess_question_mark() -> None:
    assert rating_text(1834, provisional=True) == "1,834?"
    assert rating_text(1834) == "1,834"
    assert rating_text(None, provisional=True) == "—"


def test_percentages_and_coverages_say_percent() -> None:
    assert percent_text(84.5) == "85 %"
    assert percent_text(None) == "—"
    assert coverage_text(0.8, 0.8) == "80 %"
    assert coverage_text(0.955, 0.8) == "80–95.5 %"
    assert coverage_text() == ""


def test_a_day_is_the_day_in_the_readers_zone() -> None:
    late = datetime(2026, 3, 14, 23, 30, tzinfo=UTC)
    assert period_text(late, late, UTC) == "14 March 2026"
    assert period_text(late, late, ZoneInfo("Europe/Berlin")) == "15 March 2026"
    assert zone_text(UTC, late) == "UTC"
    assert zone_text(ZoneInfo("Europe/Berlin"), late) == "Europe/Berlin"


class Nameless(tzinfo):
    """Some machine's own time."""

    def utcoffset(self, dt: datetime | None) -> timedelta:
        return timedelta(hours=1)

    def dst(self, dt: datetime | None) -> timedelta:
        return timedelta(0)

    def tzname(self, dt: datetime | None) -> None:
        return None


def test_a_zone_without_a_name_is_local_time_to_readers_and_records_alike() -> None:
    when = datetime(2026, 3, 14, tzinfo=UTC)
    assert zone_text(Nameless(), when) == zone_name(Nameless(), when) == "local time"
    found = find_differences([made_game_report(1)], zone=Nameless())
    assert isinstance(found, Differences) and found.hours_zone == "local time"
    with speaking("fr"):
        assert zone_text(Nameless(), when) == "heure locale"
        assert zone_name(Nameless(), when) == "local time"


def test_a_period_names_its_year_once_unless_it_spans_two() -> None:
    first, last = datetime(2025, 12, 31, tzinfo=UTC), datetime(2026, 3, 14, tzinfo=UTC)
    january = datetime(2026, 1, 3, tzinfo=UTC)
    assert period_text(january, last, UTC) == "3 January – 14 March 2026"
    assert period_text(first, last, UTC) == "31 December 2025 – 14 March 2026"
