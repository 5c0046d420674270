"""The documentation: it builds without a warning, its links lead somewhere, its commands run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
import typer
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from fake_lichess import FakeLichess
from fake_uci_engine import write_fake_engine
from made_games import FIRST_GAME_AT_MS, export_games
from shown_commands import PAGES, ROOT, TOLD_TOO, Shown, faults_of, mentioned_in, shown_in
from typer.testing import CliRunner

from config.errors import MoveloError
from config.language import LANGUAGES, speaking
from config.settings import load_settings
from pipeline.cli.app import app

DOCS = ROOT / "docs"
PLAYER = "Quillfeather"

# Lines that are not run here, by how they begin, each with the reason; their options are checked.
NOT_RUN = {
    "./movelo test": "it is what runs this",
    "./movelo demo": "run in test_pipeline_cli.py, with the model of the machine",
    "movelo --install-completion": "it writes into the shell's files: test_cli_help.py",
    "movelo serve": "it serves until it is stopped: test_web_serve.py",
    "movelo work": "it works until it is stopped: test_pipeline_jobs.py",
    "movelo schedule run": "it runs until it is stopped: test_schedule_runner.py",
    "movelo engine install": "a download: test_engines_install.py",
    "movelo model install": "a download: test_cli_model.py",
    "movelo report NAME --cluster": "it takes a cluster: test_engines_cluster.py",
    "movelo batch names.txt --cluster": "it takes a cluster: test_engines_cluster.py",
    "movelo import lichess_db_": "a download of many gigabytes: test_cli_import.py has a made one",
    "movelo train": "minutes of fitting: test_strength_train.py",
    "movelo evaluate": "it takes the likelihoods that train made: test_cli_evaluate.py",
    "movelo engine budgets": "it takes the likelihoods that train made: test_cli_engine_budgets.py",
    "movelo simulate": "it takes the human-move model: test_cli_simulate.py",
    "movelo analyse simulated": "it takes what simulate made",
}
# Other people's programs, each with the reason why nothing is run.
FOREIGN = {
    "createuser": "a server of one's own",
    "createdb": "a server of one's own",
    "export": "the shell's own",
    "sqlite3": "not everywhere installed",
    "pg_dump": "a server of one's own",
    "dask": "it serves until it is stopped",
    "docker": "no container here",
}

SHOWN = [shown for page in PAGES for shown in shown_in(page)]
MENTIONED = [shown for page in (*PAGES, *TOLD_TOO) for shown in mentioned_in(page)]


# --- the site ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All languages, as one command makes them; it ends with an error at any warning."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    made = subprocess.run(
        [sys.executable, str(DOCS / "make_site.py"), str(folder)], capture_output=True, text=True
    )
    assert made.returncode == 0, made.stderr
    assert "WARNING" not in made.stderr
    return folder


class _Page(HTMLParser):
    """Where a page leads, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values["id"]} if "id" in values else set()
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") in ("stylesheet", "icon"):
            self.loaded.append(values.get("href", ""))
        elif tag in ("script", "img", "iframe", "object"):
            self.loaded += [values[name] for name in ("src", "data") if name in values]


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, _Page]:
    return {file: _Page(file.read_text("utf-8")) for file in site.rglob("*.html")}


def test_every_link_leads_somewhere_in_every_language(pages: dict[Path, _Page]) -> None:
    dead = []
    for file, page in pages.items():
        for link in page.links:
            url = urlsplit(link)
            if url.scheme or url.netloc:
                continue
            path = file.parent / unquote(url.path) if url.path else file
            if not _leads_somewhere(path.resolve(), unquote(url.fragment), pages):
                dead.append((file.name, link))
    assert len(pages) > 3 * len(PAGES) - 10
    assert not dead


def _leads_somewhere(path: Path, fragment: str, pages: dict[Path, _Page]) -> bool:
    page = pages.get(path)
    return path.exists() and (page is None or not fragment or fragment in page.anchors)


def test_a_page_asks_nothing_of_the_network(site: Path, pages: dict[Path, _Page]) -> None:
    loaded = {url for page in pages.values() for url in page.loaded}
    assert loaded
    assert not [url for url in loaded if urlsplit(url).netloc]
    styles = (file.read_text("utf-8") for file in site.rglob("*.css"))
    assert not [style for style in styles if "@import url(http" in style or "url(http" in style]


def test_the_reference_has_what_the_program_has(site: Path) -> None:
    def text_of(name: str) -> str:
        return (site / "reference" / f"{name}.html").read_text("utf-8")

    commands, settings, errors = (text_of(name) for name in ("commands", "settings", "errors"))
    defaults = tomllib.loads((ROOT / "config" / "defaults.toml").read_text("utf-8"))
    for name, section in defaults.items():
        for key, value in section.items():
            if not isinstance(value, dict):
                assert f"MOVELO_{name}__{key}".upper() in settings
    for error in _all_errors(MoveloError):
        assert error.__name__ in errors
    for command in _command_names():
        assert f">{command}<" in commands, command
    described = _openapi_paths()
    api = text_of("http-api")
    assert described
    assert not [path for path in described if f"/api/v1{path}" not in api]
    schema = json.loads((ROOT / "reports/templates/movelo-report.schema.json").read_text("utf-8"))
    report = text_of("report-json")
    assert not [name for name in schema["$defs"] if f">{name}<" not in report]


def _all_errors(error: type[MoveloError]) -> Iterator[type[MoveloError]]:
    yield error
    for inner in error.__subclasses__():
        yield from _all_errors(inner)


def _command_names() -> Iterator[str]:
    root: Any = typer.main.get_command(app)
    for name, command in root.commands.items():
        yield f"movelo {name}"
        yield from (f"movelo {name} {inner}" for inner in getattr(command, "commands", {}))


def _openapi_paths() -> list[str]:
    return list(_of_docs("made_from_code.http_api").openapi()["paths"])


def _of_docs(name: str) -> Any:
    """A module of the folder docs, which is no package."""
    sys.path.insert(0, str(DOCS))
    try:
        return import_module(name)
    finally:
        sys.path.remove(str(DOCS))


def test_a_sentence_that_is_said_no_more_is_found_out() -> None:
    said_in = _of_docs("said").said_in
    english = "Lichess knows no player called {username}; check the spelling"
    assert said_in("en", english) == english
    assert said_in("pt", english).startswith("o Lichess não conhece")
    assert said_in("en", "Lichess knows no such player") is None


# --- the guide in other languages --------------------------------------------------------------


def test_the_guide_is_translated_and_no_paragraph_is_behind() -> None:
    asked = [sys.executable, str(DOCS / "translations.py"), "--check"]
    said = subprocess.run(asked, capture_output=True, text=True)
    assert (said.returncode, said.stdout) == (0, ""), said.stdout + said.stderr


def test_a_paragraph_whose_english_changed_is_behind() -> None:
    missing = _of_docs("translations").missing
    with (DOCS / "locales" / "fr" / "LC_MESSAGES" / "index.po").open("rb") as file:
        catalog = read_po(file, locale="fr")
    assert missing(catalog) == ()
    changed = Catalog()
    for message in catalog:
        changed.add(f"{message.id}!" if message.id == "The code" else message.id)
    catalog.update(changed, no_fuzzy_matching=True)
    assert missing(catalog) == ("The code!",)


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("guide/reading.html", "Reading a report"),
        ("fr/guide/reading.html", "Lire un rapport"),
        ("pt/guide/reading.html", "Ler um relatório"),
        ("pt/method/index.html", "How the numbers are made"),
    ],
)
def test_each_language_has_its_own_guide(site: Path, page: str, title: str) -> None:
    assert f"<h1>{title}<" in (site / page).read_text("utf-8")


def test_every_language_has_its_pictures(pages: dict[Path, _Page]) -> None:
    reading = {
        page.parent.parent.name: found
        for page, found in pages.items()
        if page.name == "reading.html"
    }
    shown = {Path(url).name for found in reading.values() for url in found.loaded if ".png" in url}
    names = ("report", "trends", "differences", "game")
    suffixes = ["" if language == "en" else f".{language}" for language in LANGUAGES]
    assert {f"{name}{suffix}.png" for name in names for suffix in suffixes} == shown


# --- the commands ------------------------------------------------------------------------------


@pytest.mark.parametrize("shown", MENTIONED, ids=lambda one: f"{one.page}: {one.line}")
def test_what_a_sentence_mentions_exists(shown: Shown) -> None:
    assert faults_of(shown) == []


@pytest.mark.parametrize("shown", SHOWN, ids=lambda one: f"{one.page}: {one.line}")
def test_a_command_that_is_shown_exists(shown: Shown) -> None:
    words = shown.words
    if shown.is_ours:
        assert faults_of(shown) == []
    elif words[:2] == ["pip", "install"]:
        extras = words[2].strip(".[]").split(",")
        known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
        assert set(extras) - {""} <= set(known["project"]["optional-dependencies"])
    elif words[0] == "python":
        assert (ROOT / words[1]).is_file()
    else:
        assert words[0] in FOREIGN


def test_nothing_is_excused_that_is_not_shown() -> None:
    lines = [shown.line for shown in SHOWN]
    assert not [start for start in NOT_RUN if not any(one.startswith(start) for one in lines)]
    assert not [name for name in FOREIGN if not any(one.words[0] == name for one in SHOWN)]


@pytest.fixture(scope="module")
def lichess() -> Iterator[FakeLichess]:
    with FakeLichess() as found:
        found.add_player(PLAYER, games=_games())
        found.teams["lichess-swiss"] = [PLAYER]
        found.arenas["Xy7bQz1k"] = [PLAYER]
        yield found


def _games() -> list[dict[str, Any]]:
    """Twelve games of the early days of 2026, of which the pages speak."""
    games = export_games(12, player=PLAYER, analysed=True)
    later = int(datetime(2026, 2, 1, tzinfo=UTC).timestamp() * 1000) - FIRST_GAME_AT_MS
    for game in games:
        game["createdAt"] += later
        game["lastMoveAt"] += later
    return games


def _runnable() -> dict[str, list[Shown]]:
    found: dict[str, list[Shown]] = {}
    for shown in SHOWN:
        if shown.is_ours and not shown.line.startswith(tuple(NOT_RUN)):
            found.setdefault(shown.page, []).append(shown)
    return found


@pytest.mark.parametrize("page", _runnable())
def test_the_commands_of_a_page_run_one_after_the_other(
    page: str, lichess: FakeLichess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a clean data folder, with the games, the names and the Lichess that they speak of."""
    _prepare(tmp_path, lichess, monkeypatch)
    for shown in _runnable()[page]:
        words = [PLAYER if word == "NAME" else word for word in shown.words[1:]]
        with speaking("en"):
            done = CliRunner().invoke(app, words, catch_exceptions=False)
        assert done.exit_code == 0, (shown.line, done.output)
        assert done.output.strip(), shown.line


def _prepare(folder: Path, lichess: FakeLichess, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("MOVELO_", "LICHESS_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MOVELO_DATA", str(folder / "data"))
    monkeypatch.setenv("MOVELO_CONFIG", str(folder / "none.toml"))
    monkeypatch.setenv("MOVELO_LICHESS__BASE_URL", lichess.base_url)
    monkeypatch.setenv("MOVELO_ENGINE__PATH", str(write_fake_engine(folder)))
    monkeypatch.chdir(folder)
    assert load_settings().lichess.base_url == lichess.base_url
    games = _games()
    (folder / "games.ndjson").write_text("".join(json.dumps(game) + "\n" for game in games))
    (folder / "names.txt").write_text(f"{PLAYER}\n")
    with speaking("en"):
        assert CliRunner().invoke(app, ["import", "games.ndjson"]).exit_code == 0
        options = ["--format", "pgn", "--last", "0", "--out", "games.pgn"]
        assert CliRunner().invoke(app, ["export", PLAYER, *options]).exit_code == 0
