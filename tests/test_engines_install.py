import hashlib
import io
import os
import platform
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import requests
from fake_uci_engine import processes_of, write_fake_engine
from file_server import FileServer

from config.errors import EngineInstallError
from engines.archive import extract_executable
from engines.find import installed_engine_path, probe_engine
from engines.install import (
    STOCKFISH_19,
    EngineAsset,
    EngineRelease,
    asset_for,
    install_engine,
)

FILE_NAME = "stockfish-for-tests.tar.gz"


# --- a release on a server of our own ------------------------------------------------------


ARCHIVE = f"/sf_test/{FILE_NAME}"


@pytest.fixture
def server() -> Iterator[FileServer]:
    server = FileServer()
    yield server
    server.close()


Install = Callable[..., Path]


@pytest.fixture
def install(server: FileServer, tmp_path: Path) -> Iterator[Install]:
    """Serve an archive and install it below `tmp_path / "data"`."""
    with requests.Session() as session:

        def install(content: bytes, **changes: str) -> Path:
            server.files[ARCHIVE] = content
            release = release_of(server, changes.get("sha256", sha256(content)))
            return install_engine(
                tmp_path / "data", release=release, session=session, progress=lambda *_: None
            )

        yield install


def release_of(server: FileServer, digest: str, file_name: str = FILE_NAME) -> EngineRelease:
    asset = EngineAsset(
        system=platform.system(),
        machines=(platform.machine().lower(),),
        file_name=file_name,
        sha256=digest,
    )
    return EngineRelease(tag="sf_test", base_url=server.url, assets=(asset,))


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def tar_of(*members: tarfile.TarInfo | tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                tar.addfile(member)
            else:
                name, content = member
                info = tarfile.TarInfo(name)
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def engine_script(folder: Path, *faults: str) -> bytes:
    folder.mkdir(exist_ok=True)
    return write_fake_engine(folder, *faults).read_bytes()


def engine_archive(folder: Path, *faults: str) -> bytes:
    return tar_of(
        ("stockfish/README.md", b"Stockfish"),
        ("stockfish/src/stockfish.cpp", b"int main() {}"),
        ("stockfish/stockfish-linux-x86-64-universal", engine_script(folder, *faults)),
    )


def left_in(folder: Path) -> list[str]:
    """Files and folders, the engine's own folder apart."""
    paths = (path for path in folder.rglob("*") if path.name != "engine")
    return sorted(str(path.relative_to(folder)) for path in paths)


# --- what goes well ------------------------------------------------------------------------


def test_the_released_program_is_installed_and_works(install: Install, tmp_path: Path) -> None:
    path = install(engine_archive(tmp_path / "made"))
    assert path == installed_engine_path(tmp_path / "data")
    assert probe_engine(path).name == "Fake 1.0"
    assert left_in(tmp_path / "data") == ["engine/stockfish"]


def test_progress_is_told_up_to_the_whole(server: FileServer, tmp_path: Path) -> None:
    server.files[ARCHIVE] = engine_archive(tmp_path / "made")
    told: list[tuple[int, int | None]] = []
    with requests.Session() as session:
        install_engine(
            tmp_path / "data",
            release=release_of(server, sha256(server.files[ARCHIVE])),
            session=session,
            progress=lambda *arrived: told.append(arrived),
        )
    assert told[-1] == (len(server.files[ARCHIVE]), len(server.files[ARCHIVE]))


def test_installing_again_replaces_the_program(install: Install, tmp_path: Path) -> None:
    first = install(engine_archive(tmp_path / "made")).read_bytes()
    second = install(engine_archive(tmp_path / "made", "--no-name"))
    assert second.read_bytes() != first
    assert probe_engine(second).name == "stockfish"


def test_an_interrupted_install_is_no_obstacle_and_is_cleaned_up_in_time(
    install: Install, tmp_path: Path
) -> None:
    abandoned, recent = (
        tmp_path / "data" / "engine" / f".installing-{name}" for name in ("abandoned", "recent")
    )
    for folder in (abandoned, recent):
        folder.mkdir(parents=True)
        (folder / FILE_NAME).write_bytes(b"half an arch")
    yesterday = time.time() - 24 * 3600
    os.utime(abandoned, (yesterday, yesterday))
    install(engine_archive(tmp_path / "made"))
    assert not abandoned.exists()
    assert recent.exists()


# --- what goes wrong -----------------------------------------------------------------------


@pytest.fixture(params=["first time", "again"])
def before(request: pytest.FixtureRequest, install: Install, tmp_path: Path) -> list[str]:
    """What there is in the data folder before an install that fails."""
    if request.param == "again":
        install(engine_archive(tmp_path / "made"))
    (tmp_path / "data").mkdir(exist_ok=True)
    return left_in(tmp_path / "data")


def assert_refused(
    install: Install, content: bytes, sentence: str, data_folder: Path, before: list[str]
) -> None:
    with pytest.raises(EngineInstallError, match=sentence):
        install(content)
    assert left_in(data_folder) == before
    if before:
        assert probe_engine(installed_engine_path(data_folder)).name == "Fake 1.0"


def test_a_wrong_checksum_is_refused(install: Install, tmp_path: Path, before: list[str]) -> None:
    with pytest.raises(EngineInstallError, match="is not the file that was published"):
        install(engine_archive(tmp_path / "made"), sha256="0" * 64)
    assert left_in(tmp_path / "data") == before


def test_a_cut_download_is_refused(
    install: Install, server: FileServer, tmp_path: Path, before: list[str]
) -> None:
    server.cut = True
    archive = engine_archive(tmp_path / "made")
    assert_refused(install, archive, "the connection was cut", tmp_path / "data", before)


def test_a_program_that_is_no_uci_engine_is_refused(
    install: Install, tmp_path: Path, before: list[str]
) -> None:
    archive = tar_of(("stockfish/stockfish", b"#!/bin/sh\nexit 0\n"))
    assert_refused(install, archive, "does not work here", tmp_path / "data", before)


def test_a_program_for_another_machine_is_refused(
    install: Install, tmp_path: Path, before: list[str]
) -> None:
    archive = tar_of(("stockfish/stockfish", b"\x7fELF of another kind"))
    assert_refused(install, archive, "cannot be started", tmp_path / "data", before)


def link(name: str, target: str, kind: bytes) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info


@pytest.mark.parametrize(
    ("archive", "sentence"),
    [
        (tar_of(("../stockfish", b"x"), ("stockfish/stockfish", b"x")), "unsafe path"),
        (tar_of(("stockfish/../../stockfish", b"x")), "unsafe path"),
        (tar_of(("/stockfish/stockfish", b"x")), "unsafe path"),
        (tar_of(link("stockfish/stockfish", "/bin/sh", tarfile.SYMTYPE)), "0 programs"),
        (tar_of(link("stockfish/stockfish", "/bin/sh", tarfile.LNKTYPE)), "0 programs"),
        (tar_of(("stockfish/stockfish", b"x"), ("stockfish/stockfish-2", b"x")), "2 programs"),
        (tar_of(("elsewhere/stockfish", b"x")), "0 programs"),
        (tar_of(), "0 programs"),
        (tar_of(("stockfish/stockfish", b"x" * 10_000))[:-20], "cannot be unpacked"),
        (b"<html>not an archive</html>", "cannot be unpacked"),
    ],
    ids=["dots", "inner dots", "absolute", "symlink", "hard link", "two", "elsewhere", "empty",
         "cut", "no archive"],
)  # fmt: skip
def test_an_archive_that_is_not_as_expected_is_refused(
    install: Install, tmp_path: Path, archive: bytes, sentence: str
) -> None:
    assert_refused(install, archive, sentence, tmp_path / "data", before=[])


def test_a_missing_file_is_refused_with_the_servers_answer(
    server: FileServer, tmp_path: Path
) -> None:
    release = release_of(server, "0" * 64, file_name="renamed.tar.gz")
    with (
        requests.Session() as session,
        pytest.raises(EngineInstallError, match=r"renamed\.tar\.gz .*the server answered 404"),
    ):
        install_engine(tmp_path, release=release, session=session, progress=lambda *_: None)
    assert left_in(tmp_path) == []


def test_a_server_that_is_not_there_is_refused(server: FileServer, tmp_path: Path) -> None:
    release = release_of(server, "0" * 64)
    nobody = EngineRelease(tag="sf_test", base_url="http://127.0.0.1:1", assets=release.assets)
    with (
        requests.Session() as session,
        pytest.raises(EngineInstallError, match="there was no connection"),
    ):
        install_engine(tmp_path, release=nobody, session=session, progress=lambda *_: None)
    assert left_in(tmp_path) == []


def test_a_download_without_end_is_cut(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.install._MAX_ARCHIVE_BYTES", 1000)
    assert_refused(
        install, b"x" * 100_000, "is larger than 1000 bytes", tmp_path / "data", before=[]
    )


def test_a_program_without_end_is_cut(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engines.install._MAX_PROGRAM_BYTES", 1000)
    archive = tar_of(("stockfish/stockfish", b"x" * 100_000))
    sentence = "program is larger than 1000 bytes"
    assert_refused(install, archive, sentence, tmp_path / "data", before=[])


def test_an_install_interrupted_by_ctrl_c_leaves_nothing(
    server: FileServer, tmp_path: Path
) -> None:
    server.files[ARCHIVE] = engine_archive(tmp_path / "made")

    def interrupt(arrived: int, expected: int | None) -> None:
        raise KeyboardInterrupt

    release = release_of(server, sha256(server.files[ARCHIVE]))
    with requests.Session() as session, pytest.raises(KeyboardInterrupt):
        install_engine(tmp_path / "data", release=release, session=session, progress=interrupt)
    assert left_in(tmp_path / "data") == []


def test_a_folder_that_cannot_be_written_to_is_named(install: Install, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file in the folder's place")
    with pytest.raises(EngineInstallError, match=f"could not be written to {tmp_path}/data"):
        install(engine_archive(tmp_path / "made"))


def test_no_process_is_left_of_a_program_that_was_refused(install: Install, tmp_path: Path) -> None:
    with pytest.raises(EngineInstallError):
        install(engine_archive(tmp_path / "made", "--refuse"))
    assert processes_of(tmp_path / "made" / "fake-engine") == []


# --- zip files, for Windows ----------------------------------------------------------------


def zip_of(folder: Path, *members: tuple[str, int]) -> Path:
    path = folder / "stockfish.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, b"the program")
    return path


def test_a_zip_is_unpacked(tmp_path: Path) -> None:
    archive = zip_of(tmp_path, ("stockfish/README", 0), ("stockfish/stockfish-windows.exe", 0))
    extract_executable(archive, tmp_path / "program", max_bytes=1000)
    assert (tmp_path / "program").read_bytes() == b"the program"


@pytest.mark.parametrize(
    ("name", "mode", "sentence"),
    [
        ("../stockfish/stockfish.exe", 0, "unsafe path"),
        ("..\\stockfish.exe", 0, "unsafe path"),
        ("C:\\stockfish.exe", 0, "unsafe path"),
        ("stockfish/stockfish.exe", 0o120777, "0 programs"),
    ],
)
def test_an_unsafe_zip_is_refused(tmp_path: Path, name: str, mode: int, sentence: str) -> None:
    archive = zip_of(tmp_path, (name, mode))
    with pytest.raises(EngineInstallError, match=sentence):
        extract_executable(archive, tmp_path / "program", max_bytes=1000)
    assert not (tmp_path / "program").exists()


# --- the pinned release --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "machine", "file_name"),
    [
        ("Linux", "x86_64", "stockfish-linux-x86-64-universal.tar.gz"),
        ("Linux", "aarch64", "stockfish-linux-arm64-universal.tar.gz"),
        ("Darwin", "arm64", "stockfish-macos-universal.tar.gz"),
        ("Darwin", "x86_64", "stockfish-macos-universal.tar.gz"),
        ("Windows", "AMD64", "stockfish-windows-x86-64-universal.zip"),
        ("Windows", "ARM64", "stockfish-windows-arm64-universal.zip"),
    ],
)
def test_every_usual_machine_has_its_program(system: str, machine: str, file_name: str) -> None:
    assert asset_for(STOCKFISH_19, system, machine).file_name == file_name


def test_other_machines_are_told_what_to_do() -> None:
    with pytest.raises(EngineInstallError, match=r"no program for Linux on riscv64.*apt install"):
        asset_for(STOCKFISH_19, "Linux", "riscv64")


def test_the_pinned_digests_are_digests_and_differ() -> None:
    digests = {asset.sha256 for asset in STOCKFISH_19.assets}
    assert len(digests) == len(STOCKFISH_19.assets)
    assert all(len(bytes.fromhex(digest)) == 32 for digest in digests)
