"""Everything a person reads is in their language, and everything a machine reads is not."""

from __future__ import annotations

import ast
import json
import os
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from babel.messages.catalog import Catalog
from hypothesis import given
from hypothesis import strategies as st
from made_reports import made_game_report, made_player_report
from message_catalogues import ROOMS, ROOT, TRANSLATED, extracted, is_complete, read
from rich.console import Console
from typer.testing import CliRunner

import config.errors
from config.catalogue import Catalogue
from config.language import (
    LANGUAGES,
    best_language,
    english,
    language_of,
    nenglish,
    ngettext,
    retold,
    speaking,
)
from config.localized import number_text
from pipeline.cli.app import app
from pipeline.cli.language import chosen_language
from pipeline.records import Judgement, NoEstimate, PlayerReport
from pipeline.selection import Selection
from pipeline.store.job_records import Job, JobOrder, JobProgress, JobState, StageProgress
from pipeline.web.calculators import CALCULATORS, calculator, filled
from reports.counts import counted
from reports.explanations import phase_names
from reports.game_page import game_to_html
from reports.method import limits
from reports.terminal import render_report
from reports.terminal_game import render_game
from reports.terms import judgement_name, scale_name
from reports.to_csv import games_to_csv
from reports.to_html import report_to_html
from reports.to_json import report_to_json
from reports.verdict import verdict
from reports.web_calculators import calculator_to_html
from reports.web_pages import StartForm, job_to_html, refusal_to_html, start_to_html
from reports.words import (
    date_text,
    decimal_text,
    outcome_word,
    percent_text,
    period_text,
    range_text,
    reason_text,
    score_of_text,
)

MESSAGES = extracted()
SOURCES = [file for room in ROOMS for file in sorted((ROOT / room).rglob("*.py"))]
MARKERS = {"_", "english", "ngettext", "nenglish"}


# --- the catalogues ------------------------------------------------------------------------


def forms(identity: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (identity,) if isinstance(identity, str) else tuple(identity)


def placeholders(message: str) -> set[tuple[str, str]]:
    fields = string.Formatter().parse(message)
    return {(name, spec or "") for _text, name, spec, _how in fields if name is not None}


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(language: str) -> None:
    known = read(language)
    missing = [
        message.id
        for message in MESSAGES
        if message.id
        and (
            (found := known.get(message.id)) is None or found.fuzzy or not is_complete(found.string)
        )
    ]
    assert missing == [], "translate them: python tests/message_catalogues.py"


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_translated_that_is_said_no_more(language: str) -> None:
    assert [m.id for m in read(language) if m.id and MESSAGES.get(m.id) is None] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_values_of_its_message(language: str) -> None:
    for message in read(language):
        if message.id and is_complete(message.string):
            wanted = {frozenset(placeholders(form)) for form in forms(message.id)}
            for said in forms(message.string):
                assert frozenset(placeholders(said)) in wanted, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_options_and_commands_are_not_translated(language: str) -> None:
    def typed(text: str) -> set[str]:
        return set(
            re.findall(r"(?<![\w-])--[a-z][a-z0-9-]+|\bMOVELO_[A-Z_]+|https?://[^\s),;]+", text)
        )

    for message in read(language):
        if message.id and is_complete(message.string):
            assert typed(forms(message.string)[-1]) == typed(forms(message.id)[-1]), message.id


# --- the code ------------------------------------------------------------------------------


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            yield name, node


def is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def unmarked(node: ast.expr) -> Iterator[ast.expr]:
    """The strings with words in them that are written there, and not given to `_`."""
    match node:
        case ast.Constant(value=str(text)) if re.search("[A-Za-z]{2}", text):
            yield node
        case ast.JoinedStr(values=parts):
            yield from (p for p in parts if isinstance(p, ast.Constant) and list(unmarked(p)))
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            yield from (*unmarked(one), *unmarked(other))
        case ast.Call(func=ast.Attribute(value=inner, attr="format")):
            yield from unmarked(inner)


@pytest.mark.parametrize("source", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_messages_are_written_where_the_catalogues_find_them(source: Path) -> None:
    tree = ast.parse(source.read_text("utf-8"))
    # Babel does not look into an f-string before Python 3.12.
    inside = {
        id(node)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.JoinedStr)
        for node in ast.walk(outer)
    }
    assert not [c.lineno for name, c in calls(tree) if name in MARKERS and id(c) in inside], source
    if source.name not in ("language.py", "catalogue.py"):
        for name, call in calls(tree):
            if name in MARKERS:
                wanted = call.args[:2] if name.startswith("n") else call.args
                assert all(map(is_literal, wanted)), f"{source}:{call.lineno}"
    foreseen = {name for name, kind in vars(config.errors).items() if isinstance(kind, type)}
    for name, call in calls(tree):
        if name in foreseen:
            assert not [u for a in call.args for u in unmarked(a)], f"{source}:{call.lineno}"


@pytest.mark.parametrize("source", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_nothing_else_is_called_like_the_marker(source: Path) -> None:
    tree = ast.parse(source.read_text("utf-8"))
    imported = any(
        isinstance(node, ast.ImportFrom) and "_" in [alias.name for alias in node.names]
        for node in ast.walk(tree)
    )
    if imported:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert not hidden(node), f"{source}:{node.lineno} {node.name}"


def hidden(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether `_` is a variable of the function and is called there: comprehensions are apart."""
    apart = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
    inner = {
        id(name)
        for node in ast.walk(function)
        if isinstance(node, apart)
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    stored = [
        name
        for name in ast.walk(function)
        if isinstance(name, ast.Name) and name.id == "_" and isinstance(name.ctx, ast.Store)
    ]
    called = any(name == "_" for name, _call in calls(function))
    return called and any(id(name) not in inner for name in stored)


# --- a language in which nothing is left unmarked ------------------------------------------


class Pseudo:
    """Every message comes with ⟦ and ⟧ around its own words, never around its values."""

    def gettext(self, message: str) -> str:
        parts = re.split(r"(\{[^{}]*\})", message)
        return "".join(part if number % 2 else f"⟦{part}⟧" for number, part in enumerate(parts))

    def ngettext(self, singular: str, plural: str, number: float) -> str:
        return self.gettext(singular if number == 1 else plural)

    def retold(self, kept: str) -> str:
        return kept if kept.startswith("⟦") else f"⟦{kept}⟧"


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    spoken = Pseudo()
    monkeypatch.setattr("config.language._catalogue", lambda wanted: spoken)


class Seen(HTMLParser):
    """What is read of a page, or read out."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style")
        read_out = ("aria-label", "title", "alt", "placeholder")
        self.texts += [value for name, value in attrs if name in read_out and value]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(data)


def seen(html: str) -> str:
    page = Seen()
    page.feed(html)
    return "\n".join(page.texts)


# What stands outside of messages: moves, ids, units, addresses, names, the names of systems.
DATA = re.compile(
    r"""https?://\S+ | lichess\.org\S* | \b[\w-]+\.(?:pgn|nnue|ndjson)\b | \b[A-E]\d\d\b
    | \b(?:O-O(?:-O)?|[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=[QRBN])?)[+\#]?
    | \bmovelo(?:-[\w-]+)?\b | \bLichess\b | \bStockfish\b | \bFIDE\b | \bUTC\b | \bLichess\ \w+
    | \b(?:PGN|NDJSON|JSON|CSV|HTML|API|MiB|min|s|h|GMT)\b | \b\d+(?::\d\d)+
    | (?<![^\W\d_])[a-h](?=\s)""",
    re.VERBOSE,
)
MONTHS = {datetime(2026, month, 1).strftime("%B") for month in range(1, 13)}
# Languages call themselves by their own names, and a bird plays in the made differences.
NAMES = {"UltraBullet", "English", "Français", "Português", "EN", "FR", "PT", "Moorhenry"}


def left_in_english(text: str, report: PlayerReport) -> set[str]:
    names = {report.player, report.model_name}
    for game in report.games:
        names |= {side.player.name or "" for side in (game.white, game.black)}
        names |= {game.opening.name, game.opening.eco} if game.opening else set()
        names.add(game.id)
    outside, inner = text, 1
    while inner:  # a value may hold messages of its own
        outside, inner = re.subn(r"⟦[^⟦⟧]*⟧", " ", outside)
    for name in sorted(names - {""}, key=len, reverse=True):
        outside = outside.replace(name, " ")
    return set(re.findall(r"[^\W\d_]{2,}", DATA.sub(" ", outside))) - MONTHS - NAMES


def whole_report() -> PlayerReport:
    """Without the places of what was set aside: those are names of games and files."""
    made = made_player_report()
    return replace(made, set_aside=(replace(made.set_aside[0], where="Ab3kQ9zz"),))


def test_a_report_s_page_has_no_word_outside_of_messages(pseudo: None) -> None:
    report = whole_report()
    assert left_in_english(seen(report_to_html(report)), report) - {"Ab", "kQ", "zz"} == set()


def test_a_game_s_page_has_no_word_outside_of_messages(pseudo: None) -> None:
    report = whole_report()
    page = game_to_html(report.games[0], back_href="report.html")
    assert left_in_english(seen(page), report) == set()


def test_the_terminal_has_no_word_outside_of_messages(pseudo: None) -> None:
    report = whole_report()
    screen = StringIO()
    console = Console(file=screen, width=1000)
    render_report(report, console)
    render_game(report.games[0], console)
    assert left_in_english(screen.getvalue(), report) - {"Ab", "kQ", "zz"} == set()


def made_job(state: JobState, *, failure: str | None = None) -> Job:
    moment = datetime(2026, 3, 14, 12, tzinfo=UTC)
    stages = (StageProgress(name="Evaluating games", done=3, total=12, seconds=6.0),)
    return Job(
        id="Kx3", state=state, created_at=moment, started_at=moment, finished_at=moment,
        attempts=1, cancel_asked=False, jobs_ahead=0, failure=failure,
        order=JobOrder(
            selection=Selection(player="Rosalind_Vey", speeds=("blitz",), last=50),
            source="lichess",
        ),
        progress=JobProgress(
            stages=stages, games_assessed=6, speeds=made_player_report().speeds,
            sentence="Lichess asks to slow down (429); going on in 60 seconds.",
        ),
    )  # fmt: skip


def test_the_web_s_pages_have_no_word_outside_of_messages(pseudo: None) -> None:
    report = whole_report()
    jobs = (
        made_job("running"),
        made_job("cancelled"),
        made_job("done"),
        made_job("failed", failure="There are no games."),
    )
    start = start_to_html(StartForm(), jobs, zone=UTC, most_games=1000, most_mebibytes=8)
    of_jobs = (job_to_html(job, report=report, zone=UTC) for job in jobs)
    for page in (start, refusal_to_html("⟦no⟧"), *of_jobs):
        assert left_in_english(seen(page), report) == set()


# What a calculator takes and names: systems, scales, sources, constants.
OF_CALCULATORS = set(
    re.findall(
        r"\w+",
        "Elo FIDE US Chess CFC CMA FQE Glicko Arpad Rating Échecs et Maths Chess'n Math handbook "
        "RD tau ChessGoals ChessDojo Lebowitz com org ca qc pdf",
    )
)


@pytest.mark.parametrize("name", CALCULATORS)
def test_a_calculator_s_page_has_no_word_outside_of_messages(pseudo: None, name: str) -> None:
    asked = calculator(name)
    query = dict(parse_qsl(asked.form.example))
    form = filled(asked, query, today=date(2026, 3, 14))
    text = seen(calculator_to_html(asked.form, form, ())).replace(asked.form.source.text, "")
    chosen = {value for field in asked.form.fields for value, _label in field.choices}
    words = set(re.findall(r"[^\W\d_]+", " ".join(chosen)))
    assert left_in_english(text, whole_report()) - OF_CALCULATORS - words == set()


def test_the_pseudo_language_finds_a_word_that_is_not_marked(pseudo: None) -> None:
    """The tests above can fail."""
    report = whole_report()
    with_a_word = replace(report, games=(replace(report.games[0], variant="crazyhouse"),))
    assert "crazyhouse" in left_in_english(seen(report_to_html(with_a_word)), report)


# --- languages as they are read ------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "1,230–2,350; 84 %; 12½/1,204; 0.57; 2026-03-14; 3 January – 14 March 2026; 1 game"),
        (
            "fr",
            "1 230–2 350; 84 %; 12½/1 204; 0,57; 14/03/2026; 3 janvier – 14 mars 2026; 1 partie",
        ),
        (
            "pt",
            "1.230–2.350; 84%; 12½/1.204; 0,57; 14/03/2026; "
            "3 de janeiro – 14 de março de 2026; 1 partida",
        ),
    ],
)
def test_numbers_and_days_are_written_as_the_language_does(language: str, said: str) -> None:
    first, last = datetime(2026, 1, 3, tzinfo=UTC), datetime(2026, 3, 14, tzinfo=UTC)
    with speaking(language):
        parts = (
            range_text(1234, 2345), percent_text(84.2), score_of_text(12.5, 1204),
            decimal_text(0.571, 2), date_text(last, UTC), period_text(first, last, UTC),
            counted(1, "game"),
        )  # fmt: skip
    assert re.sub(r"[\u00a0\u202f]", " ", "; ".join(parts)) == said


def test_no_line_is_broken_within_a_french_number() -> None:
    with speaking("fr"):
        assert " " not in number_text(12345678) and " " not in percent_text(50)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", ("fourchette", "coups", "classement", "Lichess rapide", "gaffe", "finale", "nulle")),
        ("pt", ("faixa", "lances", "rating", "Lichess rápida", "erro grave", "final", "empate")),
    ],
)
def test_the_field_s_own_words_are_used(language: str, words: tuple[str, ...]) -> None:
    with speaking(language):
        speed = made_player_report().speeds[0]
        terms = (judgement_name(Judgement.BLUNDER), *phase_names(), outcome_word(0.5))
        said = " ".join((verdict(speed), *limits(), scale_name("lichess_rapid"), *terms))
    assert [word for word in words if word not in said] == []


def test_a_reason_that_was_kept_is_told_in_the_reader_s_language() -> None:
    kept = nenglish(
        "only {count} own move with an evaluation; {fewest} are needed",
        "only {count} own moves with an evaluation; {fewest} are needed",
        7,
    ).format(count=7, fewest=10)
    assert reason_text(NoEstimate(reason=kept)) == kept
    with speaking("fr"):
        told = reason_text(NoEstimate(reason=kept)).replace("\u00a0", " ")
    assert told == "seulement 7 coups joués avec évaluation ; il en faut 10"


def test_a_reason_within_a_reason_is_told_too() -> None:
    inner = english("the engine failed on this game")
    kept = english("not in the move-based view: {reason}").format(reason=inner)
    with speaking("pt"):
        assert retold(kept) == "fora da visão pelos lances: o motor falhou nesta partida"


@given(st.text(max_size=60))
def test_what_others_wrote_stays_as_it_is(text: str) -> None:
    with speaking("fr"):
        wanted = {form for message in MESSAGES if message.id for form in forms(message.id)}
        if text not in wanted and not re.search("[a-z]{3}", text):
            assert retold(text) == text


def test_a_sentence_that_only_resembles_a_message_stays_as_it_is() -> None:
    foreign = "The list of games was cut by Lichess after 12 games; run movelo again for more"
    with speaking("fr"):
        assert retold(foreign) == foreign


def test_values_may_look_like_patterns() -> None:
    said = english("game {game_id} from Lichess")
    catalog = Catalog(locale="fr")
    catalog.add(said, "partie {game_id} de Lichess")
    told = Catalogue(catalog).retold(said.format(game_id="{0}\\1(?P<a>"))
    assert told == "partie {0}\\1(?P<a> de Lichess"


def test_one_and_many_are_told_apart() -> None:
    with speaking("fr"):
        said = [ngettext("{count} game", "{count} games", n).format(count=n) for n in (0, 1, 2)]
    assert said == ["0 partie", "1 partie", "2 parties"]


# --- what machines read --------------------------------------------------------------------


@pytest.mark.parametrize("language", TRANSLATED)
def test_machine_formats_stay_in_english_with_plain_numbers(language: str) -> None:
    report = made_player_report()
    usual = report_to_json(report), games_to_csv(report)
    with speaking(language):
        assert (report_to_json(report), games_to_csv(report)) == usual


@pytest.mark.parametrize("language", TRANSLATED)
def test_answers_about_ratings_are_the_same_json_in_every_language(language: str) -> None:
    asked = ["elo", "performance", "1800:1", "1750:1", "--json"]
    usual, told = (
        CliRunner().invoke(app, [*before, *asked]) for before in ((), ("--lang", language))
    )
    assert usual.exit_code == told.exit_code == 0
    assert json.loads(usual.stdout) == json.loads(told.stdout)


# --- which language ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("fr-CA, fr;q=0.8, en;q=0.5", "fr"),
        ("pt-BR,pt;q=0.9,en-US;q=0.8", "pt"),
        ("de, fr;q=0.7, en;q=0.8", "en"),
        ("de, *;q=0.5", "en"),
        ("fr;q=0, pt;q=0.1", "pt"),
        ("fr;q=many, pt", "pt"),
    ],
)
def test_a_browser_gets_what_it_likes_best(header: str, language: str) -> None:
    assert best_language(header) == language


@given(st.text(max_size=2000))
def test_any_header_has_an_answer(header: str) -> None:
    assert best_language(header) in LANGUAGES


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "pt_BR.UTF-8"}, "pt"),
        ({"LANG": "fr_FR", "LC_MESSAGES": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_a_terminal_s_locale_is_understood(environment: dict[str, str], language: str) -> None:
    assert language_of(environment) == language


def test_the_nearest_wish_counts(tmp_path: Path) -> None:
    file = tmp_path / "movelo.toml"
    environment = {"LANG": "pt_BR.UTF-8"}
    assert chosen_language([], environment, file) == "pt"
    file.write_text('[report]\nlanguage = "fr"\n')
    assert chosen_language([], environment, file) == "fr"
    environment["MOVELO_LANG"] = "en"
    assert chosen_language(["report", "--lang"], environment, file) == "en"
    assert chosen_language(["--lang", "pt", "report"], environment, file) == "pt"
    assert chosen_language(["--lang=fr"], environment, file) == "fr"


def movelo(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    quiet = {key: value for key, value in os.environ.items() if key != "MOVELO_LANG"}
    return subprocess.run(
        [sys.executable, "-m", "pipeline.cli", *arguments],
        capture_output=True, text=True, cwd=ROOT, env={**quiet, "COLUMNS": "200", **environment},
    )  # fmt: skip


def test_a_french_terminal_gets_french_sentences_and_french_help() -> None:
    done = movelo("game", "nosuch", LC_ALL="fr_FR.UTF-8")
    assert done.returncode == 1 and "n’est ni un fichier ici" in done.stderr
    assert (
        "Une adresse" in (said := movelo("--lang", "fr", "game", "--help").stdout)
        or "L’adresse" in said
    )


def test_a_language_that_movelo_does_not_speak_is_refused_in_one_sentence() -> None:
    done = movelo("elo", "fqe", MOVELO_LANG="xx")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "en, fr, pt" in done.stderr
    assert "'xx' is none of en, fr, pt." in movelo("--lang", "xx", "elo", "fqe").stderr


def test_english_costs_no_time_for_babel() -> None:
    script = "import sys, pipeline.cli.app, reports.terminal; print('babel' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "False\n"


def test_a_game_report_may_be_read_in_two_languages_at_once() -> None:
    game = made_game_report()
    with speaking("fr"):
        french = game_to_html(game)
        with speaking("pt"):
            assert 'lang="pt"' in game_to_html(game)
        assert game_to_html(game) == french and 'lang="fr"' in french
