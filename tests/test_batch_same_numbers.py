"""What was made quicker gives the very numbers that the plain way gives."""

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_games import random_export_game

from engines.evals import COLORS
from pipeline.analysis import analyse, source_evals
from pipeline.fetch.export import game_from_export
from pipeline.formulas.division import divide
from pipeline.replay import Replay, replay
from pipeline.strength.estimate import StrengthModel


@pytest.mark.parametrize("seed", range(25))
def test_what_a_move_looked_like_is_what_the_board_says(seed: int) -> None:
    record = random_export_game(seed, analysed=True, plies=20 + 8 * seed)
    game = game_from_export(record, where="a test")
    replayed = replay(game)
    evals = source_evals(game, replayed)
    assert evals is not None
    analysis = analyse(game, replayed, evals)
    assert analysis.division == divide(replayed.boards())
    assert replayed.ends_in_checkmate == replayed.final_board().is_checkmate()
    boards = positions(replayed)
    assert len(analysis.moves) > 10
    for move in analysis.moves:
        board, uci = boards[move.ply - 1], chess.Move.from_uci(move.move_uci)
        best = evals.best_moves_uci[move.ply - 1]
        assert move.color == chess.COLOR_NAMES[board.turn]
        assert move.san == board.san(uci)
        assert move.gives_check == board.gives_check(uci)
        assert move.captures == board.is_capture(uci)
        assert move.legal_move_count == board.legal_moves.count()
        assert move.best_move_san == (best and board.san(chess.Move.from_uci(best)))
        assert move.is_best_move == (best and best == move.move_uci)


@given(st.integers(0, 2**32))
def test_one_row_is_read_by_the_forest_as_many_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for speed in StrengthModel.load().fitted.speeds:
        for channel in speed.channels:
            rows = rng.normal(20, 30, size=(3, len(channel.feature_names)))
            rows[rng.random(rows.shape) < 0.1] = np.nan
            together = channel.forest.predict(rows)
            alone = [channel.forest.predict(row[np.newaxis])[0] for row in rows]
            assert alone == together.tolist()


def test_evidence_is_made_of_what_its_digest_is_of() -> None:
    """The digest tells two games apart wherever their evidence differs."""
    from pipeline.evidence import _inputs_digest

    model, seen = StrengthModel.load(), {}
    for seed in range(6):
        for plies in (40, 41, 60):
            record = random_export_game(seed, analysed=True, plies=plies)
            game = game_from_export(record, where="a test")
            replayed = replay(game)
            evals = source_evals(game, replayed)
            assert evals is not None
            analysis = analyse(game, replayed, evals)
            made = tuple(repr(model.evidence(game, analysis, color)) for color in COLORS)
            assert seen.setdefault(_inputs_digest(game, analysis), made) == made
    assert len(seen) == 18


def positions(replayed: Replay) -> list[chess.Board]:
    return [board.copy(stack=False) for board in replayed.boards()]
