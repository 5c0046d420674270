"""FIDE's changes, K and periods: FIDE's own figures, scalachess's tests, and their laws."""

import csv
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InputError
from pipeline.elo import fide
from pipeline.elo.fide import FIDE_RULES, FideRules, TimeControl, rules_on
from pipeline.elo.played import Played

VECTORS = Path(__file__).parent / "vectors"
RULES_2022, MARCH_2024, OCTOBER_2025 = (
    rules_on(date(2022, 1, 1)),
    rules_on(date(2024, 3, 1)),
    rules_on(date(2025, 10, 1)),
)

ratings = st.integers(1000, 2900)
halves = st.sampled_from([0.0, 0.5, 1.0])
rule_sets = st.sampled_from(FIDE_RULES)
controls = st.sampled_from(fide.TIME_CONTROLS)
ks = st.sampled_from([10, 20, 40])
game_lists = st.lists(st.builds(Played, ratings, halves), min_size=1, max_size=12)


def rows(name: str) -> list[dict[str, str]]:
    with (VECTORS / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


# --- which rules hold ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "begins"),
    [
        (date(2022, 1, 1), date(2022, 1, 1)),
        (date(2024, 2, 29), date(2022, 10, 1)),
        (date(2024, 3, 1), date(2024, 3, 1)),
        (date(2025, 9, 30), date(2024, 12, 1)),
        (date(2025, 10, 1), date(2025, 10, 1)),
        (date(2030, 1, 1), date(2025, 10, 1)),
    ],
)
def test_the_rules_are_those_of_the_day(day: date, begins: date) -> None:
    assert rules_on(day).begins == begins


def test_a_date_before_the_rules_is_refused_with_both_dates() -> None:
    with pytest.raises(InputError, match="begin on 2022-01-01, and the date is 2021-12-31"):
        rules_on(date(2021, 12, 31))


# --- one game --------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("fide_change_calculator"), ids=lambda r: r["id"])
def test_a_game_changes_what_the_regulation_says(row: dict[str, str]) -> None:
    # Recomputed from the regulation's tables where FIDE's calculator still has older rules.
    own, opponent = int(row["rating"]), int(row["opponent"])
    found = fide.game_change(own, opponent, float(row["score"]), int(row["k"]), OCTOBER_2025)
    assert found == float(row["change_by_regulation_8_3_1_from_2025_10_01"])
    assert fide.expected(own, opponent, OCTOBER_2025) == float(row["pd_by_regulation"])


@pytest.mark.parametrize("row", rows("fide_change_calculator"), ids=lambda r: r["id"])
def test_fide_s_calculator_of_2026_counts_as_in_march_2024(row: dict[str, str]) -> None:
    own, opponent = int(row["rating"]), int(row["opponent"])
    found = fide.game_change(own, opponent, float(row["score"]), int(row["k"]), MARCH_2024)
    assert found == float(row["ratings_fide_com_calculator_2026_10_09"])


def change_name(row: dict[str, str]) -> str:
    return "-".join(row.values())


@pytest.mark.parametrize("row", rows("fide_change_scalachess"), ids=change_name)
def test_a_game_changes_what_scalachess_tests(row: dict[str, str]) -> None:
    control: TimeControl = row["time_control"]  # type: ignore[assignment]
    change = fide.game_change(
        int(row["rating"]),
        int(row["opponent"]),
        float(row["score"]),
        int(row["k"]),
        OCTOBER_2025,
        control,
    )
    assert fide.rounded_change(change) == int(row["expected_change_rounded"])


@pytest.mark.parametrize(
    "row", rows("fide_expected_scalachess"), ids=lambda r: r["opponent_minus_player"]
)
def test_expected_scores_are_those_scalachess_tests(row: dict[str, str]) -> None:
    # They are table 8.1.2 uncut, so from a rating that no difference is cut for.
    opponent = 2700 + int(row["opponent_minus_player"])
    assert fide.expected(2700, opponent, OCTOBER_2025) == float(row["expected_score"])


def test_the_table_and_the_formula_differ_at_400_points() -> None:
    assert fide.expected(1900, 1500, OCTOBER_2025) == 0.92


@given(ratings, ratings, rule_sets, controls)
def test_the_expected_scores_of_both_players_make_one_point(
    a: int, b: int, rules: FideRules, control: TimeControl
) -> None:
    both_cut = abs(fide.counted_difference(a, b, rules, control)) == abs(
        fide.counted_difference(b, a, rules, control)
    )
    total = fide.expected(a, b, rules, control) + fide.expected(b, a, rules, control)
    # A player from 2650 on counts the true difference while the opponent's is cut to 400.
    assert total == pytest.approx(1) or not both_cut


@given(ratings, ratings, halves, ks, rule_sets, controls)
def test_equal_k_gives_one_player_what_the_other_loses(
    a: int, b: int, score: float, k: int, rules: FideRules, control: TimeControl
) -> None:
    if abs(a - b) <= 400:
        mine = fide.game_change(a, b, score, k, rules, control)
        theirs = fide.game_change(b, a, 1 - score, k, rules, control)
        assert mine == -theirs


def test_only_standard_ratings_from_2650_count_the_true_difference() -> None:
    assert fide.counted_difference(2650, 2100, OCTOBER_2025) == 550
    assert fide.counted_difference(2649, 2100, OCTOBER_2025) == 400
    assert fide.counted_difference(2650, 2100, MARCH_2024) == 400
    assert fide.counted_difference(2650, 2100, OCTOBER_2025, "rapid") == 400
    assert fide.counted_difference(2100, 2650, OCTOBER_2025) == -400


def test_rapid_mismatches_are_unrated_from_december_2024() -> None:
    before, after = rules_on(date(2024, 11, 30)), rules_on(date(2024, 12, 1))
    for control in ("rapid", "blitz"):
        assert fide.is_rated(2601, 2001, before, control)
        assert not fide.is_rated(2601, 2001, after, control)
        assert not fide.is_rated(2001, 2601, after, control)
        assert fide.is_rated(2601, 2002, after, control)
        assert fide.is_rated(2600, 2000, after, control)
    assert fide.is_rated(2601, 2001, after, "standard")


# --- a period --------------------------------------------------------------------------------


@pytest.mark.parametrize("row", rows("fide_period_rounding"), ids=lambda r: r["case"])
def test_a_real_period_s_sum_is_rounded_once(row: dict[str, str]) -> None:
    assert fide.rounded_change(float(row["sum_K_x_change"])) == int(row["rounded_once"])


def test_fide_s_lists_follow_one_rounding_in_13_of_14_cases_that_tell() -> None:
    telling = [
        row
        for row in rows("fide_period_rounding")
        if row["rounded_once"] != row["rounded_per_tournament"]
    ]
    as_listed = [
        fide.rounded_change(float(row["sum_K_x_change"])) == int(row["official_list_change"])
        for row in telling
    ]
    assert (as_listed.count(True), len(telling)) == (13, 14)


@given(st.integers(-70000, 70000))
def test_halves_are_rounded_away_from_zero(hundredths: int) -> None:
    points = fide.rounded_change(hundredths / 100)
    assert abs(points * 100 - hundredths) <= 50
    assert fide.rounded_change(-hundredths / 100) == -points
    if hundredths % 100 == 50:
        assert abs(points) == (abs(hundredths) + 50) // 100


# A real event of 2022, with FIDE's own figures: chesschat.org, thread 18971. One upgrade only,
# 1063 to 1600; the other three opponents more than 400 points down count as they are.
UPGRADES = [
    (1063, 1.0, 0.08),
    (1299, 1.0, 0.01),
    (1413, 1.0, 0.02),
    (1872, 0.5, -0.17),
    (1851, 0.0, -0.70),
    (1427, 1.0, 0.02),
    (1682, 1.0, 0.13),
]


def test_in_2022_one_opponent_an_event_is_upgraded_as_fide_published() -> None:
    event = [Played(opponent, score) for opponent, score, _ in UPGRADES]
    period = fide.period_change(2000, [event], k=20, rules=RULES_2022, control="rapid")
    changes = [round(game.change / 20, 2) for game in period.games]
    assert changes == [change for _, _, change in UPGRADES]
    assert period.unrounded_change == -12.2
    assert period.change == -12


def test_in_2022_every_event_has_its_own_upgrade() -> None:
    games = [Played(1300, 1), Played(1200, 1)]
    together = fide.period_change(2000, [games], k=20, rules=RULES_2022)
    apart = fide.period_change(2000, [games[:1], games[1:]], k=20, rules=RULES_2022)
    assert [game.counted_difference for game in together.games] == [700, 400]
    assert [game.counted_difference for game in apart.games] == [400, 400]
    later = fide.period_change(2000, [games], k=20, rules=MARCH_2024)
    assert [game.counted_difference for game in later.games] == [400, 400]


def test_in_2022_the_lower_rated_player_s_difference_is_cut_in_every_game() -> None:
    games = [Played(1900, 0), Played(2000, 0.5)]
    period = fide.period_change(1400, [games], k=20, rules=RULES_2022)
    assert [game.counted_difference for game in period.games] == [-400, -400]


def test_a_period_shows_its_games_and_its_sums() -> None:
    games = [Played(1400, 1), Played(1600, 0.5), Played(1550, 0)]
    period = fide.period_change(1500, [games], k=20, rules=OCTOBER_2025)
    assert [game.expected_score for game in period.games] == [0.64, 0.36, 0.43]
    assert [game.change for game in period.games] == [7.2, 2.8, -8.6]
    assert (period.score, period.expected_score) == (1.5, 1.43)
    assert (period.unrounded_change, period.change, period.rating_after) == (1.4, 1, 1501)
    assert not period.below_floor


def test_a_long_period_counts_with_a_smaller_k() -> None:
    games = [Played(1500, 1)] * 20
    period = fide.period_change(1500, [games], k=40, rules=OCTOBER_2025)
    assert (period.k, period.k_used, period.change) == (40, 35, 350)


def test_unrated_games_change_nothing_and_do_not_count_towards_700() -> None:
    games = [Played(1500, 1)] * 17 + [Played(2700, 0)]
    period = fide.period_change(1500, [games], k=40, rules=OCTOBER_2025, control="blitz")
    assert period.k_used == 40
    assert period.games[-1].rated is False
    assert (period.games[-1].change, period.score) == (0, 17)
    alone = fide.period_change(1500, [games[-1:]], k=40, rules=OCTOBER_2025, control="blitz")
    assert alone.change == 0


def test_a_rating_under_the_floor_is_marked() -> None:
    lost = [[Played(1400, 0)] * 3]
    assert fide.period_change(1405, lost, k=40, rules=MARCH_2024).below_floor
    assert not fide.period_change(1405, lost, k=40, rules=RULES_2022).below_floor


@given(ratings, game_lists, ks, rule_sets, controls, st.integers(0, 11))
def test_a_better_result_never_lowers_the_rating(
    rating: int,
    games: list[Played],
    k: int,
    rules: FideRules,
    control: TimeControl,
    index: int,
) -> None:
    place = index % len(games)
    better = [*games]
    better[place] = Played(games[place].opponent_rating, min(1, games[place].score + 0.5))
    worse = fide.period_change(rating, [games], k=k, rules=rules, control=control)
    improved = fide.period_change(rating, [better], k=k, rules=rules, control=control)
    assert improved.rating_after >= worse.rating_after


@given(ratings, ratings, ks, rule_sets, controls)
def test_a_win_never_costs_and_a_loss_never_gains(
    rating: int, opponent: int, k: int, rules: FideRules, control: TimeControl
) -> None:
    assert fide.game_change(rating, opponent, 1, k, rules, control) >= 0
    assert fide.game_change(rating, opponent, 0, k, rules, control) <= 0


@given(ratings, ratings, halves, ks, rule_sets, controls)
def test_one_game_is_a_period_of_one_game(
    a: int, b: int, score: float, k: int, rules: FideRules, control: TimeControl
) -> None:
    period = fide.period_change(a, [[Played(b, score)]], k=k, rules=rules, control=control)
    assert period.unrounded_change == fide.game_change(a, b, score, k, rules, control)


# --- K ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row", rows("fide_k700"), ids=lambda r: f"{r['k_base']}x{r['games_in_period']}"
)
def test_the_700_rule_gives_the_listed_k(row: dict[str, str]) -> None:
    k, games = int(row["k_base"]), int(row["games_in_period"])
    assert fide.k_within_700(k, games) == int(row["k_used"])


@given(ks, st.integers(1, 1000))
def test_the_700_rule_takes_the_largest_k_that_fits(k: int, games: int) -> None:
    used = fide.k_within_700(k, games)
    assert used * games <= 700
    assert used == k or (used + 1) * games > 700


@pytest.mark.parametrize(
    ("rating", "highest", "games", "birth_year", "k"),
    [
        (1800, 1850, 100, 1980, 20),
        (1800, 1850, 29, 1980, 40),
        (1800, 1850, 30, 1980, 20),
        (2399, None, 500, None, 20),
        (2400, None, 500, None, 10),
        (2150, 2400, 500, 1960, 10),
        (1800, None, 100, 2008, 40),
        (1800, None, 100, 2007, 20),
        (2299, 2310, 100, 2010, 40),
        (2300, None, 100, 2010, 20),
        (2280, 2405, 100, 2010, 10),
        (1800, None, 5, None, 40),
    ],
)
def test_k_is_40_20_or_10(
    rating: int, highest: int | None, games: int, birth_year: int | None, k: int
) -> None:
    found = fide.k_factor(
        rating=rating,
        highest_published_rating=highest,
        games_played=games,
        birth_year=birth_year,
        on=date(2026, 12, 31),
    )
    assert found == k


@pytest.mark.parametrize(
    ("day", "control", "k"),
    [
        (date(2022, 9, 30), "rapid", 20),
        (date(2022, 9, 30), "blitz", 20),
        (date(2022, 9, 30), "standard", 10),
        (date(2022, 10, 1), "rapid", 10),
    ],
)
def test_rapid_and_blitz_had_k_20_until_october_2022(
    day: date, control: TimeControl, k: int
) -> None:
    found = fide.k_factor(
        rating=2500,
        highest_published_rating=2550,
        games_played=900,
        birth_year=1990,
        on=day,
        control=control,
    )
    assert found == k


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"highest_published_rating": 1700}, "cannot be under the current one"),
        ({"games_played": -1}, "number of rated games"),
        ({"birth_year": 2027}, "Nobody born in 2027"),
        ({"birth_year": 80}, "Nobody born in 80"),
        ({"on": date(2021, 6, 1)}, "begin on 2022-01-01"),
        ({"control": "bullet"}, "standard, rapid and blitz"),
        ({"rating": 1800.5}, "whole number as FIDE publishes"),
    ],
)
def test_an_impossible_player_has_no_k(changed: dict[str, object], message: str) -> None:
    player = {
        "rating": 1800,
        "highest_published_rating": 1850,
        "games_played": 50,
        "birth_year": 1980,
        "on": date(2026, 1, 1),
    }
    with pytest.raises(InputError, match=message):
        fide.k_factor(**{**player, **changed})  # type: ignore[arg-type]


# --- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize("k", [0, -10, 20.5, float("nan")])
def test_an_impossible_k_is_refused(k: int) -> None:
    with pytest.raises(InputError, match="K must be a whole number above 0"):
        fide.game_change(1500, 1500, 1, k, OCTOBER_2025)


@pytest.mark.parametrize("rating", [1500.5, float("nan"), float("inf"), -1500])
def test_a_rating_that_fide_cannot_have_published_is_refused(rating: float) -> None:
    with pytest.raises(InputError, match=r"^The rating must be a whole number"):
        fide.game_change(rating, 1500, 1, 20, OCTOBER_2025)
    with pytest.raises(InputError, match=r"^The opponent's rating must be a whole number"):
        fide.game_change(1500, rating, 1, 20, OCTOBER_2025)


def test_a_bad_game_of_a_period_is_named_by_its_place() -> None:
    events = [[Played(1500, 1)], [Played(1500, 1), Played(1500.5, 1)]]
    with pytest.raises(InputError, match=r"^Game 3: the opponent's rating must be a whole"):
        fide.period_change(1500, events, k=20, rules=OCTOBER_2025)
    with pytest.raises(InputError, match=r"^Game 1: the score must be 1, 0\.5 or 0"):
        fide.period_change(1500, [[Played(1500, 7)]], k=20, rules=OCTOBER_2025)


@pytest.mark.parametrize("events", [[], [[]], [[], []]])
def test_a_period_without_games_is_refused(events: list[list[Played]]) -> None:
    with pytest.raises(InputError, match="There are no games"):
        fide.period_change(1500, events, k=20, rules=OCTOBER_2025)
    with pytest.raises(InputError, match="at least one game"):
        fide.k_within_700(20, 0)


# --- the raise of 1 March 2024 ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [(1000, 1400), (1500, 1700), (1999, 1999), (1998, 1999), (2000, 2000), (2700, 2700)],
)
def test_ratings_under_2000_rose_by_two_fifths_of_the_way(old: int, new: int) -> None:
    assert fide.march_2024_raise(old) == new


def test_a_rating_that_february_2024_could_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="begins at 1000"):
        fide.march_2024_raise(999)
