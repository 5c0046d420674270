"""Where measuring and fitting get human likelihoods from: a folder, and the installed model."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from config.errors import ModelError
from config.language import _
from config.settings import data_folder, load_settings
from engines.cores import usable_cores
from engines.evals import PositionSequence
from engines.human_likelihoods import HumanLikelihoods
from engines.maia_install import find_model
from engines.maia_pool import HumanMoveFailure, MaiaPool, network_id
from pipeline.cli.human_model_choice import wanted_human_model
from pipeline.strength.human_cache import HumanCache, HumanMoveModel

_log = logging.getLogger(__name__)

_GAMES_WITHOUT_A_FOLDER = 200
"""Enough for a first figure, and done in minutes."""


def measuring_cache(folder: Path | None, games: int | None) -> HumanCache | None:
    """For `movelo evaluate`: None where there is neither a folder nor an installed model.

    Without a folder, 200 games are asked about, and kept in the data folder.
    """
    if folder is None and not games and wanted_human_model(load_settings()) is None:
        return None
    wanted = (_GAMES_WITHOUT_A_FOLDER if folder is None else 0) if games is None else games
    return _cache(folder, wanted)


def fitting_cache(folder: Path | None, games: int | None) -> HumanCache | None:
    """For `movelo train`: None unless the human-move model was asked for."""
    return None if folder is None and not games else _cache(folder, games or 0)


def _cache(folder: Path | None, games: int) -> HumanCache:
    """ModelError when games are to be asked about and there is no model to ask."""
    path = find_model(data_folder())
    if path is not None and (games or folder is None):
        model = _model(path)
        return HumanCache(folder or _kept_folder(model), model=model, new_games=games)
    if games or folder is None:
        raise ModelError(
            _(
                "The human-move model is not installed; install it with 'movelo model "
                "install', or leave --human-games out."
            )
        )
    if not folder.is_dir():
        raise ModelError(
            _(
                "There is no folder {folder}; name the one that holds human likelihoods, or "
                "have some computed with --human-games N."
            ).format(folder=folder)
        )
    return HumanCache(folder)


def _model(path: Path) -> HumanMoveModel:
    """Nothing is loaded before the first game is asked about."""
    return HumanMoveModel(ask=lambda sequences: _ask(path, sequences), network=network_id(path))


def _kept_folder(model: HumanMoveModel) -> Path:
    return data_folder() / "human_likelihoods" / model.network.replace(" ", "-")


def _ask(path: Path, sequences: Sequence[PositionSequence]) -> Iterator[HumanLikelihoods]:
    with MaiaPool(path, workers=usable_cores()) as pool:
        for answer in pool.likelihoods(sequences):
            if isinstance(answer, HumanMoveFailure):
                _log.warning("game %s: %s", answer.game_id, answer.reason)
            else:
                yield answer
