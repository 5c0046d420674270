"""What movelo is made of is known, pinned, and may be given away with it."""

import ast
import io
import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from licences import READ, is_combinable, licence_of, needed
from packaging.requirements import Requirement

from config.errors import EngineInstallError
from engines.download import download
from engines.install import STOCKFISH_19
from engines.maia_sources import MAIA3_5M

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
LOCKED_EXTRAS = ("cluster", "parquet", "postgresql", "web")
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)(?: ; .+?)? \\\n((?:    --hash=\S+(?: \\)?\n)+)", re.M)


def pins() -> list[tuple[str, str, list[str]]]:
    """Name, version, digests of each line of the lock."""
    return [
        (name, version, re.findall(r"--hash=sha256:([0-9a-f]{64})", hashes))
        for name, version, hashes in _PIN.findall(LOCK)
    ]


def test_the_lock_pins_every_package_by_its_digests_and_names_no_other_place() -> None:
    stated = [line for line in LOCK.splitlines() if not line.startswith(("#", " "))]
    assert len(pins()) == len(stated) > 30
    assert all(digests for _name, _version, digests in pins())
    assert not re.search(r"://|--index|--find-links|file:| @ ", LOCK)


def test_the_lock_satisfies_what_the_project_asks_for() -> None:
    """Else: config/SUPPLY.md has the command that renews it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = [project["optional-dependencies"][extra] for extra in LOCKED_EXTRAS]
    wanted = [Requirement(text) for texts in (project["dependencies"], *lists) for text in texts]
    for requirement in wanted:
        name = requirement.name.lower().replace("_", "-")
        versions = [version for pinned, version, _digests in pins() if pinned == name]
        assert versions, f"{name} is not in requirements.lock"
        assert all(requirement.specifier.contains(version) for version in versions), requirement


def test_the_command_that_renews_the_lock_is_the_one_that_made_it() -> None:
    command = LOCK.splitlines()[1].removeprefix("#").strip()
    assert command.startswith("uv pip compile --universal")
    assert command in (ROOT / "config" / "SUPPLY.md").read_text("utf-8")
    assert all(f"--extra {extra}" in command for extra in LOCKED_EXTRAS)


def test_the_image_is_made_of_the_lock() -> None:
    steps = (ROOT / "Dockerfile").read_text("utf-8")
    assert "--require-hashes --requirement requirements.lock" in steps
    assert all(
        "--no-deps" in line
        for line in steps.splitlines()
        if "pip install" in line and "." in line.split()
    )


def test_every_package_may_be_combined_with_movelo_s_licence() -> None:
    found = {name: licence_of(package) for name, package in needed().items()}
    assert len(found) > 50
    refused = {
        name: licence
        for name, licence in found.items()
        if name not in READ and not is_combinable(licence)
    }
    assert not refused, f"read them, and add them to tests/licences.py if they may be: {refused}"


@pytest.mark.parametrize(
    ("licence", "may_be"),
    [
        ("MIT", True),
        ("BSD-3-Clause AND 0BSD AND MIT", True),
        ("GPL-2.0-only", False),
        ("GPL-2.0-only OR MIT", True),
        ("MIT AND SSPL-1.0", False),
        ("", False),
    ],
)
def test_a_licence_nobody_read_is_refused(licence: str, may_be: bool) -> None:
    assert is_combinable(licence) == may_be


def test_downloads_have_a_digest_and_come_over_https() -> None:
    digests = [asset.sha256 for asset in STOCKFISH_19.assets]
    digests += [file.sha256 for file in MAIA3_5M.files]
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
    for address in (STOCKFISH_19.base_url, MAIA3_5M.base_url):
        assert urlsplit(address).scheme == "https"


def test_nothing_is_fetched_but_through_the_two_doors() -> None:
    """Lichess's session, and `download`, which checks a digest."""
    doors = {"pipeline/fetch/session.py", "pipeline/cli/model.py", "pipeline/cli/engine.py"}
    found = set()
    for room in ("config", "engines", "pipeline", "reports"):
        for file in (ROOT / room).rglob("*.py"):
            tree = ast.parse(file.read_text("utf-8"))
            if any(_fetches(node) for node in ast.walk(tree)):
                found.add(file.relative_to(ROOT).as_posix())
    assert found == doors


def _fetches(node: ast.AST) -> bool:
    """Whether a line opens a session, or asks without one; an unchecked certificate is one too."""
    if isinstance(node, ast.Call):
        if any(key.arg == "verify" for key in node.keywords):
            return True
        called = ast.unparse(node.func)
        direct = re.fullmatch(r"requests\.(get|post|request|Session|session)", called)
        return bool(direct) or called.endswith(("urlopen", "urlretrieve", "HTTPConnection"))
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
        return any(name.split(".")[0] in ("httpx", "aiohttp", "ftplib") for name in names)
    return False


class _Redirecting(requests.Session):
    """Answers as a server does that leads elsewhere."""

    def __init__(self, *steps: str) -> None:
        super().__init__()
        self._steps = steps

    def get(self, *_: object, **__: object) -> requests.Response:
        *before, last = [_answer(step) for step in self._steps]
        last.history = before
        return last


def _answer(url: str) -> requests.Response:
    answer = requests.Response()
    answer.url, answer.status_code = url, 200
    answer.raw = io.BytesIO(b"a program")
    return answer


@pytest.mark.parametrize(
    "steps",
    [
        ("https://a.example/x", "http://a.example/x"),
        ("https://a.example/x", "http://b.example/x", "https://c.example/x"),
    ],
)
def test_a_download_that_leaves_https_is_refused(steps: tuple[str, ...], tmp_path: Path) -> None:
    target = tmp_path / "x"
    with pytest.raises(EngineInstallError, match="without encryption"):
        download(
            "https://a.example/x",
            target,
            sha256="0" * 64,
            max_bytes=100,
            session=_Redirecting(*steps),
            progress=lambda _arrived, _total: None,
        )
    assert not target.read_bytes()
