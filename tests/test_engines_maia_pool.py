"""Many games for the human-move model: each once out, whatever becomes of the others."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import chess
import numpy as np
import pytest
from made_games import random_export_game
from made_maia import write_made_model

from config.errors import ModelError
from engines.evals import PositionSequence
from engines.human_likelihoods import HumanLikelihoods
from engines.maia import MaiaModel
from engines.maia_pool import HumanMoveFailure, MaiaPool
from pipeline.fetch.export import game_from_export
from pipeline.replay import replay


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_made_model(tmp_path_factory.mktemp("models") / "made.onnx")


def game(seed: int, plies: int = 20) -> PositionSequence:
    record = random_export_game(seed, plies=plies)
    return replay(game_from_export(record, where="a test")).positions()


def by_game(
    outcomes: Iterator[HumanLikelihoods | HumanMoveFailure],
) -> dict[str, HumanLikelihoods | HumanMoveFailure]:
    return {outcome.game_id: outcome for outcome in outcomes}


def no_worker_left() -> bool:
    return not [t for t in threading.enumerate() if t.name.startswith("movelo human moves")]


@pytest.mark.parametrize("workers", [1, 3])
def test_every_game_comes_out_once_as_the_model_alone_reads_it(network: Path, workers: int) -> None:
    games = [game(seed, plies=10 + seed) for seed in range(6)]
    with MaiaPool(network, workers=workers) as pool:
        outcomes = list(pool.likelihoods(games))
    assert sorted(o.game_id for o in outcomes) == [g.game_id for g in games]
    model = MaiaModel(network)
    for sequence in games:
        (found,) = (o for o in outcomes if o.game_id == sequence.game_id)
        assert isinstance(found, HumanLikelihoods)
        alone = model.likelihoods(sequence)
        np.testing.assert_array_equal(found.log_probabilities, alone.log_probabilities)
    assert no_worker_left()


def test_a_game_that_cannot_be_read_is_named_and_the_others_are_read(network: Path) -> None:
    bad = PositionSequence(game_id="bad", start_fen=chess.STARTING_FEN, moves_uci=("e2e5",))
    with MaiaPool(network, workers=2) as pool:
        found = by_game(pool.likelihoods([game(1), bad, game(2)]))
    assert isinstance(failure := found.pop("bad"), HumanMoveFailure)
    assert "game bad, ply 1: 'e2e5' is not a legal move" in failure.reason
    assert all(isinstance(outcome, HumanLikelihoods) for outcome in found.values())


@pytest.mark.parametrize(
    ("broken", "reason"),
    [(RuntimeError("out of memory\nat node 7"), "(out of memory)"), (np.nan, "no probabilities")],
)
def test_a_network_that_fails_on_a_game_is_named_with_what_to_do(
    network: Path, monkeypatch: pytest.MonkeyPatch, broken: object, reason: str
) -> None:
    real = MaiaModel.likelihoods

    def failing(model: MaiaModel, sequence: PositionSequence) -> HumanLikelihoods:
        found = real(model, sequence)
        if sequence.game_id != game(1).game_id:
            return found
        if isinstance(broken, Exception):
            raise broken
        return replace(found, log_probabilities=found.log_probabilities * broken)

    monkeypatch.setattr(MaiaModel, "likelihoods", failing)
    with MaiaPool(network, workers=2) as pool:
        found = by_game(pool.likelihoods([game(1), game(2)]))
    failure = found[game(1).game_id]
    assert isinstance(failure, HumanMoveFailure)
    assert reason in failure.reason
    assert "obtain it again with: movelo model install" in failure.reason
    assert isinstance(found[game(2).game_id], HumanLikelihoods)


def test_stopping_half_way_leaves_no_thread_and_begins_no_other_game(
    network: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    real = MaiaModel.likelihoods

    def slow(model: MaiaModel, sequence: PositionSequence) -> HumanLikelihoods:
        begun.append(sequence.game_id)
        time.sleep(0.05)
        return real(model, sequence)

    monkeypatch.setattr(MaiaModel, "likelihoods", slow)
    with MaiaPool(network, workers=2) as pool:
        outcomes = pool.likelihoods([game(seed, plies=8) for seed in range(40)])
        next(outcomes)
        outcomes.close()  # type: ignore[attr-defined]
        assert no_worker_left()
    assert len(begun) < 40


def test_another_file_is_another_network(network: Path, tmp_path: Path) -> None:
    same = tmp_path / "made.onnx"
    same.write_bytes(network.read_bytes())
    (tmp_path / "plain").mkdir()
    plain = write_made_model(tmp_path / "plain" / "made.onnx", quantised=False)
    names = [MaiaPool(path, workers=1).network for path in (network, same, plain)]
    assert names[0] == names[1] != names[2]
    assert names[0].startswith("made ")


def test_a_file_that_is_no_network_is_said_on_entering(tmp_path: Path) -> None:
    (tmp_path / "broken.onnx").write_bytes(b"not a network")
    with pytest.raises(ModelError, match=r"broken\.onnx cannot be used.*movelo model install"):
        MaiaPool(tmp_path / "broken.onnx", workers=1).__enter__()


def test_a_pool_is_used_in_a_with_statement(network: Path) -> None:
    with pytest.raises(RuntimeError, match="with statement"):
        list(MaiaPool(network, workers=1).likelihoods([game(1)]))
    with pytest.raises(ValueError, match="one worker"):
        MaiaPool(network, workers=0)


# --- the float32 network, in batches -------------------------------------------------------


@pytest.fixture(scope="module")
def float32(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_made_model(tmp_path_factory.mktemp("models") / "float.onnx", quantised=False)


def test_in_batches_every_game_comes_out_once_as_the_model_alone_reads_it(float32: Path) -> None:
    bad = PositionSequence(game_id="bad", start_fen=chess.STARTING_FEN, moves_uci=("e2e5",))
    games = [game(seed, plies=10 + seed) for seed in range(6)]
    with MaiaPool(float32, workers=2) as pool:
        found = by_game(pool.likelihoods([*games, bad]))
    assert isinstance(failure := found.pop("bad"), HumanMoveFailure)
    assert "not a legal move" in failure.reason
    model = MaiaModel(float32)
    for sequence in games:
        outcome = found[sequence.game_id]
        assert isinstance(outcome, HumanLikelihoods)
        alone = model.likelihoods(sequence)
        np.testing.assert_allclose(
            outcome.log_probabilities, alone.log_probabilities, atol=1e-4, rtol=0
        )
    assert no_worker_left()


def test_a_batch_that_fails_names_all_its_games(
    float32: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: MaiaModel, sequences: list[PositionSequence]) -> Iterator[HumanLikelihoods]:
        yield self.likelihoods(sequences[0])
        raise RuntimeError("CUDA out of memory")

    monkeypatch.setattr(MaiaModel, "likelihoods_of_many", broken)
    finished: SimpleQueue[object] = SimpleQueue()
    with MaiaPool(float32, workers=1) as pool, pool.crew(finished.put) as crew:
        for seed in range(4):
            crew.submit(game(seed))
        outcomes = [finished.get(timeout=30) for _ in range(4)]
    failures = [one for one in outcomes if isinstance(one, HumanMoveFailure)]
    assert failures and all("CUDA out of memory" in one.reason for one in failures)
    assert len({one.game_id for one in outcomes}) == 4  # type: ignore[attr-defined]


def test_a_batch_crew_that_is_left_begins_no_other_game(float32: Path) -> None:
    finished: SimpleQueue[object] = SimpleQueue()
    with MaiaPool(float32, workers=1) as pool, pool.crew(finished.put) as crew:
        for seed in range(300):
            crew.submit(game(seed))
        finished.get(timeout=30)
    assert no_worker_left()
    assert finished.qsize() < 299
