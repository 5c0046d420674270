"""Take one executable out of a downloaded archive, and nothing else."""

from __future__ import annotations

import errno
import gzip
import lzma
import stat
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO

from config.errors import EngineInstallError
from config.language import _

_CHUNK_BYTES = 1 << 20

DAMAGED = (
    *(tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, lzma.LZMAError),
    *(EOFError, ValueError, KeyError),
    RuntimeError,  # it is encrypted, or packed in a way that Python does not know
)
"""What Python's readers of archives raise about what they read."""


def extract_executable(archive: Path, target: Path, *, max_bytes: int) -> None:
    """Write the program `stockfish/stockfish…` of a .tar.gz or .zip to `target`.

    No path of the archive is ever used to write to. Raises EngineInstallError when a path
    leaves its folder, when there is not exactly one such regular file, or when it is larger
    than `max_bytes`.
    """
    unpack = _from_zip if zipfile.is_zipfile(archive) else _from_tar
    try:
        unpack(archive, target, max_bytes)
    except DAMAGED as error:
        raise _refusal(archive, _("it cannot be unpacked: {error}").format(error=error)) from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # of the disk; a place before the file's start is not
            raise
        raise _refusal(archive, _("it cannot be unpacked: {error}").format(error=error)) from error


def _from_tar(archive: Path, target: Path, max_bytes: int) -> None:
    with tarfile.open(archive, "r:gz") as tar:
        members = tar.getmembers()
        files = {member.name: member for member in members if member.isreg()}
        name = _program_name(archive, [member.name for member in members], list(files))
        content = tar.extractfile(files[name])
        if content is None:
            raise _refusal(archive, _("{name} is no regular file").format(name=name))
        _copy(archive, content, target, max_bytes)


def _from_zip(archive: Path, target: Path, max_bytes: int) -> None:
    with zipfile.ZipFile(archive) as zipped:
        names = zipped.namelist()
        files = [info.filename for info in zipped.infolist() if _is_regular(info)]
        with zipped.open(_program_name(archive, names, files)) as content:
            _copy(archive, content, target, max_bytes)


def _is_regular(info: zipfile.ZipInfo) -> bool:
    mode = info.external_attr >> 16  # Unix's file mode, 0 where the archive was made elsewhere
    return not info.is_dir() and stat.S_IFMT(mode) in (0, stat.S_IFREG)


def _program_name(archive: Path, names: list[str], files: list[str]) -> str:
    for name in names:
        if _leaves_folder(name):
            raise _refusal(archive, _("it holds the unsafe path {name}").format(name=f"{name!r}"))
    programs = [name for name in files if _is_program_name(PurePosixPath(name))]
    if len(programs) != 1:
        raise _refusal(
            archive, _("it holds {number} programs instead of one").format(number=len(programs))
        )
    return programs[0]


def _leaves_folder(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or ":" in name


def _is_program_name(path: PurePosixPath) -> bool:
    return (
        path.parent == PurePosixPath("stockfish")
        and path.name.startswith("stockfish")
        and path.suffix in ("", ".exe")
    )


def _copy(archive: Path, content: IO[bytes], target: Path, max_bytes: int) -> None:
    written = 0
    with target.open("wb") as file:
        while chunk := content.read(_CHUNK_BYTES):
            written += len(chunk)
            if written > max_bytes:
                raise _refusal(
                    archive,
                    _("its program is larger than {max_bytes} bytes").format(max_bytes=max_bytes),
                )
            file.write(chunk)


def _refusal(archive: Path, reason: str) -> EngineInstallError:
    return EngineInstallError(
        _(
            "{archive} is not an engine's archive ({reason}); it was thrown away: install "
            "Stockfish by hand"
        ).format(archive=archive.name, reason=reason)
    )
