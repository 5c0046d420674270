"""Which shared variance pooled games with the human-move model are weighed by."""

from dataclasses import replace

import pytest
from test_strength_human_train import fitted

from pipeline.strength.fit_human import MIN_REPEATED_GAMES, with_common_shared_variance
from pipeline.strength.model import SpeedModel


def speed(name: str, shared_variance: float, repeated_games: int) -> SpeedModel:
    model = fitted().fitted.speed("rapid")
    assert model is not None
    (channel,) = model.channels
    assert channel.human is not None
    human = replace(channel.human, shared_variance=shared_variance, repeated_games=repeated_games)
    return replace(model, speed=name, channels=(replace(channel, human=human),))


def shared(*speeds: SpeedModel) -> list[float]:
    return [found.human_shared_variance for found in with_common_shared_variance(speeds)]


def test_a_speed_with_many_repeated_games_keeps_its_own() -> None:
    enough = MIN_REPEATED_GAMES
    assert shared(speed("blitz", 0.2, enough), speed("rapid", 0.1, 2 * enough)) == [0.2, 0.1]


def test_a_speed_with_few_takes_the_mean_by_repeated_games() -> None:
    found = shared(speed("blitz", 0.5, 100), speed("rapid", 0.1, 300))
    assert found == pytest.approx([0.2, 0.1])


def test_without_any_repeated_game_nothing_changes() -> None:
    assert shared(speed("blitz", 0.0, 0), speed("rapid", 0.0, 0)) == [0.0, 0.0]
