"""A human-move model that is right by construction: players choose as it says they do."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engines.evals import COLORS, Color, PositionSequence
from engines.human_likelihoods import FIRST_PLY, RATINGS, HumanLikelihoods
from pipeline.strength.human_cache import HumanMoveModel

CHOICES = 6
"""Legal moves in every position."""


def simulated_likelihoods(
    levels: Mapping[Color, float], rng: np.random.Generator, *, plies: int = 70, game_id: str = "g"
) -> HumanLikelihoods:
    """A game whose moves are chosen as players of these levels choose."""
    numbers = np.arange(FIRST_PLY, plies + 1)
    # How much better every move looks to a stronger player.
    lure, skill = rng.normal(0, 1, (2, len(numbers), CHOICES))
    scaled = (np.array([*RATINGS, levels["white"], levels["black"]]) - 1600) / 500
    logits = lure[:, None, :] + scaled[None, :, None] * skill[:, None, :]
    log_p = logits - np.log(np.exp(logits).sum(axis=2, keepdims=True))
    p = np.exp(log_p)
    mover = np.where(numbers % 2 == 1, -2, -1)
    ply = np.arange(len(numbers))
    played = (p[ply, mover].cumsum(axis=1) < rng.random(len(numbers))[:, None]).sum(axis=1)
    at, of = log_p[:, : len(RATINGS)], p[:, : len(RATINGS)]
    return HumanLikelihoods(
        game_id=game_id,
        ratings=RATINGS,
        plies=numbers,
        legal_move_counts=np.full(len(numbers), CHOICES),
        log_probabilities=at[ply, :, np.minimum(played, CHOICES - 1)],
        expected_log_probabilities=of @ at.swapaxes(1, 2),
        expected_squares=(of * at**2).sum(axis=2),
        best_log_probabilities=at.max(axis=2),
        expected_scores=np.full((len(numbers), len(RATINGS)), 0.5),
    )


class SimulatedHumanModel:
    """In place of `MaiaModel`: knows the level of the players of every game, by its id."""

    def __init__(self, levels: Mapping[str, float]) -> None:
        self._levels = levels
        self.asked: list[str] = []

    def likelihoods(
        self, sequence: PositionSequence, *, colors: Collection[Color] = COLORS
    ) -> HumanLikelihoods:
        """The same for the same game."""
        self.asked.append(sequence.game_id)
        level = self._levels[sequence.game_id]
        seed = [len(self._levels), *sequence.game_id.encode()]
        levels: dict[Color, float] = dict.fromkeys(COLORS, level)
        return simulated_likelihoods(
            levels,
            np.random.default_rng(seed),
            plies=len(sequence.moves_uci),
            game_id=sequence.game_id,
        )


def asking(model: SimulatedHumanModel, *, stop_after: int | None = None) -> HumanMoveModel:
    """It, as a cache asks it; with Ctrl-C after so many games."""

    def ask(sequences: Sequence[PositionSequence]) -> Iterator[HumanLikelihoods]:
        for number, sequence in enumerate(sequences):
            if number == stop_after:
                raise KeyboardInterrupt
            yield model.likelihoods(sequence)

    return HumanMoveModel(ask=ask, network="simulated")


def chosen_rows(human: HumanLikelihoods, rows: np.ndarray) -> HumanLikelihoods:
    """Some plies only."""
    names = ("plies", "legal_move_counts", "log_probabilities", "expected_log_probabilities")
    more = ("expected_squares", "best_log_probabilities", "expected_scores")
    return replace(human, **{name: getattr(human, name)[rows] for name in names + more})
