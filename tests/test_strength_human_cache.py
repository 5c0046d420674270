"""Human likelihoods on disk: computed once, whatever happens in between."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from made_maia import write_made_model
from simulated_humans import SimulatedHumanModel
from simulated_players import simulated_game

from config.errors import ModelError
from engines.evals import COLORS
from engines.maia import MaiaModel
from pipeline.records import Game, GamePlayer
from pipeline.replay import replay
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.human_features import human_features


@cache
def games() -> tuple[Game, ...]:
    return tuple(
        simulated_game(f"game{n}", (GamePlayer(), GamePlayer()), (1500, 1500), seed=n)
        for n in range(4)
    )


def human_model() -> SimulatedHumanModel:
    return SimulatedHumanModel({game.id: 1500.0 for game in games()})


def fill(folder: Path, model: SimulatedHumanModel, new_games: int = 99) -> None:
    with HumanCache(folder, model=model, new_games=new_games) as cached:
        for game in games():
            for color in COLORS:
                cached.likelihoods(game, color)


def test_what_is_read_back_gives_the_same_features(tmp_path: Path) -> None:
    model = human_model()
    fill(tmp_path, model)
    for game in games():
        kept = HumanCache(tmp_path).likelihoods(game, "black")
        assert kept is not None
        fresh = model.likelihoods(replay(game).positions())
        for color in COLORS:
            assert human_features(kept, color) == pytest.approx(
                human_features(fresh, color), rel=1e-3, abs=2e-3
            )


def test_both_sides_of_a_game_are_computed_at_once_and_never_again(tmp_path: Path) -> None:
    model = human_model()
    fill(tmp_path, model)
    fill(tmp_path, model)
    assert sorted(model.asked) == [game.id for game in games()]


def test_the_human_move_model_itself_can_be_what_computes(tmp_path: Path) -> None:
    model = MaiaModel(write_made_model(tmp_path / "made.onnx"))
    with HumanCache(tmp_path / "cache", model=model, new_games=1) as cached:
        kept = cached.likelihoods(games()[0], "white")
    assert kept is not None
    assert np.isfinite(human_features(kept, "white")).all()


def test_no_more_games_are_computed_than_allowed_and_the_next_run_goes_on(tmp_path: Path) -> None:
    model = human_model()
    fill(tmp_path, model, new_games=3)
    assert len(model.asked) == 3
    assert HumanCache(tmp_path).likelihoods(games()[3], "white") is None
    fill(tmp_path, model, new_games=3)
    assert len(model.asked) == 4


def test_an_interruption_loses_nothing(tmp_path: Path) -> None:
    model = human_model()
    with (
        pytest.raises(KeyboardInterrupt),
        HumanCache(tmp_path, model=model, new_games=1) as cached,
    ):
        cached.likelihoods(games()[0], "white")
        raise KeyboardInterrupt
    assert HumanCache(tmp_path).likelihoods(games()[0], "black") is not None


def test_an_empty_or_missing_folder_knows_nothing(tmp_path: Path) -> None:
    with HumanCache(tmp_path / "none") as cached:
        assert cached.likelihoods(games()[0], "white") is None
    assert not (tmp_path / "none").exists()


def test_a_damaged_file_is_one_sentence_with_its_path(tmp_path: Path) -> None:
    fill(tmp_path, human_model())
    path = next(tmp_path.glob("*.npz"))
    for damage in (path.read_bytes()[:100], b"", b"no archive"):
        path.write_bytes(damage)
        with pytest.raises(ModelError, match=rf"{path.name} holds no human likelihoods.*remove"):
            HumanCache(tmp_path)


def test_a_flipped_byte_is_noticed(tmp_path: Path) -> None:
    fill(tmp_path, human_model())
    path = next(tmp_path.glob("*.npz"))
    whole = path.read_bytes()
    for place in np.random.default_rng(1).integers(200, len(whole) - 1500, size=12):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        with pytest.raises(ModelError, match="holds no human likelihoods"):
            HumanCache(tmp_path)


def test_an_archive_of_something_else_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", numbers=np.zeros(3))
    with pytest.raises(ModelError, match="holds no human likelihoods"):
        HumanCache(tmp_path)


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelError, match="could not be kept"):
        fill(tmp_path / "file" / "folder", human_model())
