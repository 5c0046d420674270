"""The straight line in centipawn loss that estimates are compared with."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.strength.acpl_line import AcplLine, fit_acpl_line
from pipeline.strength.model import FittedModel, HumanTraining
from pipeline.strength.model_file import load_model, save_model


@given(intercept=st.floats(-4000, 4000), slope=st.floats(-50, 50))
def test_a_line_without_scatter_is_found_again(intercept: float, slope: float) -> None:
    losses = np.arange(5.0, 95.0)
    line = fit_acpl_line(losses, intercept + slope * losses)
    assert line.ratings(losses) == pytest.approx(intercept + slope * losses, abs=1e-6)


def test_no_other_line_has_smaller_squared_errors() -> None:
    rng = np.random.default_rng(3)
    losses = rng.exponential(40, 500)
    ratings = 1900 - 6 * losses + rng.normal(0, 250, 500)
    best = fit_acpl_line(losses, ratings)
    squared = ((best.ratings(losses) - ratings) ** 2).sum()
    for intercept, slope in ((5, 0), (-5, 0), (0, 0.1), (0, -0.1)):
        other = AcplLine(intercept=best.intercept + intercept, slope=best.slope + slope)
        assert ((other.ratings(losses) - ratings) ** 2).sum() > squared


def test_games_that_all_lost_the_same_give_their_mean_rating() -> None:
    line = fit_acpl_line(np.full(4, 30.0), np.array([1400.0, 1500.0, 1600.0, 1700.0]))
    assert line.ratings(np.array([30.0])) == pytest.approx([1550.0])


def test_the_line_and_what_the_likelihoods_were_survive_the_model_file(tmp_path: Path) -> None:
    human = HumanTraining(networks=("abc",), sha256="f" * 64, games=12, player_games=20)
    line = AcplLine(intercept=1900.0, slope=-6.0)
    shipped = load_model()
    speeds = tuple(replace(speed, acpl_line=line) for speed in shipped.speeds)
    training = replace(shipped.training, human=human)
    save_model(
        FittedModel(name="with both", speeds=speeds, training=training), tmp_path / "model.npz"
    )
    loaded = load_model(tmp_path / "model.npz")
    assert loaded.training == training
    assert [speed.acpl_line for speed in loaded.speeds] == [line] * len(speeds)
