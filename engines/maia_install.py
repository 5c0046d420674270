"""Install Maia-3: fetch, check, rewrite for speed, try, and only then put in place."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import requests

from config.errors import EngineInstallError, ModelError
from engines.attempt import attempt_folder
from engines.download import Progress
from engines.evals import PositionSequence
from engines.maia import MaiaModel
from engines.maia_network import write_network
from engines.maia_sources import MAIA3_5M, PublishedModel, fetch_published
from engines.onnx_read import read_weights

_TRIAL = PositionSequence(game_id="trial", start_fen=chess.STARTING_FEN, moves_uci=("e2e4",))


def installed_model_path(data_folder: Path) -> Path:
    """Where movelo keeps the human-move model."""
    return data_folder / "models" / "maia3-5m.onnx"


def find_model(data_folder: Path) -> Path | None:
    """The installed model; None when there is none, and movelo works without it."""
    path = installed_model_path(data_folder)
    return path if path.is_file() else None


def install_model(
    data_folder: Path,
    *,
    published: PublishedModel = MAIA3_5M,
    session: requests.Session,
    progress: Progress,
) -> Path:
    """Install the model, and return where it now is: 22 MB to fetch, 7 MB kept.

    One installed earlier stays until the new one has judged a move. Raises
    EngineInstallError; nothing is left of a failed attempt.
    """
    target = installed_model_path(data_folder)
    try:
        with attempt_folder(target.parent) as folder:
            fetch_published(published, folder, session=session, progress=progress)
            _tried(_rewritten(published, folder)).replace(target)
    except ModelError as error:
        raise EngineInstallError(f"the human-move model does not work here: {error}") from error
    except OSError as error:
        raise EngineInstallError(
            f"the human-move model could not be written to {target.parent} "
            f"({error.strerror or error}); free some space there, or make it writable"
        ) from error
    return target


def _rewritten(published: PublishedModel, folder: Path) -> Path:
    """The published files as the one file that movelo works with."""
    network, weights = ((folder / file.name).read_bytes() for file in published.files)
    rewritten = folder / "rewritten.onnx"
    metadata = {
        "origin": published.origin,
        "license": published.license,
        "citation": published.citation,
        "sha256 of the original weights": published.weights.sha256,
        "change": "rewritten by movelo: matrices rounded to 7 bits, several ratings at once",
    }
    rewritten.write_bytes(write_network(read_weights(network, weights), metadata))
    return rewritten


def _tried(path: Path) -> Path:
    trial = MaiaModel(path).likelihoods(_TRIAL, first_ply=1)
    if not np.isfinite(trial.log_probabilities).all():
        raise ModelError("it computes no probabilities; movelo works without it, less precisely")
    return path
