"""Human likelihoods on disk: computed once, whatever happens in between."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from made_maia import write_made_model
from simulated_humans import SimulatedHumanModel, asking
from simulated_players import simulated_game

from config.errors import ModelError
from engines.evals import COLORS
from engines.maia import MaiaModel
from pipeline.records import Game, GamePlayer
from pipeline.replay import replay
from pipeline.strength.human_cache import HumanCache, HumanMoveModel
from pipeline.strength.human_features import human_features
from pipeline.strength.labelled import silent


@cache
def games() -> tuple[Game, ...]:
    return tuple(
        simulated_game(f"game{n}", (GamePlayer(), GamePlayer()), (1500, 1500), seed=n)
        for n in range(4)
    )


def human_model() -> SimulatedHumanModel:
    return SimulatedHumanModel({game.id: 1500.0 for game in games()})


def fill(folder: Path, model: SimulatedHumanModel, count: int = 99) -> None:
    with HumanCache(folder, model=asking(model)) as cached:
        cached.compute([g for g in games()[:count] if not cached.has(g.id, "white")], silent)


def test_what_is_read_back_gives_the_same_features(tmp_path: Path) -> None:
    model = human_model()
    fill(tmp_path, model)
    for game in games():
        kept = HumanCache(tmp_path).likelihoods(game.id, "black")
        assert kept is not None
        fresh = model.likelihoods(replay(game).positions())
        for color in COLORS:
            assert human_features(kept, color) == pytest.approx(
                human_features(fresh, color), rel=1e-3, abs=2e-3, nan_ok=True
            )


def test_both_sides_of_a_game_are_computed_at_once_and_never_again(tmp_path: Path) -> None:
    model = human_model()
    fill(tmp_path, model)
    fill(tmp_path, model)
    assert sorted(model.asked) == [game.id for game in games()]


def test_the_human_move_model_itself_can_be_what_computes(tmp_path: Path) -> None:
    model = MaiaModel(write_made_model(tmp_path / "made.onnx"))
    moves = HumanMoveModel(ask=lambda some: map(model.likelihoods, some), network="made")
    with HumanCache(tmp_path / "cache", model=moves) as cached:
        cached.compute(games()[:1], silent)
        kept = cached.likelihoods(games()[0].id, "white")
    assert kept is not None
    assert np.isfinite(kept.log_probabilities).all()


def test_what_was_computed_just_now_is_what_will_be_read_back(tmp_path: Path) -> None:
    with HumanCache(tmp_path, model=asking(human_model())) as cached:
        cached.compute(games(), silent)
    kept = HumanCache(tmp_path)
    for game in games():
        now, later = (some.likelihoods(game.id, "white") for some in (cached, kept))
        assert now is not None and later is not None
        for color in COLORS:
            np.testing.assert_array_equal(human_features(now, color), human_features(later, color))


def test_an_interruption_loses_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        HumanCache(tmp_path, model=asking(human_model(), stop_after=2)) as cached,
    ):
        cached.compute(games(), silent)
    kept = HumanCache(tmp_path)
    assert [kept.has(game.id, "black") for game in games()] == [True, True, False, False]


def test_progress_tells_how_many_games_are_asked_about(tmp_path: Path) -> None:
    steps: list[tuple[int, int | None]] = []
    with HumanCache(tmp_path, model=asking(human_model())) as cached:
        cached.compute(games()[:2], lambda _stage, done, total=None: steps.append((done, total)))
    assert steps == [(0, 2), (1, 2), (2, 2)]


def test_a_game_whose_moves_cannot_be_played_stays_without_and_stops_nothing(
    tmp_path: Path,
) -> None:
    broken = replace(games()[0], id="broken", moves_san=("e4", "e4"))
    with HumanCache(tmp_path, model=asking(human_model())) as cached:
        cached.compute([broken, games()[1]], silent)
        assert cached.likelihoods("broken", "white") is None
        assert cached.likelihoods(games()[1].id, "white") is not None


def test_the_digest_is_that_of_the_games_used_and_of_the_network(tmp_path: Path) -> None:
    fill(tmp_path, human_model())
    ids = [game.id for game in games()]
    cached = HumanCache(tmp_path)
    assert cached.sha256(ids) == cached.sha256([*reversed(ids), "unknown game"])
    assert cached.sha256(ids) != cached.sha256(ids[:3])
    other = replace(asking(human_model()), network="other")
    with HumanCache(tmp_path / "other", model=other) as again:
        again.compute(games(), silent)
    assert again.networks(ids) == ("other",) != cached.networks(ids)
    assert again.sha256(ids) != cached.sha256(ids)


def test_likelihoods_of_two_networks_are_not_mixed(tmp_path: Path) -> None:
    fill(tmp_path, human_model())
    other = replace(asking(human_model()), network="other")
    with pytest.raises(ModelError, match=r"of another network.*name another folder"):
        HumanCache(tmp_path, model=other)


def test_likelihoods_kept_before_networks_were_written_down_are_read(tmp_path: Path) -> None:
    fill(tmp_path, human_model())
    path = next(tmp_path.glob("*.npz"))
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files if name != "networks"}
    np.savez(path, **arrays)
    cached = HumanCache(tmp_path, model=asking(human_model()))
    assert cached.networks([games()[0].id]) == ("unknown",)


def test_an_empty_or_missing_folder_knows_nothing(tmp_path: Path) -> None:
    with HumanCache(tmp_path / "none") as cached:
        assert cached.likelihoods(games()[0].id, "white") is None
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
