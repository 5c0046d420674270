"""Fitting the model anew from games with known ratings: the same games, the same model."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from config.errors import NoGames
from config.language import _, english
from pipeline.strength.acpl_line import fit_acpl_line
from pipeline.strength.boosting import Grow, grow_forest
from pipeline.strength.evaluations_file import EvaluationsFile
from pipeline.strength.examples import Examples, gather_examples, in_training
from pipeline.strength.features import all_feature_names
from pipeline.strength.fit import fit_speeds
from pipeline.strength.fit_human import MIN_HUMAN_GAMES, with_common_shared_variance
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.labelled import GameSource, LeftOut, Progress, silent
from pipeline.strength.model import (
    FittedModel,
    HumanTraining,
    SpeedModel,
    Training,
    TrainingFile,
)
from pipeline.strength.pairing_fit import rating_differences, with_pairing
from pipeline.strength.split import SPLIT_RULE, is_held_out

MODEL_NAME = "stockfish-maia-1"
MIN_PLAYER_GAMES = 3000
"""A speed, or a way of reading it, with fewer is left out: too little to say anything."""
MAX_GAMES_A_PLAYER = 40
"""At one speed; or a model of blitz would be a model of its most eager player."""

_CENTIPAWN_LOSS = "centipawn_loss_mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """The fitted model, and what was not used for it: (reason, how many)."""

    model: FittedModel
    left_out: tuple[tuple[str, int], ...]


def train(
    sources: Sequence[GameSource],
    *,
    evaluations: Sequence[EvaluationsFile] = (),
    human: HumanCache | None = None,
    pairing: Sequence[GameSource] = (),
    cache_folder: Path | None = None,
    name: str = MODEL_NAME,
    seed: int = 1,
    min_player_games: int = MIN_PLAYER_GAMES,
    min_human_games: int = MIN_HUMAN_GAMES,
    grow: Grow = grow_forest,
    progress: Progress = silent,
) -> Trained:
    """Fit one model a speed from Lichess-shaped games whose players are rated.

    Held-out players are not used for anything. The human-move model counts for the games that
    `human` knows, or has leave to compute, where these are `min_human_games` of a speed. The
    games of `pairing` need no evaluations: they say who gets paired with whom. Raises
    NoGames when no speed has `min_player_games`, ModelError when LightGBM is not installed.
    """
    left_out = LeftOut()
    gathered = gather_examples(
        sources,
        evaluations=evaluations,
        human=human,
        cache_folder=cache_folder,
        left_out=left_out,
        progress=progress,
    )
    examples = usable(gathered, left_out)
    progress("fitting", len(examples))
    fitted = fit_speeds(
        examples,
        seed=seed,
        grow=grow,
        min_player_games=min_player_games,
        min_human_games=min_human_games,
    )
    speeds = with_common_shared_variance(tuple(fitted))
    if not speeds:
        raise NoGames(_no_speed(min_player_games))
    differences = rating_differences(pairing, left_out, progress)
    training = _training(sources, evaluations, examples, human, seed)
    model = FittedModel(
        name=name,
        speeds=tuple(_completed(speed, examples, differences) for speed in speeds),
        training=replace(training, pairing_files=tuple(map(_training_file, pairing))),
    )
    return Trained(model=model, left_out=left_out.most_common())


def _no_speed(min_player_games: int) -> str:
    return _(
        "No speed has {min_player_games} rated player-games with evaluations; give "
        "more games, or their evaluations with --evals."
    ).format(min_player_games=min_player_games)


def usable(examples: Examples, left_out: LeftOut) -> Examples:
    """Steady ratings, no held-out players, few games of each player, no game twice."""
    held_out = np.array([is_held_out(player) for player in examples.players], bool)
    unsteady = ~examples.steady & ~held_out
    left_out.add(english("held-out player"), int(held_out.sum()))
    left_out.add(english("provisional or unsteady rating"), int(unsteady.sum()))
    rest = examples.where(~held_out & ~unsteady)
    kept = _capped(rest)
    surplus = len(rest) - len(kept)
    reason = english("twice, or beyond {most} games of one player")
    left_out.add(reason.format(most=MAX_GAMES_A_PLAYER), surplus)
    return rest.where(kept)


def _capped(examples: Examples) -> npt.NDArray[np.int64]:
    """Up to `MAX_GAMES_A_PLAYER` games of each player and speed, in an order of no meaning."""
    order = sorted(range(len(examples)), key=lambda i: _shuffled(str(examples.game_ids[i])))
    taken: dict[tuple[str, str], set[tuple[str, bool]]] = {}
    kept = []
    for i in order:
        entries = taken.setdefault((examples.players[i], examples.speeds[i]), set())
        entry = (str(examples.game_ids[i]), bool(examples.first[i]))
        if entry not in entries and sum(first for _, first in entries) < MAX_GAMES_A_PLAYER:
            entries.add(entry)
            kept.append(i)
    return np.array(sorted(kept), dtype=np.int64)


def _shuffled(game_id: str) -> bytes:
    return hashlib.sha256(game_id.encode()).digest()


def _training(
    sources: Sequence[GameSource],
    evaluations: Sequence[EvaluationsFile],
    examples: Examples,
    human: HumanCache | None,
    seed: int,
) -> Training:
    return Training(
        files=(*map(_training_file, sources), *map(_training_file, evaluations)),
        split_rule=SPLIT_RULE,
        seed=seed,
        player_games=len(examples),
        players=len(set(examples.players.tolist())),
        human=None if human is None else _human_training(examples, human),
    )


def _training_file(file: GameSource | EvaluationsFile) -> TrainingFile:
    return TrainingFile(name=file.name, sha256=file.sha256)


def _human_training(examples: Examples, human: HumanCache) -> HumanTraining | None:
    asked = examples.where(examples.have_human & examples.first)
    game_ids = set(asked.game_ids.tolist())
    if not game_ids:
        return None
    return HumanTraining(
        networks=human.networks(game_ids),
        sha256=human.sha256(game_ids),
        games=len(game_ids),
        player_games=len(asked),
    )


def _completed(
    speed: SpeedModel, examples: Examples, differences: Mapping[str, npt.NDArray[np.float64]]
) -> SpeedModel:
    """With the line of centipawn loss, and with who gets paired with whom where that is known."""
    with_line = _with_acpl_line(speed, examples)
    return with_pairing(with_line, examples, differences.get(speed.speed, np.zeros(0)))


def _with_acpl_line(speed: SpeedModel, examples: Examples) -> SpeedModel:
    """From training players, as the forests are."""
    chosen = (examples.speeds == speed.speed) & examples.first & in_training(examples)
    losses = examples.rows[chosen, all_feature_names().index(_CENTIPAWN_LOSS)]
    return replace(speed, acpl_line=fit_acpl_line(losses, examples.ratings[chosen]))
