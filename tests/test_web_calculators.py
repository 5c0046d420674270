"""The calculators as pages: the terminal's answers, addresses to share, whatever is typed."""

import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_web import made_context
from typer.testing import CliRunner
from web_client import WebClient

from config.language import speaking
from pipeline.cli.app import app as terminal
from pipeline.web.api_calculators import CalculatorNames
from pipeline.web.app import create_app
from pipeline.web.calculators import CALCULATORS, calculator, filled
from reports.web_calculators import calculator_to_html

TODAY = date(2026, 3, 14)
ASKED = [  # the same question to the terminal and to a page
    ("expected 1500 1700", "expected?rating=1500&opponent=1700"),
    ("expected --step 100 --limit 400", "expected?step=100&limit=400"),
    ("change 1500 1700 1 --k 20", "change?rating=1500&opponent=1700&result=1&k=20"),
    ("change 1500 1700 --opponent-k 40", "change?rating=1500&opponent=1700&opponent_k=40"),
    ("period 1500 1400:1 1600:½ 1550:0", "period?rating=1500&games=1400:1 1600:½ 1550:0"),
    (
        "period 1500 1400:1 1900:0 --one-after-another --cap 350",
        "period?rating=1500&games=1400:1 1900:0&one_after_another=1&cap=350",
    ),
    (
        "performance 1600:1 1550:½ 1650:0 --rating 1500 --coverage 90",
        "performance?games=1600:1 1550:½ 1650:0&rating=1500&coverage=90",
    ),
    (
        "fide 1900 1850:1 2010:½ 2400:0 --on 2025-11-01",
        "fide?rating=1900&games=1850:1 2010:½ 2400:0&on=2025-11-01",
    ),
    (
        "fide 1650 1700:1 1500:1 --born 2010 --control rapid --on 2025-11-01",
        "fide?rating=1650&games=1700:1 1500:1&born=2010&control=rapid&on=2025-11-01",
    ),
    (
        "fide-first 1900:1 1850:½ 1700:1 2000:0 1650:1 --on 2025-11-01",
        "fide-first?games=1900:1 1850:½ 1700:1 2000:0 1650:1&on=2025-11-01",
    ),
    ("fide-first 1900:1 --on 2025-11-01", "fide-first?games=1900:1&on=2025-11-01"),
    (
        "cma 600 575:1 600:1 625:0 650:1 675:½",
        "cma?rating=600&games=575:1 600:1 625:0 650:1 675:½",
    ),
    (
        "cfc 1600 1700:1 1650:1 1500:1 1800:½ --highest 1680",
        "cfc?rating=1600&games=1700:1 1650:1 1500:1 1800:½&highest=1680",
    ),
    (
        "uscf 1500 1400:1 1550:0 1650:½ --prior-games 6 --on 2025-11-01",
        "uscf?rating=1500&games=1400:1 1550:0 1650:½&prior_games=6&on=2025-11-01",
    ),
    (
        "uscf 1850 1900:0 1700:0 --prior-games 60 --peak 2100 --on 2025-11-01",
        "uscf?rating=1850&games=1900:0 1700:0&prior_games=60&peak=2100&on=2025-11-01",
    ),
    ("fqe", "fqe"),
    (
        "glicko1 1500 200 1400/30:1 1550/100:0 1700/300:0",
        "glicko1?rating=1500&rd=200&games=1400/30:1 1550/100:0 1700/300:0",
    ),
    (
        "glicko2 1500 1520:1 1480/90:½ --rd 75 --color white",
        "glicko2?rating=1500&games=1520:1 1480/90:½&rd=75&color=white",
    ),
    (
        "convert 1500 chesscom_blitz lichess_blitz",
        "convert?rating=1500&from=chesscom_blitz&to=lichess_blitz",
    ),
    ("convert 3900 lichess_blitz fide", "convert?rating=3900&from=lichess_blitz&to=fide"),
    (
        "target 1900 1920 1850 1950 2000 --k 20",
        "target?rating=1900&target=1920&opponents=1850 1950 2000&k=20",
    ),
    (
        "target 1500 1550 1500 --times 20 --system lichess",
        "target?rating=1500&target=1550&opponents=1500&times=20&system=lichess",
    ),
]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebClient]:
    with made_context(tmp_path_factory.mktemp("web")) as context:
        yield _Patient(create_app(context))


class _Patient(WebClient):
    """Asks from a new address each time, so that no limit holds it up."""

    asked = 0

    def request(self, method: str, path: str, **options: Any) -> Any:
        type(self).asked += 1
        self._address = f"10.0.{self.asked // 250}.{self.asked % 250}"
        return super().request(method, path, **options)


def _address(query: str) -> str:
    return quote(query, safe="?=&:/+")


def _in_terminal(command: str) -> str:
    found = CliRunner().invoke(terminal, ["elo", *command.split()], env={"COLUMNS": "600"})
    assert found.exit_code == 0, found.output
    return found.stdout


def _text(page: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "\n", page))


@pytest.mark.parametrize(("command", "query"), ASKED)
def test_a_page_answers_what_the_terminal_answers_in_the_same_words(
    web: WebClient, command: str, query: str
) -> None:
    page = web.get(f"/calculators/{_address(query)}")
    assert page.status_code == 200
    shown = [line.strip() for line in _text(page.text).splitlines()]
    # Notes that name options of the terminal name fields here.
    lines = [
        line for line in _in_terminal(command).splitlines() if "--" not in line and "─" not in line
    ]
    cells = [cell for line in lines for cell in re.split(r"\s{2,}", line.strip()) if cell]
    assert cells
    assert [cell for cell in cells if cell not in shown] == []


@pytest.mark.parametrize(("command", "query"), ASKED)
def test_the_api_answers_the_terminals_json(web: WebClient, command: str, query: str) -> None:
    answer = web.get(f"/api/v1/calculators/{_address(query)}")
    assert answer.status_code == 200
    assert answer.text == _in_terminal(f"{command} --json")


def test_every_calculator_is_asked_above_and_listed(web: WebClient) -> None:
    asked = {query.partition("?")[0] for _command, query in ASKED}
    assert asked == set(CALCULATORS)
    listed = CalculatorNames.model_validate_json(web.get("/api/v1/calculators").text)
    assert [one.name for one in listed.calculators] == list(CALCULATORS)
    page = web.get("/calculators").text
    assert all(f'href="/calculators/{name}"' in page for name in CALCULATORS)


@pytest.mark.parametrize("name", CALCULATORS)
def test_a_form_shows_every_field_and_its_example_is_answered(web: WebClient, name: str) -> None:
    made = calculator(name)
    page = web.get(f"/calculators/{name}").text
    assert all(f'name="{field.name}"' in page for field in made.form.fields)
    assert 'class="error"' not in page
    assert made.form.source.text in unescape(page)
    example = web.get(f"/calculators/{name}?{_address(made.form.example)}").text
    assert 'id="answer"' in example and 'class="error"' not in example


def test_what_is_wrong_is_said_beside_its_field_and_nothing_typed_is_lost(web: WebClient) -> None:
    page = web.get("/calculators/fide?rating=high&games=1850:2&on=2021-01-01&k=30").text
    for field, sentence in {
        "rating": "Your rating: “high” is no number; write it as 20 or 0.06.",
        "games": "Games, line 1: '2' is no result; write a game as 1800:1, 1800:½ or 1800:0.",
        "k": "K: “30” is none of 40, 20, 10.",
    }.items():
        assert f'<p class="error" id="error-{field}" role="alert">{sentence}</p>' in unescape(page)
        described = re.search(rf'id="field-{field}"[^>]*aria-describedby="([^"]*)"', page)
        assert described and f"error-{field}" in described[1].split()
    assert 'value="high"' in page and "\n1850:2</textarea>" in page
    assert 'id="answer"' not in page


@pytest.mark.parametrize(
    ("query", "field", "part"),
    [
        ("fide?rating=1900&games=1850:1&on=2021-01-01", "on", "begin on 2022-01-01"),
        ("fide?rating=1900&games=1850:1&highest=1800", "highest", "cannot be under"),
        ("fide?rating=1900.5&games=1850:1", "rating", "no whole number"),
        ("uscf?rating=1900&games=1850:1&on=2016-01-01", "on", "2017-05-01"),
        ("cfc?rating=1900&games=1850:1&minutes=3", "minutes", "5 minutes and more"),
        ("expected?rating=1900", "opponent", "both ratings"),
        ("glicko1?rating=1500&rd=50&games=1400/30:1&periods=2", "c", "give it"),
        ("glicko1?rating=1500&rd=50&games=1400:1", "games", "deviation is missing"),
        ("target?rating=1&target=2&opponents=5 6&times=300", "times", "At most 500 games"),
        ("convert?rating=1500&from=fide&to=fide", "to", "name the one to convert to"),
        ("performance?games=" + "1500:1," * 501, "games", "At most 500 games"),
        ("performance?games=9999:1", "games", "game 1 has an opponent above 5000"),
    ],
)
def test_what_a_rule_refuses_is_said_beside_the_field_it_is_about(
    web: WebClient, query: str, field: str, part: str
) -> None:
    page = web.get(f"/calculators/{_address(query)}").text
    said = re.search(rf'id="error-{field}" role="alert">([^<]*)<', page)
    assert said and part.casefold() in unescape(said[1]).casefold()
    answer = web.get(f"/api/v1/calculators/{_address(query)}")
    assert answer.status_code == 422
    assert answer.json()["errors"] == [{"field": field, "detail": unescape(said[1])}]


@pytest.mark.parametrize(
    "games", ["1400:1\n1600:½\n1550:0", "1400:1, 1600:0.5,1550:0", " 1400 : 1  1600:=\n1550 0 # me"]
)
def test_games_stand_beside_each_other_or_one_a_line(web: WebClient, games: str) -> None:
    usual = web.get("/api/v1/calculators/period?rating=1500&games=1400:1 1600:½ 1550:0")
    other = web.get("/api/v1/calculators/period", params={"rating": "1500", "games": games})
    assert usual.status_code == 200 and other.json() == usual.json()


def test_an_address_that_is_shared_gives_the_same_answer_on_another_day() -> None:
    made = calculator("fide")
    typed = {"rating": "2100", "games": "1600:1", "k": "", "control": "standard"}
    first = filled(made, typed, today=date(2024, 2, 1))
    later = filled(made, dict(parse_qsl(first.query)), today=TODAY)
    assert dict(parse_qsl(first.query)) == {
        "rating": "2100",
        "games": "1600:1",
        "on": "2024-02-01",
    }
    assert later.answer == first.answer


def test_a_note_calls_the_terminals_options_as_the_form_calls_them(web: WebClient) -> None:
    page = _text(web.get(f"/calculators/{_address(ASKED[7][1])}").text)
    assert "name fewer with “Games rated before”." in page
    assert "--games-played" not in page


def test_there_is_no_page_for_another_name(web: WebClient) -> None:
    page = web.get("/calculators/astrology")
    assert page.status_code == 404
    assert "There is no such calculator" in page.text


def test_a_parameter_that_no_calculator_has_is_refused_by_the_api_alone(web: WebClient) -> None:
    query = "change?rating=1500&opponent=1700&colour=white"
    assert 'id="answer"' in web.get(f"/calculators/{query}").text
    refused = web.get(f"/api/v1/calculators/{query}")
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "colour"


def test_a_form_speaks_the_readers_language(web: WebClient) -> None:
    with speaking("fr"):
        label = calculator("period").form.fields[0].label
    page = web.get("/calculators/period", headers={"accept-language": "fr"}).text
    assert '<html lang="fr">' in page and label in unescape(page)


_HOSTILE = st.one_of(
    st.sampled_from(
        [
            *("", " ", "NaN", "inf", "-inf", "1e309", "-1", "-0", "0", "1e-320", "5000", "5001"),
            *(
                "1500",
                "٣٤",
                "１５００",
                "1_500",
                "0x10",
                "½",
                "1,5",
                "9" * 1_000_000,
                "1." + "0" * 30,
            ),
            *(
                "<script>alert(1)</script>",
                '" onfocus="x',
                "\u202e1500",
                "\x00",
                "\ud800",
                "1500\n1",
            ),
            *("1500:1", "1500:1 1400/30:0", "1500/0:1", "99999:1", "1500:1," * 600, "1500 " * 600),
            *(
                "0000-00-00",
                "9999-12-31",
                "2025-11-01",
                "1",
                "on",
                "white",
                "lichess",
                "fide",
                "uscf",
            ),
        ]
    ),
    st.text(max_size=20),
)


@pytest.mark.parametrize("name", CALCULATORS)
def test_whatever_is_typed_is_answered_or_refused_in_a_sentence(name: str) -> None:
    made = calculator(name)
    names = [field.name for field in made.form.fields]
    good = dict(parse_qsl(made.form.example))
    typed = st.dictionaries(st.sampled_from(names), _HOSTILE, max_size=3) if names else st.just({})

    @given(typed=typed)
    @settings(max_examples=25)
    def check(typed: dict[str, str]) -> None:
        form = filled(made, good | typed, today=TODAY)
        assert (form.answer is None) == bool(form.errors)
        assert set(form.errors) <= set(names)
        assert all(1 < len(sentence) < 400 for sentence in form.errors.values())
        if form.answer:
            values = [value for _label, value in form.answer.figures]
            assert not any(re.search(r"\b(nan|inf)\b", value) for value in values)
        page = calculator_to_html(made.form, form, ())
        assert "<script>alert" not in page and 'value="" onfocus' not in page

    check()
