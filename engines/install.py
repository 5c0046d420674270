"""Obtain the official Stockfish: download, check, unpack, try, and only then put in place."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path

import requests

from config.errors import EngineError, EngineInstallError
from config.language import _
from engines.archive import extract_executable
from engines.attempt import attempt_folder
from engines.download import Progress, download
from engines.find import install_hint, installed_engine_path, probe_engine

_MAX_ARCHIVE_BYTES = 512 << 20
_MAX_PROGRAM_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineAsset:
    """One archive of a release: for `system` and `machines` as `platform` names them."""

    system: str
    machines: tuple[str, ...]
    file_name: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRelease:
    """A pinned release. An asset's address is `base_url`/`tag`/`file_name`."""

    tag: str
    base_url: str
    assets: tuple[EngineAsset, ...]


# Source: https://github.com/official-stockfish/Stockfish/releases/tag/sf_19 (September 2026), one
# universal program per system; the digests are the `digest` fields of the release API, as many
# public build scripts repeat them. Asset names change between releases: "latest" would not do.
STOCKFISH_19 = EngineRelease(
    tag="sf_19",
    base_url="https://github.com/official-stockfish/Stockfish/releases/download",
    assets=(
        EngineAsset(
            system="Linux",
            machines=("x86_64", "amd64"),
            file_name="stockfish-linux-x86-64-universal.tar.gz",
            sha256="9defc0d4e55d49c65a6d042f3e571a39fcea499ade6dbe741b53b8c65e03611f",
        ),
        EngineAsset(
            system="Linux",
            machines=("aarch64", "arm64"),
            file_name="stockfish-linux-arm64-universal.tar.gz",
            sha256="fe26cfd1d9db4c8af3d21e24d9ff34cacb31c1f940085a7583da11796f2bac01",
        ),
        EngineAsset(
            system="Darwin",
            machines=("x86_64", "arm64"),
            file_name="stockfish-macos-universal.tar.gz",
            sha256="a1f0e3bcc5a6927a11fe6fc8e54a779754645f3c2bae2cf13420fd1957adaa77",
        ),
        EngineAsset(
            system="Windows",
            machines=("amd64", "x86_64"),
            file_name="stockfish-windows-x86-64-universal.zip",
            sha256="3c8bf1f9ea66a09350a40df4f632288285ac206d99f33ab5842c408fc30b48a7",
        ),
        EngineAsset(
            system="Windows",
            machines=("arm64",),
            file_name="stockfish-windows-arm64-universal.zip",
            sha256="8372ad3f0d7276deb2c70f801f541ec7db463219fc6d9c7592864e542aa4f401",
        ),
    ),
)


def install_engine(
    data_folder: Path,
    *,
    release: EngineRelease = STOCKFISH_19,
    session: requests.Session,
    progress: Progress,
) -> Path:
    """Install the release's program for this machine, and return where it now is.

    An engine installed earlier stays until the new one has answered `uci`. Raises
    EngineInstallError; nothing is left of a failed attempt.
    """
    asset = asset_for(release, platform.system(), platform.machine())
    target = installed_engine_path(data_folder)
    try:
        with attempt_folder(target.parent) as folder:
            program = _fetch(asset, release, folder, session, progress)
            _check(program, asset)
            program.replace(target)
    except OSError as error:
        raise EngineInstallError(
            _(
                "the engine could not be written to {parent} ({error}); free some space "
                "there, or make it writable"
            ).format(parent=target.parent, error=error.strerror or error)
        ) from error
    return target


def asset_for(release: EngineRelease, system: str, machine: str) -> EngineAsset:
    """The release's archive for a system and machine as `platform` names them."""
    for asset in release.assets:
        if asset.system == system and machine.lower() in asset.machines:
            return asset
    raise EngineInstallError(
        _("Stockfish {tag} has no program for {system} on {machine}; {advice}").format(
            tag=release.tag, system=system, machine=machine, advice=install_hint(system)
        )
    )


def _fetch(
    asset: EngineAsset,
    release: EngineRelease,
    folder: Path,
    session: requests.Session,
    progress: Progress,
) -> Path:
    archive = folder / asset.file_name
    download(
        f"{release.base_url}/{release.tag}/{asset.file_name}",
        archive,
        sha256=asset.sha256,
        max_bytes=_MAX_ARCHIVE_BYTES,
        session=session,
        progress=progress,
    )
    program = folder / "program"
    extract_executable(archive, program, max_bytes=_MAX_PROGRAM_BYTES)
    program.chmod(0o755)
    return program


def _check(program: Path, asset: EngineAsset) -> None:
    try:
        probe_engine(program)
    except EngineError as error:
        raise EngineInstallError(
            _("the program in {file_name} does not work here ({error}); {advice}").format(
                file_name=asset.file_name, error=error, advice=install_hint(asset.system)
            )
        ) from error
