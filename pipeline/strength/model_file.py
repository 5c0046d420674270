"""The model file: an .npz archive of plain arrays, one of them a JSON text.

The same model gives the same bytes. Nothing in it is executed when it is read.
"""

from __future__ import annotations

import zipfile
import zlib
from hashlib import sha256
from importlib import resources
from io import BytesIO
from pathlib import Path

import numpy as np

from config.errors import ModelError
from config.language import _
from pipeline.strength.model import FittedModel
from pipeline.strength.model_arrays import arrays_of, model_of

SHIPPED_MODEL = "strength_model.npz"

_DAMAGE = (zipfile.BadZipFile, zlib.error, ValueError, KeyError, TypeError, EOFError)
"""What reading an archive that is none, or a cut or changed one, may raise."""


def save_model(model: FittedModel, path: Path) -> None:
    """Write it whole or not at all; ModelError when there is no place for it."""
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays_of(model))
    unfinished = path.with_name(path.name + ".part")
    try:
        unfinished.write_bytes(buffer.getvalue())
        unfinished.replace(path)
    except OSError as error:
        raise ModelError(
            _("The model could not be written to {path} ({error}).").format(
                path=path, error=error.strerror
            )
        ) from error


def load_model(path: Path | None = None) -> FittedModel:
    """The model in `path`, or the one that ships with movelo; ModelError when it is no use."""
    name = str(path) if path else f"config/{SHIPPED_MODEL}"
    try:
        data = (path or resources.files("config") / SHIPPED_MODEL).read_bytes()
        with np.load(BytesIO(data), allow_pickle=False) as archive:
            return model_of({key: archive[key] for key in archive.files})
    except OSError as error:
        raise ModelError(
            _(
                "The model file {name} cannot be read ({error}); install movelo again, or "
                "name another file."
            ).format(name=name, error=error.strerror)
        ) from error
    except _DAMAGE as error:
        raise ModelError(
            _(
                "The model file {name} is damaged, or no model of movelo; install movelo "
                "again, or fit a new one with 'movelo train'."
            ).format(name=name)
        ) from error


def model_digest(model: FittedModel) -> str:
    """By what a model is known again, in 16 hexadecimal digits: everything in it counts."""
    digest = sha256()
    for name, array in sorted(arrays_of(model).items()):
        digest.update(name.encode())
        digest.update(array.tobytes())
    return digest.hexdigest()[:16]
