"""The house rules that the import linter cannot state."""

import ast
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("config", "engines", "pipeline", "reports")

ONLY_IN = {
    "alembic": "pipeline/store/",
    "berserk": "pipeline/fetch/",
    "distributed": "engines/cluster",
    "fastapi": "pipeline/web/",
    "jinja2": "reports/",
    "prometheus_client": "pipeline/web/",
    "sqlalchemy": "pipeline/store/",
    "lightgbm": "pipeline/strength/",
    "typer": "pipeline/cli/",
}


@cache
def imports() -> frozenset[tuple[str, str]]:
    """(file, imported module) all over the rooms."""
    return frozenset(_imports())


def _imports() -> Iterator[tuple[str, str]]:
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom) and node.module:
                    names = [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
                for name in names:
                    yield file.relative_to(ROOT).as_posix(), name


@pytest.mark.parametrize(("module", "place"), ONLY_IN.items())
def test_a_library_is_known_in_one_room_only(module: str, place: str) -> None:
    users = {file for file, name in imports() if f"{name}.".startswith(f"{module}.")}
    assert users, f"nothing imports {module} any more: take it out of this list"
    assert all(file.startswith(place) for file in users), users


def test_no_dependency_ships_a_package_named_like_one_of_our_rooms() -> None:
    others = {
        name: [owner for owner in owners if owner != "movelo"]
        for name, owners in metadata.packages_distributions().items()
        if name in (*ROOMS, "tests")
    }
    assert not any(others.values()), others


def test_no_module_is_named_like_one_of_the_standard_library_s() -> None:
    import sys

    files = [file for room in ROOMS for file in (ROOT / room).rglob("*.py")]
    assert not [f for f in files if f.stem in sys.stdlib_module_names and f.stem != "__init__"]


def test_the_top_level_holds_what_was_agreed() -> None:
    agreed = {
        ".ci", ".dockerignore", ".git", ".gitignore", "CHANGELOG.md", "Dockerfile", "LICENSE",
        "README.md", "compose.yaml", "config", "docs", "engines", "movelo", "pipeline",
        "pyproject.toml", "reports", "requirements.lock",
        "tests",
    }  # fmt: skip
    tracked = {
        path.name
        for path in ROOT.iterdir()
        if not path.name.startswith(
            (".venv", ".mypy", ".ruff", ".pytest", ".hypothesis", ".import")
        )
    }
    assert tracked - {"movelo-reports", "build", "dist", "__pycache__"} <= agreed
