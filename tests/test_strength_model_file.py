"""The model file: whole and quick, or one sentence."""

import json
import time
from importlib import resources
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from config.errors import ModelError
from pipeline.strength.grid import RATINGS
from pipeline.strength.likelihood import Circumstances
from pipeline.strength.model_file import SHIPPED_MODEL, load_model, save_model
from pipeline.strength.split import SPLIT_RULE


def shipped_bytes() -> bytes:
    return (resources.files("config") / SHIPPED_MODEL).read_bytes()


def test_the_shipped_model_reads_games_as_the_library_that_trained_it_did() -> None:
    channels = [channel for speed in load_model().speeds for channel in speed.channels]
    assert {channel.made_with.split()[0] for channel in channels} == {"LightGBM"}
    for channel in channels:
        assert len(channel.reference_rows) >= 3
        readings = channel.forest.predict(channel.reference_rows)
        assert readings == pytest.approx(channel.reference_readings, abs=1e-6)


def test_the_shipped_model_knows_what_it_was_fitted_on() -> None:
    model = load_model()
    assert {speed.speed for speed in model.speeds} == {"blitz", "rapid"}
    assert model.training.split_rule == SPLIT_RULE
    assert all(len(file.sha256) == 64 for file in model.training.files)
    assert all(0 < speed.shared_variance < 0.5 for speed in model.speeds)


def test_the_shipped_model_is_loaded_at_once_and_small() -> None:
    load_model()
    started = time.process_time()
    load_model()
    assert time.process_time() - started < 0.3
    assert len(shipped_bytes()) < 4_000_000


def test_a_saved_model_is_the_same_when_it_is_read_and_byte_for_byte_when_saved_again(
    tmp_path: Path,
) -> None:
    save_model(load_model(), tmp_path / "one.npz")
    save_model(load_model(tmp_path / "one.npz"), tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    assert load_model(tmp_path / "two.npz").training == load_model().training


def test_a_missing_model_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"absent\.npz cannot be read .*; install movelo again"):
        load_model(tmp_path / "absent.npz")


@pytest.mark.parametrize(
    "content",
    [b"", b"not a model at all", shipped_bytes()[:50_000], b"PK\x03\x04" + bytes(500)],
    ids=["empty", "text", "cut short", "broken archive"],
)
def test_a_damaged_model_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.npz"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"model\.npz is damaged.*movelo train"):
        load_model(path)


def test_one_flipped_byte_anywhere_is_noticed(tmp_path: Path) -> None:
    content = shipped_bytes()
    for place in np.random.default_rng(1).integers(1000, len(content) - 5000, size=12):
        damaged = bytearray(content)
        damaged[place] ^= 0xFF
        (tmp_path / "model.npz").write_bytes(damaged)
        with pytest.raises(ModelError, match="damaged"):
            load_model(tmp_path / "model.npz")


@pytest.mark.parametrize("field", ["format_version", "features_version"])
def test_a_model_of_another_version_is_one_sentence(tmp_path: Path, field: str) -> None:
    with np.load(BytesIO(shipped_bytes())) as archive:
        arrays = {name: archive[name] for name in archive.files}
    description = json.loads(arrays["description"].tobytes())
    description[field] += 1
    arrays["description"] = np.frombuffer(json.dumps(description).encode(), dtype=np.uint8)
    np.savez(tmp_path / "model.npz", **arrays)
    with pytest.raises(ModelError, match="made by another version of movelo"):
        load_model(tmp_path / "model.npz")


def test_a_model_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="could not be written to"):
        save_model(load_model(), tmp_path / "no such folder" / "model.npz")


def test_a_better_player_s_game_reads_higher_everywhere_on_the_scale() -> None:
    for speed in load_model().speeds:
        for channel in speed.channels:
            moves = np.full(len(RATINGS), channel.likelihood.usual_moves)
            seconds = np.full(len(RATINGS), channel.likelihood.usual_seconds)
            for shallow in (0.0, 1.0):
                given = Circumstances(
                    moves=moves,
                    thinking_seconds=seconds,
                    shallowness=np.full(len(RATINGS), shallow),
                )
                mean, spread = channel.likelihood.mean_and_spread(RATINGS, given)
                assert np.all(np.diff(mean) > 0)
                assert np.all(spread > 0)


def test_the_shipped_model_allows_for_shallow_evaluations() -> None:
    # Measured on games with Lichess's evaluations and local ones of 10,000 nodes.
    for speed in load_model().speeds:
        assert all(-100 < channel.likelihood.depth.level < -5 for channel in speed.channels)
