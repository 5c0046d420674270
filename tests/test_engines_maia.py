"""What `MaiaModel` promises, on a tiny network; on the real one where it and answers are given.

For the real one, set MOVELO_MAIA_MODEL to an installed model, MOVELO_MAIA_PUBLISHED to the
folder of the published .onnx and .onnx.data, and MOVELO_MAIA_ANSWERS to a file of one JSON
object a line: `id`, `moves_uci`, `ratings`, and `logp`, per ply null or one number a rating.
"""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import chess
import numpy as np
import pytest
from made_maia import made_weights, plain_logits, write_made_model

from config.errors import IllegalMove, InputError, ModelError
from engines.evals import PositionSequence
from engines.human_likelihoods import FIRST_PLY, RATINGS, HumanLikelihoods
from engines.maia import MaiaModel, _logits
from engines.maia_network import write_network
from engines.maia_tokens import choices
from engines.onnx_read import read_weights

pytest.importorskip("onnxruntime")

RUY_LOPEZ = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3"
GAME = PositionSequence(
    game_id="g", start_fen=chess.STARTING_FEN, moves_uci=tuple(RUY_LOPEZ.split())
)
FORCED = PositionSequence(
    game_id="forced",
    start_fen="k7/8/8/8/8/8/1q6/K7 w - - 0 1",
    moves_uci=("a1b2", "a8b8"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("maia")


@pytest.fixture(scope="module")
def exact(folder: Path) -> MaiaModel:
    """The tiny network in float32."""
    return MaiaModel(write_made_model(folder / "exact.onnx", quantised=False))


@pytest.fixture(scope="module")
def quick(folder: Path) -> MaiaModel:
    """The same as it is installed: matrices of 7 bits."""
    return MaiaModel(write_made_model(folder / "quick.onnx"))


def plain_log_probabilities(rating: int) -> np.ndarray:  # type: ignore[type-arg]
    """Of the moves of GAME from FIRST_PLY on, by numpy alone."""
    answers = []
    for choice in choices(GAME, FIRST_PLY, ("white", "black")):
        logits, _ = plain_logits(made_weights(), choice.tokens[0].astype(float), rating)
        legal = logits[list(choice.move_indices)]
        answers.append(legal[choice.played] - np.log(np.exp(legal).sum()))
    return np.array(answers)


# --- the numbers ---------------------------------------------------------------------------


@pytest.mark.parametrize("rating", [600, 1800, 2600])
def test_log_probabilities_are_those_of_the_network_computed_plainly(
    exact: MaiaModel, rating: int
) -> None:
    found = exact.likelihoods(GAME, ratings=(rating,)).log_probabilities[:, 0]
    assert found == pytest.approx(plain_log_probabilities(rating), abs=1e-3)
    assert found.std() > 0.3  # a network that tells moves apart, or this would show nothing


def test_expected_scores_are_those_of_the_network_computed_plainly(exact: MaiaModel) -> None:
    found = exact.likelihoods(GAME, ratings=(1500,)).expected_scores[:, 0]
    plain = []
    for choice in choices(GAME, FIRST_PLY, ("white", "black")):
        _, value = plain_logits(made_weights(), choice.tokens[0].astype(float), 1500)
        loss, draw, win = np.exp(value) / np.exp(value).sum()
        assert loss > 0
        plain.append(win + draw / 2)
    assert found == pytest.approx(plain, abs=1e-3)


def test_promotions_are_judged_by_their_files_and_their_piece(exact: MaiaModel) -> None:
    fen = "1r5k/P1P5/8/8/8/8/8/K7 w - - 0 1"
    moves = [start + piece for start in ("a7a8", "a7b8", "c7b8", "c7c8") for piece in "qrbn"]
    games = [PositionSequence(game_id="g", start_fen=fen, moves_uci=(move,)) for move in moves]
    found = [exact.likelihoods(game, first_ply=1, ratings=(1500,)) for game in games]
    (choice,) = choices(games[0], 1, ("white",))
    logits, _ = plain_logits(made_weights(), choice.tokens[0].astype(float), 1500)
    legal = logits[list(choice.move_indices)]
    files = [(0, 0), (0, 1), (2, 1), (2, 2)]
    indices = [4096 + (start * 8 + end) * 4 + piece for start, end in files for piece in range(4)]
    plain = logits[indices] - legal.max() - np.log(np.exp(legal - legal.max()).sum())
    assert [answer.log_probabilities[0, 0] for answer in found] == pytest.approx(plain, abs=1e-3)


@pytest.mark.parametrize("plies", range(len(GAME.moves_uci)))
def test_the_next_move_is_expected_as_it_is_judged_once_played(
    quick: MaiaModel, plies: int
) -> None:
    so_far = PositionSequence(
        game_id="g", start_fen=GAME.start_fen, moves_uci=GAME.moves_uci[:plies]
    )
    expected = quick.next_move(so_far, self_rating=1400, opponent_rating=1400)
    judged = quick.likelihoods(GAME, ratings=(1400,), first_ply=plies + 1)
    played = expected.moves_uci.index(GAME.moves_uci[plies])
    assert np.log(expected.probabilities[played]) == judged.log_probabilities[0, 0]
    assert expected.expected_score == judged.expected_scores[0, 0]
    assert expected.entropy == pytest.approx(judged.entropies[0, 0])
    assert len(expected.moves_uci) == judged.legal_move_counts[0]
    assert sum(expected.probabilities) == pytest.approx(1)


def test_the_opponents_rating_is_another_question_than_ones_own(exact: MaiaModel) -> None:
    pairs = [(1000, 1000), (1000, 2000), (2000, 1000), (2000, 2000)]
    found = {
        exact.next_move(GAME, self_rating=own, opponent_rating=other).probabilities
        for own, other in pairs
    }
    assert len(found) == len(pairs)


def test_there_is_no_next_move_after_mate(quick: MaiaModel) -> None:
    mated = PositionSequence(
        game_id="g7", start_fen=chess.STARTING_FEN, moves_uci=("f2f3", "e7e5", "g2g4", "d8h4")
    )
    with pytest.raises(InputError, match="game g7 is over after ply 4"):
        quick.next_move(mated, self_rating=1500, opponent_rating=1500)


def test_the_quick_network_stays_near_the_exact_one(exact: MaiaModel, quick: MaiaModel) -> None:
    found = quick.likelihoods(GAME).log_probabilities
    wanted = exact.likelihoods(GAME).log_probabilities
    assert (found != wanted).all()
    assert np.corrcoef(found.ravel(), wanted.ravel())[0, 1] > 0.95


def test_summaries_belong_to_one_distribution_over_the_legal_moves(quick: MaiaModel) -> None:
    start = PositionSequence(game_id="g", start_fen=chess.STARTING_FEN, moves_uci=())
    log_p = []
    for move in chess.Board().legal_moves:
        game = PositionSequence(game_id="g", start_fen=start.start_fen, moves_uci=(move.uci(),))
        log_p.append(quick.likelihoods(game, first_ply=1).log_probabilities[0])
    table = np.array(log_p)
    p = np.exp(table)
    summary = quick.likelihoods(game, first_ply=1)
    assert p.sum(axis=0) == pytest.approx(1)
    assert summary.expected_log_probabilities[0] == pytest.approx(p.T @ table)
    assert summary.entropies[0] == pytest.approx(-(p * table).sum(axis=0))
    assert summary.expected_squares[0] == pytest.approx((p * table**2).sum(axis=0))
    assert summary.best_log_probabilities[0] == pytest.approx(table.max(axis=0))


def test_at_its_own_rating_a_move_is_expected_best(quick: MaiaModel) -> None:
    expected = quick.likelihoods(GAME).expected_log_probabilities
    own = np.diagonal(expected, axis1=1, axis2=2)
    assert (expected <= own[:, :, np.newaxis] + 1e-12).all()  # Gibbs' inequality


# --- what is asked, and what is answered ---------------------------------------------------


def test_every_ply_from_the_seventh_on_is_answered_at_every_rating(quick: MaiaModel) -> None:
    found = quick.likelihoods(GAME)
    assert found.game_id == "g"
    assert found.ratings == RATINGS
    assert found.plies.tolist() == list(range(7, 14))
    assert found.log_probabilities.shape == (7, len(RATINGS))
    assert (found.log_probabilities < 0).all()
    assert ((found.expected_scores > 0) & (found.expected_scores < 1)).all()


def test_one_side_alone_costs_and_answers_half(quick: MaiaModel) -> None:
    both, white = quick.likelihoods(GAME), quick.likelihoods(GAME, colors=("white",))
    assert white.plies.tolist() == [7, 9, 11, 13]
    assert (white.log_probabilities == both.log_probabilities[::2]).all()


def test_a_ply_has_the_same_numbers_whatever_else_is_asked(quick: MaiaModel, folder: Path) -> None:
    whole, end = quick.likelihoods(GAME, first_ply=1), fresh(folder).likelihoods(GAME, first_ply=12)
    assert (whole.log_probabilities[11:] == end.log_probabilities).all()


def test_several_threads_may_ask_at_once(quick: MaiaModel, folder: Path) -> None:
    alone, others = quick.likelihoods(GAME).log_probabilities, fresh(folder)
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(others.likelihoods, [GAME] * 8))
    assert all((answer.log_probabilities == alone).all() for answer in answers)


def test_what_games_have_in_common_is_computed_once_and_the_same(
    quick: MaiaModel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = noting_batches(monkeypatch)
    variation = replace(GAME, game_id="v", moves_uci=(*GAME.moves_uci[:10], "d2d3", "e8g8"))
    other = fresh(folder)
    other.likelihoods(GAME, first_ply=1)
    assert len(asked) == 13
    found = other.likelihoods(variation, first_ply=1)
    assert len(asked) == 13 + 1  # the position after 6. d3, where GAME has not been
    monkeypatch.undo()
    wanted = fresh(folder).likelihoods(variation, first_ply=1)
    for name in NUMBERS:
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))


def test_the_same_men_with_other_rights_to_castle_are_another_question(folder: Path) -> None:
    men = "r3k2r/8/8/8/8/8/8/R3K2R w"
    model = fresh(folder)
    with_rights, without = (
        model.likelihoods(
            PositionSequence(
                game_id=rights, start_fen=f"{men} {rights} - 0 1", moves_uci=("e1e2",)
            ),
            first_ply=1,
        )
        for rights in ("KQkq", "-")
    )
    assert with_rights.legal_move_counts[0] == without.legal_move_counts[0] + 2
    assert (with_rights.log_probabilities < without.log_probabilities).all()


def test_other_ratings_are_another_question(folder: Path) -> None:
    model = fresh(folder)
    both = model.likelihoods(GAME, ratings=(1000, 2000)).log_probabilities
    assert (model.likelihoods(GAME, ratings=(2000, 1000)).log_probabilities != both).any()


def fresh(folder: Path) -> MaiaModel:
    """The quick network, which has seen nothing yet."""
    return MaiaModel(folder / "quick.onnx")


def noting_batches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows of each run of the network from now on."""
    asked = []

    def noted(session, tokens, *ratings):  # type: ignore[no-untyped-def]
        asked.append(len(tokens))
        return _logits(session, tokens, *ratings)

    monkeypatch.setattr("engines.maia._logits", noted)
    return asked


def test_threads_keep_to_the_network_that_was_loaded_whatever_becomes_of_its_file(
    tmp_path: Path, quick: MaiaModel
) -> None:
    path = write_made_model(tmp_path / "replaced.onnx")
    model = MaiaModel(path)
    path.write_bytes(b"no longer a network")
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(model.likelihoods, [GAME] * 8))
    alone = quick.likelihoods(GAME).log_probabilities
    assert all((answer.log_probabilities == alone).all() for answer in answers)


def test_a_forced_move_says_nothing_and_is_not_evaluated(quick: MaiaModel) -> None:
    found = quick.likelihoods(FORCED, first_ply=1)
    assert found.legal_move_counts[0] == 1
    assert (found.log_probabilities[0] == 0).all()
    assert (found.entropies[0] == 0).all()
    assert np.isnan(found.expected_scores[0]).all()
    assert (found.log_probabilities[1] < 0).all()


def test_a_game_shorter_than_the_first_ply_gives_no_rows(quick: MaiaModel) -> None:
    found = quick.likelihoods(GAME, first_ply=99)
    assert found.plies.shape == (0,)
    assert found.expected_log_probabilities.shape == (0, len(RATINGS), len(RATINGS))


def test_ratings_beyond_the_scale_count_as_its_ends(quick: MaiaModel) -> None:
    found = quick.likelihoods(GAME, ratings=(5000, 9000)).log_probabilities
    assert found[:, 0] == pytest.approx(found[:, 1])


def test_an_illegal_move_is_refused_with_its_ply(quick: MaiaModel) -> None:
    game = PositionSequence(game_id="bad", start_fen=chess.STARTING_FEN, moves_uci=("e2e4", "e2e4"))
    with pytest.raises(IllegalMove, match="game bad, ply 2"):
        quick.likelihoods(game)


# --- many games in batches -----------------------------------------------------------------

ENDING = PositionSequence(
    game_id="ending",
    start_fen="8/P5k1/8/8/8/8/8/4K2R w K - 0 1",
    moves_uci=("a7a8q", "g7g6", "e1g1"),
)
BAD = PositionSequence(game_id="bad", start_fen=chess.STARTING_FEN, moves_uci=("e2e5",))
EMPTY = PositionSequence(game_id="empty", start_fen=chess.STARTING_FEN, moves_uci=())
MANY = [FORCED, GAME, BAD, EMPTY, ENDING, GAME]


@pytest.mark.parametrize("batch_positions", [1, 7, 64])
def test_batches_across_games_give_each_game_its_own_numbers(
    exact: MaiaModel, batch_positions: int
) -> None:
    answers = exact.likelihoods_of_many(MANY, first_ply=1, batch_positions=batch_positions)
    for game, answer in zip(MANY, answers, strict=True):
        if game is BAD:
            assert isinstance(answer, IllegalMove)
            continue
        assert isinstance(answer, HumanLikelihoods)
        alone = exact.likelihoods(game, first_ply=1)
        assert answer.game_id == game.game_id
        for name in ("plies", "legal_move_counts"):
            assert getattr(answer, name).tolist() == getattr(alone, name).tolist()
        for name in NUMBERS:
            found, wanted = getattr(answer, name), getattr(alone, name)
            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


NUMBERS = (
    "log_probabilities",
    "expected_log_probabilities",
    "expected_squares",
    "best_log_probabilities",
    "expected_scores",
)


def test_the_quick_network_takes_many_games_one_position_at_a_time(quick: MaiaModel) -> None:
    answers = quick.likelihoods_of_many([GAME, FORCED], first_ply=1, batch_positions=64)
    for game, answer in zip([GAME, FORCED], answers, strict=True):
        assert isinstance(answer, HumanLikelihoods)
        alone = quick.likelihoods(game, first_ply=1)
        for name in NUMBERS:
            np.testing.assert_array_equal(getattr(answer, name), getattr(alone, name))


def test_batches_hold_so_many_positions_and_none_where_a_move_was_forced(
    exact: MaiaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = noting_batches(monkeypatch)
    list(exact.likelihoods_of_many([FORCED, GAME], ratings=(1000, 2000), batch_positions=4))
    assert asked == [8, 6]  # 7 positions of GAME from FIRST_PLY on, at two ratings


def test_a_game_is_answered_before_all_are_taken(exact: MaiaModel) -> None:
    taken = []

    def games():  # type: ignore[no-untyped-def]
        for game in [GAME] * 20:
            taken.append(game)
            yield game

    next(exact.likelihoods_of_many(games(), batch_positions=8))
    assert len(taken) == 2


# --- a GPU ---------------------------------------------------------------------------------


def test_on_a_machine_without_a_gpu_auto_means_the_cpu(exact: MaiaModel, folder: Path) -> None:
    auto = MaiaModel(folder / "exact.onnx", provider="auto")
    found, wanted = auto.likelihoods(GAME), exact.likelihoods(GAME)
    assert (found.log_probabilities == wanted.log_probabilities).all()


def test_a_provider_that_onnxruntime_lacks_is_told(
    exact: MaiaModel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: ["CPUExecutionProvider"])
    with pytest.raises(ModelError, match="has no CUDAExecutionProvider; install one that has"):
        MaiaModel(folder / "exact.onnx", provider="cuda")


def test_an_unknown_provider_is_told_with_those_there_are(exact: MaiaModel, folder: Path) -> None:
    with pytest.raises(ModelError, match=r"no provider 'abacus'.*cpu, auto, cuda, rocm"):
        MaiaModel(folder / "exact.onnx", provider="abacus")


@pytest.fixture
def dead_gpu(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """An onnxruntime made for CUDA where CUDA does not start: it then takes the CPU alone."""
    import onnxruntime

    sessions, asked = onnxruntime.InferenceSession, []

    def session(content, options, providers):  # type: ignore[no-untyped-def]
        asked.append(providers)
        return sessions(content, options, providers=["CPUExecutionProvider"])

    there = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: there)
    monkeypatch.setattr(onnxruntime, "InferenceSession", session)
    return asked


def test_a_gpu_that_does_not_start_is_told_where_it_was_named(
    exact: MaiaModel, folder: Path, dead_gpu: list[object]
) -> None:
    with pytest.raises(ModelError, match="CUDAExecutionProvider, but it does not start here"):
        MaiaModel(folder / "exact.onnx", provider="cuda")
    cuda = ("CUDAExecutionProvider", {"use_tf32": "0"})
    assert dead_gpu[-1] == [cuda, ("CPUExecutionProvider", {})]


def test_where_the_choice_is_movelos_the_cpu_takes_over(
    exact: MaiaModel, folder: Path, dead_gpu: list[object], caplog: pytest.LogCaptureFixture
) -> None:
    auto = MaiaModel(folder / "exact.onnx", provider="auto")
    assert "does not start here" in caplog.text
    found, wanted = auto.likelihoods(GAME), exact.likelihoods(GAME)
    assert (found.log_probabilities == wanted.log_probabilities).all()


def test_a_gpu_is_for_the_float32_network_only(
    quick: MaiaModel, folder: Path, dead_gpu: list[object]
) -> None:
    with pytest.raises(ModelError, match="movelo model install --float32"):
        MaiaModel(folder / "quick.onnx", provider="cuda")
    MaiaModel(folder / "quick.onnx", provider="auto")
    assert dead_gpu == [[("CPUExecutionProvider", {})]] * 2


# --- files that are none -------------------------------------------------------------------


def test_a_missing_model_says_how_to_obtain_it(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no human-move model at .*: movelo model install"):
        MaiaModel(tmp_path / "absent.onnx")


def test_a_damaged_model_says_how_to_obtain_it_again(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "damaged.onnx"
    path.write_bytes(write_made_model(folder / "whole.onnx").read_bytes()[:3000])
    with pytest.raises(ModelError, match="obtain it again with: movelo model install"):
        MaiaModel(path)


def test_a_model_that_movelo_did_not_write_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.maia_network.NETWORK_VERSION", "0")
    path = write_made_model(tmp_path / "earlier.onnx")
    with pytest.raises(ModelError, match="another version of movelo"):
        MaiaModel(path)


def test_without_onnxruntime_the_message_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_made_model(folder / "usable.onnx")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelError, match="install it with: pip install onnxruntime"):
        MaiaModel(path)


# --- the real model, where it is given -----------------------------------------------------


@pytest.mark.skipif("MOVELO_MAIA_PUBLISHED" not in os.environ, reason="no published model given")
def test_the_real_network_rewritten_in_float32_gives_the_known_answers(tmp_path: Path) -> None:
    published = Path(os.environ["MOVELO_MAIA_PUBLISHED"])
    weights = read_weights(
        *(next(published.glob(f"*{end}")).read_bytes() for end in (".onnx", ".onnx.data"))
    )
    path = tmp_path / "float32.onnx"
    path.write_bytes(write_network(weights, {}, quantised=False))
    assert np.abs(differences(MaiaModel(path), games=3)).max() < 0.001


@pytest.mark.skipif("MOVELO_MAIA_MODEL" not in os.environ, reason="no installed model given")
def test_the_installed_model_stays_near_the_known_answers() -> None:
    found = differences(MaiaModel(Path(os.environ["MOVELO_MAIA_MODEL"])), games=5)
    assert np.abs(found).max() < 0.7
    assert np.abs(found).mean() < 0.05


def differences(model: MaiaModel, games: int) -> np.ndarray:  # type: ignore[type-arg]
    """Our log p less the known one, [plies, R], for the first games of MOVELO_MAIA_ANSWERS."""
    lines = Path(os.environ["MOVELO_MAIA_ANSWERS"]).read_text().splitlines()[:games]
    return np.concatenate([_differences(model, json.loads(line)) for line in lines])


def _differences(model: MaiaModel, answer: dict) -> np.ndarray:  # type: ignore[type-arg]
    found: HumanLikelihoods = model.likelihoods(
        PositionSequence(
            game_id=answer["id"],
            start_fen=chess.STARTING_FEN,
            moves_uci=tuple(answer["moves_uci"]),
        ),
        ratings=tuple(answer["ratings"]),
    )
    known = np.array([row for row in answer["logp"] if row is not None])
    return np.asarray(found.log_probabilities - known)
