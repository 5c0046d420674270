"""Install Maia-3: fetch, check, rewrite for speed, try, and only then put in place."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import requests

from config.errors import EngineInstallError, ModelError
from config.language import _
from engines.attempt import attempt_folder
from engines.download import Progress
from engines.evals import PositionSequence
from engines.maia import MaiaModel
from engines.maia_network import write_network
from engines.maia_sources import MAIA3_5M, PublishedModel, fetch_published
from engines.onnx_read import read_weights

_TRIAL = PositionSequence(game_id="trial", start_fen=chess.STARTING_FEN, moves_uci=("e2e4",))


def installed_model_path(data_folder: Path, *, float32: bool = False) -> Path:
    """Where movelo keeps the human-move model: of 7 bits, for a CPU, or `float32`, for a GPU."""
    return data_folder / "models" / ("maia3-5m-float32.onnx" if float32 else "maia3-5m.onnx")


def find_model(data_folder: Path, *, float32: bool = False) -> Path | None:
    """The installed model; None when there is none, and movelo works without it."""
    path = installed_model_path(data_folder, float32=float32)
    return path if path.is_file() else None


def install_model(
    data_folder: Path,
    *,
    published: PublishedModel = MAIA3_5M,
    session: requests.Session,
    progress: Progress,
    with_float32: bool = False,
) -> Path:
    """Install the model, and return where it now is: 22 MB to fetch, 7 MB kept.

    `with_float32` keeps the network that a GPU needs as well, 21 MB more. Those installed
    earlier stay until the new ones have judged a move. Raises EngineInstallError; nothing is
    left of a failed attempt.
    """
    target = installed_model_path(data_folder)
    try:
        with attempt_folder(target.parent) as folder:
            fetch_published(published, folder, session=session, progress=progress)
            kinds = (False, True) if with_float32 else (False,)
            made = [(_tried(_rewritten(published, folder, float32)), float32) for float32 in kinds]
            for path, float32 in made:
                path.replace(installed_model_path(data_folder, float32=float32))
    except ModelError as error:
        raise EngineInstallError(
            _("the human-move model does not work here: {error}").format(error=error)
        ) from error
    except OSError as error:
        raise EngineInstallError(
            _(
                "the human-move model could not be written to {parent} ({error}); free some "
                "space there, or make it writable"
            ).format(parent=target.parent, error=error.strerror or error)
        ) from error
    return target


def _rewritten(published: PublishedModel, folder: Path, float32: bool) -> Path:
    """The published files as the one file that movelo works with."""
    network, weights = ((folder / file.name).read_bytes() for file in published.files)
    rewritten = folder / ("rewritten-float32.onnx" if float32 else "rewritten.onnx")
    matrices = "" if float32 else "matrices rounded to 7 bits, "
    metadata = {
        "origin": published.origin,
        "license": published.license,
        "citation": published.citation,
        "sha256 of the original weights": published.weights.sha256,
        "change": f"rewritten by movelo: {matrices}several ratings at once",
    }
    read = read_weights(network, weights)
    rewritten.write_bytes(write_network(read, metadata, quantised=not float32))
    return rewritten


def _tried(path: Path) -> Path:
    trial = MaiaModel(path).likelihoods(_TRIAL, first_ply=1)
    if not np.isfinite(trial.log_probabilities).all():
        raise ModelError(_("it computes no probabilities; movelo works without it, less precisely"))
    return path
