"""Where nodes are spared, and that whoever reads the evaluations need not know."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import chess
import pytest
from fake_uci_engine import searches_of, write_fake_engine
from hypothesis import given
from hypothesis import strategies as st
from test_engines_stockfish import REAL_ENGINE, game, needs_stockfish, there_and_back

from engines.effort import (
    DECIDED_CENTIPAWNS,
    OPENING_PLIES,
    forced_answer,
    is_decided,
    quick_nodes,
)
from engines.evals import Centipawns, Eval, KnownEval, Mate, PositionSequence, SearchLimit
from engines.stockfish import Stockfish
from pipeline.formulas.win_percent import win_percent

STANDARD = SearchLimit(nodes_per_position=10_000)
BEFORE_THE_CHECK = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
ONE_LEGAL_MOVE = "R6k/8/5K2/8/8/8/8/8 b - - 1 1"


def nodes_asked_for(folder: Path, sequence: PositionSequence, *faults: str) -> list[int]:
    """Of each search, in the order of the searches: the last position first."""
    log = folder / "log"
    with Stockfish(write_fake_engine(folder, *faults, "--log", str(log))) as stockfish:
        stockfish.evaluate(sequence, STANDARD, 20)
    lines = log.read_text().splitlines()
    return [int(line.split()[2]) for line in lines if line.startswith("go ")]


def test_the_first_eight_plies_get_a_fifth(tmp_path: Path) -> None:
    found = nodes_asked_for(tmp_path, game(there_and_back(12)))
    assert found == [10_000] * 5 + [2_000] * 8
    assert OPENING_PLIES == 8


def test_what_leads_to_a_decided_position_gets_a_fifth_as_long_as_it_is_decided_too(
    tmp_path: Path,
) -> None:
    found = nodes_asked_for(tmp_path, game(there_and_back(12)), "--mate", "3")
    assert found == [10_000] + [2_000] * 12


def test_where_it_was_decided_only_by_the_move_all_nodes_are_searched(tmp_path: Path) -> None:
    blunder = KnownEval(eval=Mate("black", 3), best_move_uci=None)
    sequence = replace(game(there_and_back(10)), known=((10, blunder),))
    assert nodes_asked_for(tmp_path, sequence) == [2_000, 10_000, 10_000] + [2_000] * 8


@pytest.mark.parametrize(
    ("asked", "quick"), [(1, 1), (2_000, 2_000), (5_000, 2_000), (10_000, 2_000), (50_000, 10_000)]
)
def test_a_fifth_is_never_less_than_two_thousand_nodes(asked: int, quick: int) -> None:
    assert quick_nodes(SearchLimit(nodes_per_position=asked)) == quick


def test_decided_is_what_is_won_at_ninety_five_percent() -> None:
    assert win_percent(Centipawns(DECIDED_CENTIPAWNS)) == pytest.approx(95, abs=0.1)


@given(st.integers(-3000, 3000))
def test_both_sides_may_have_decided_it(centipawns: int) -> None:
    assert is_decided(Centipawns(centipawns)) == is_decided(Centipawns(-centipawns))


# --- forced moves ----------------------------------------------------------------------------


def test_a_forced_move_is_not_searched_and_loses_nothing(tmp_path: Path) -> None:
    sequence = game("a1a8 h8h7 a8a1", BEFORE_THE_CHECK)
    engine = write_fake_engine(tmp_path, "--log", str(tmp_path / "log"))
    with Stockfish(engine) as stockfish:
        found = stockfish.evaluate(sequence, STANDARD, 20)
    assert found.evals[1] == found.evals[2]
    assert found.best_moves_uci[1] == "h8h7"
    sent = (tmp_path / "log").read_text().splitlines()
    assert [line.partition(" moves ")[2] for line in sent if line.startswith("position")] == [
        "a1a8 h8h7 a8a1",
        "a1a8 h8h7",
        "",
    ]


def test_with_all_nodes_forced_moves_are_searched_like_all_others(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path)
    with Stockfish(engine) as stockfish:
        stockfish.evaluate(game("a1a8 h8h7 a8a1", BEFORE_THE_CHECK), STANDARD.with_all_nodes(), 20)
    assert searches_of(engine) == 4


def test_a_last_position_with_one_legal_move_is_searched(tmp_path: Path) -> None:
    assert nodes_asked_for(tmp_path, game("", ONE_LEGAL_MOVE)) == [10_000]


@pytest.mark.parametrize(
    ("following", "before"),
    [
        (Centipawns(-37), Centipawns(-37)),
        (Mate("black", 2), Mate("black", 3)),
        (Mate("black", 0), Mate("black", 1)),
        (Mate("white", 2), Mate("white", 2)),
    ],
)
def test_a_mate_by_whoever_is_forced_is_a_move_further_away(following: Eval, before: Eval) -> None:
    assert forced_answer(chess.Board(ONE_LEGAL_MOVE), following) == (before, "h8h7")


def test_where_there_is_a_choice_nothing_is_forced() -> None:
    assert forced_answer(chess.Board(), Centipawns(20)) is None


# --- with Stockfish --------------------------------------------------------------------------


class TestWithStockfish:
    pytestmark = needs_stockfish

    def test_fewer_nodes_are_searched_and_the_same_is_found_where_they_are_not_spared(
        self,
    ) -> None:
        sequence = game(there_and_back(40))
        with Stockfish(REAL_ENGINE) as engine:
            sparing = engine.evaluate(sequence, STANDARD, 60)
            spared = engine.nodes_searched
            whole = engine.evaluate(sequence, STANDARD.with_all_nodes(), 60)
            all_nodes = engine.nodes_searched - spared
        assert sparing.evals[OPENING_PLIES:] == whole.evals[OPENING_PLIES:]
        assert spared < 0.9 * all_nodes

    def test_a_game_searched_twice_has_the_same_evaluations(self) -> None:
        mated = game("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7")
        with Stockfish(REAL_ENGINE) as engine:
            one, other = (engine.evaluate(mated, STANDARD, 60) for _time in range(2))
        assert one == other


def test_the_policies_that_spare_nodes_and_that_do_not_are_told_apart() -> None:
    whole = STANDARD.with_all_nodes()
    assert STANDARD.spares_nodes
    assert not whole.spares_nodes
    assert whole.with_all_nodes() == whole != STANDARD
    assert all(a.nodes_per_position == b.nodes_per_position for a, b in pairwise([STANDARD, whole]))
