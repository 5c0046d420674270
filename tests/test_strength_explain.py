"""Which moves spoke for more than a range shows, and which for less."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_reports import LIMIT, STOCKFISH, made_move, made_summary
from simulated_humans import chosen_rows, simulated_likelihoods

from config.errors import ModelError
from engines.evals import COLORS, Color
from engines.human_likelihoods import RATINGS, HumanLikelihoods
from pipeline.records import Division, Explanation, GameAnalysis, Phase
from pipeline.strength.explain import DISTANCE, LEAST_LOG_RATIO, STRONGEST, explain

PHASES = ((20, Phase.OPENING), (50, Phase.MIDDLEGAME), (9999, Phase.ENDGAME))


def analysis(plies: int = 70) -> GameAnalysis:
    moves = tuple(
        made_move(
            ply=ply,
            color="white" if ply % 2 else "black",
            phase=next(phase for last, phase in PHASES if ply <= last),
        )
        for ply in range(1, plies + 1)
    )
    return GameAnalysis(
        game_id="g",
        engine=STOCKFISH,
        limit=LIMIT,
        moves=moves,
        white=made_summary(moves, "white"),
        black=made_summary(moves, "black"),
        division=Division(middlegame=20, endgame=50),
    )


def game(white: float = 1500, black: float = 1500, seed: int = 1) -> HumanLikelihoods:
    levels: dict[Color, float] = {"white": white, "black": black}
    return simulated_likelihoods(levels, np.random.default_rng(seed))


def of(seed: int = 1, *, level: float = 1500, white: float = 1500) -> Explanation:
    return explain(game(white, seed=seed), analysis(), "white", level=level)


def with_log_p(rows: dict[int, list[float]]) -> HumanLikelihoods:
    """A game whose other moves are equally likely at every rating."""
    human = game()
    log_p = np.full((len(human.plies), len(RATINGS)), -1.0)
    for ply, values in rows.items():
        log_p[list(human.plies).index(ply)] = values
    return replace(human, log_probabilities=log_p)


def rising(nats_per_600: float, last: float = -3.0) -> list[float]:
    return [last + nats_per_600 * (rating - RATINGS[0]) / 600 for rating in RATINGS]


@given(st.floats(-15, 0), st.floats(0, 4000))
@settings(max_examples=25, deadline=None)
def test_a_move_that_all_players_choose_alike_says_nothing(log_p: float, level: float) -> None:
    human = replace(game(), log_probabilities=np.full((64, len(RATINGS)), log_p))
    said = explain(human, analysis(), "black", level=level)
    assert [move.log_likelihood_ratio for move in said.moves] == pytest.approx([0] * 32, abs=1e-9)
    assert said.for_higher == said.for_lower == ()


def test_between_two_ratings_that_the_model_was_asked_at_it_is_the_models_own_answer() -> None:
    human = game()
    said = explain(human, analysis(), "white", level=1700)
    assert (said.lower_rating, said.higher_rating) == (1400, 2000)
    log_p = human.log_probabilities[human.plies % 2 == 1]
    ratios = log_p[:, RATINGS.index(2000)] - log_p[:, RATINGS.index(1400)]
    assert [move.log_likelihood_ratio for move in said.moves] == pytest.approx(ratios.tolist())


@given(st.floats(-2, 2), st.floats(0, 4000))
@settings(max_examples=25, deadline=None)
def test_what_stronger_players_choose_more_often_speaks_for_the_higher(
    nats: float, level: float
) -> None:
    said = explain(with_log_p({31: rising(nats)}), analysis(), "white", level=level)
    found = {move.ply: move.log_likelihood_ratio for move in said.moves}
    assert found[31] == pytest.approx(nats, abs=1e-9)
    assert [move.ply for move in said.for_higher] == ([31] if nats >= LEAST_LOG_RATIO else [])
    assert [move.ply for move in said.for_lower] == ([31] if nats <= -LEAST_LOG_RATIO else [])


@given(st.floats(-500, 5000))
@settings(max_examples=50, deadline=None)
def test_the_two_ratings_are_round_around_the_level_and_known_to_the_model(level: float) -> None:
    said = explain(game(), analysis(20), "white", level=level)
    assert said.lower_rating % 100 == said.higher_rating % 100 == 0
    assert said.higher_rating - said.lower_rating == 2 * DISTANCE
    assert RATINGS[0] <= said.lower_rating < said.higher_rating <= RATINGS[-1]
    if 900 <= level <= 2300:
        assert abs((said.lower_rating + said.higher_rating) / 2 - level) <= 50


@given(st.integers(0, 500), st.floats(700, 2500))
@settings(max_examples=40, deadline=None)
def test_the_strongest_three_either_way_are_named_strongest_first(seed: int, level: float) -> None:
    said = of(seed, level=level)
    for named, sign in ((said.for_higher, 1), (said.for_lower, -1)):
        strengths = [sign * move.log_likelihood_ratio for move in named]
        others = [sign * m.log_likelihood_ratio for m in said.moves if m not in named]
        assert strengths == sorted(strengths, reverse=True)
        assert len(strengths) <= STRONGEST == 3
        assert all(strength >= LEAST_LOG_RATIO for strength in strengths)
        left_out = [other for other in others if other >= LEAST_LOG_RATIO]
        assert len(named) == STRONGEST or not left_out
        assert not left_out or max(left_out) <= min(strengths)


def test_of_two_moves_that_say_as_much_the_earlier_comes_first() -> None:
    alike = {ply: rising(1.0) for ply in (41, 21, 61, 11)}
    said = explain(with_log_p(alike), analysis(), "white", level=1500)
    assert [move.ply for move in said.for_higher] == [11, 21, 41]


@given(st.integers(0, 500))
@settings(max_examples=20, deadline=None)
def test_the_phases_sum_what_their_moves_say(seed: int) -> None:
    said = of(seed)
    assert [phase.phase for phase in said.phases] == list(Phase)
    assert sum(phase.moves for phase in said.phases) == len(said.moves)
    opening = [move.log_likelihood_ratio for move in said.moves if move.ply <= 20]
    assert said.phases[0].log_likelihood_ratio == pytest.approx(sum(opening))
    total = sum(move.log_likelihood_ratio for move in said.moves)
    assert sum(p.log_likelihood_ratio for p in said.phases) == pytest.approx(total)


def test_a_phase_that_never_came_is_absent() -> None:
    said = explain(game(), analysis(30), "white", level=1500)
    assert [phase.phase for phase in said.phases] == [Phase.OPENING, Phase.MIDDLEGAME]


def test_each_side_is_explained_by_its_own_moves() -> None:
    for color in COLORS:
        said = explain(game(), analysis(), color, level=1500)
        assert [m.ply for m in said.moves] == list(range(7 if color == "white" else 8, 71, 2))


def test_forced_moves_and_moves_without_an_evaluation_are_absent() -> None:
    human = game()
    forced = replace(human, legal_move_counts=np.where(human.plies == 21, 1, 6))
    scored = analysis()
    partly = replace(scored, moves=tuple(move for move in scored.moves if move.ply != 35))
    said = explain(forced, partly, "white", level=1500)
    assert {7, 19, 23, 33, 37} <= {move.ply for move in said.moves}
    assert not {21, 35} & {move.ply for move in said.moves}


def test_a_game_in_which_the_model_saw_nothing_has_an_empty_explanation() -> None:
    none = chosen_rows(game(), np.zeros(64, dtype=bool))
    said = explain(none, analysis(), "white", level=1500)
    assert (said.moves, said.for_higher, said.for_lower, said.phases) == ((), (), (), ())


@pytest.mark.parametrize(("white", "sign"), [(2100, 1), (900, -1)])
def test_who_plays_above_the_level_has_moves_that_speak_for_the_higher(
    white: float, sign: int
) -> None:
    sums = [
        sum(move.log_likelihood_ratio for move in of(seed, white=white).moves) for seed in range(15)
    ]
    assert sign * np.mean(sums) > 3


def test_at_the_level_itself_moves_for_and_against_balance() -> None:
    sums = [sum(move.log_likelihood_ratio for move in of(seed).moves) for seed in range(60)]
    assert abs(np.mean(sums)) < 3 * np.std(sums) / len(sums) ** 0.5


def test_likelihoods_for_other_ratings_are_refused_with_their_game() -> None:
    other = replace(game(), game_id="abcd1234", ratings=(600, 1100, 1600, 2100, 2600))
    with pytest.raises(ModelError, match=r"abcd1234.*compute them again"):
        explain(other, analysis(), "white", level=1500)
