"""Whatever an engine's or a model's archive holds: one program, or a reason why there is none.

    python tests/fuzz_archives.py --seconds 600

See `fuzz_driver` for what else it can be told. The digests that stand before are left out here.
"""

import gzip
import io
import random
import tarfile
import tempfile
import zipfile
from pathlib import Path

from fuzz_driver import broken, main

from config.errors import EngineInstallError
from engines.archive import extract_executable
from engines.maia_sources import MAIA3_5M, _NpmFailed, _unpack

MOST_BYTES = 100_000
_NAMES = (
    *("stockfish/stockfish-linux", "stockfish/stockfish.exe", "stockfish/README", "stockfish"),
    *("../stockfish", "/stockfish/stockfish", "stockfish/../../x", "C:\\stockfish\\stockfish"),
    *("stockfish\\..\\..\\x", "package/models/maia3-5m.onnx", "package/models/maia3-5m.onnx.data"),
)
_KINDS = (
    *(tarfile.REGTYPE, tarfile.REGTYPE, tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE),
    *(tarfile.DIRTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.GNUTYPE_SPARSE),
)


def tar_gz(*members: tuple[str, bytes, bytes]) -> bytes:
    """Name, kind and content of each; a link leads to its content."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as tar:
        for name, kind, content in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, content.decode("latin-1")[:90]
            info.size = len(content) if kind in (tarfile.REGTYPE, tarfile.GNUTYPE_SPARSE) else 0
            tar.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def zipped(*members: tuple[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Name and content of each."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", how) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return packed.getvalue()


def seeds() -> tuple[bytes, ...]:
    """Good ones, and one of each trick."""
    program = (_NAMES[0], tarfile.REGTYPE, b"\x7fELF" * 100)
    return (
        *(tar_gz(program, (_NAMES[2], tarfile.REGTYPE, b"words")), tar_gz(program, program)),
        *(tar_gz((_NAMES[0], kind, b"../../../etc/passwd")) for kind in set(_KINDS)),
        *(tar_gz(program, (name, tarfile.REGTYPE, b"x")) for name in _NAMES),
        *(zipped((_NAMES[1], b"MZ" * 100), (_NAMES[2], b"words")), zipped((_NAMES[4], b"x"))),
        *(zipped((_NAMES[1], b"MZ"), how=how) for how in (zipfile.ZIP_STORED, zipfile.ZIP_LZMA)),
        tar_gz((_NAMES[9], tarfile.REGTYPE, b"x"), (_NAMES[10], tarfile.REGTYPE, b"y")),
    )


def changed(seed: bytes, chance: random.Random) -> bytes:
    """Broken where it is packed, or before it is packed again."""
    if chance.random() < 0.3:
        kinds = [(chance.choice(_NAMES), chance.choice(_KINDS), b"x" * 600) for _ in range(4)]
        return tar_gz(*kinds)
    if seed.startswith(b"\x1f\x8b") and chance.random() < 0.7:
        return gzip.compress(broken(gzip.decompress(seed), chance), 1)
    return broken(seed, chance)


def check_archive(data: bytes) -> None:
    """Only the target may be written, and no more than is allowed."""
    with tempfile.TemporaryDirectory() as outer:
        folder = Path(outer) / "inner"
        folder.mkdir()
        archive, target = folder / "archive", folder / "program"
        archive.write_bytes(data)
        try:
            extract_executable(archive, target, max_bytes=MOST_BYTES)
        except EngineInstallError as error:
            assert str(error).strip()
        else:
            assert target.is_file()
            assert not target.is_symlink()
            assert target.stat().st_size <= MOST_BYTES
        try:
            _unpack(archive, MAIA3_5M, folder)
        except _NpmFailed as failure:
            assert str(failure).strip()
        assert {file.name for file in Path(outer).rglob("*")} <= {"inner", "archive", "program"}


if __name__ == "__main__":
    main(check_archive, seeds(), change=changed)
