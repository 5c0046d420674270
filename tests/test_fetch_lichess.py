"""What a user relies on when movelo asks Lichess: every game once, whatever happens on the way."""

import random
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from fake_lichess import (
    HTML,
    Answer,
    Changed,
    Cut,
    CutInsideCharacter,
    EndedInsideLine,
    FakeLichess,
    Fault,
    HangUp,
    Stall,
    StallForEver,
    bad_gateway,
    error_object,
    html_page,
    not_found,
    too_many_requests,
)
from made_games import FIRST_GAME_AT_MS, export_games, game_id
from made_session import impatient_session

from config.errors import (
    ClosedAccount,
    InputError,
    LichessError,
    LichessUnreachable,
    MarkedAccount,
    MoveloError,
    RateLimited,
    RejectedUserAgent,
    UnknownPlayer,
)
from pipeline.fetch.export import game_from_export
from pipeline.fetch.lichess import Lichess

GAMES = export_games(40)
IDS = [game["id"] for game in GAMES]
NAME = "Quillfeather"


class Client:
    """A Lichess client whose waits and notices are kept instead of lived through."""

    def __init__(self, base_url: str, *, user_agent: str = "movelo-tests (nobody@example.org)"):
        self.waits: list[float] = []
        self.notices: list[str] = []
        self.session = impatient_session(user_agent=user_agent)
        self.lichess = Lichess(
            self.session,
            base_url=base_url,
            sleep=self.waits.append,
            on_notice=self.notices.append,
        )

    def ids(self, name: str = NAME) -> list[str]:
        return [game["id"] for game in self.lichess.games(name, since=None, until=None)]


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[FakeLichess]:
    with FakeLichess() as lichess:
        lichess.add_player(NAME, GAMES)
        yield lichess


@pytest.fixture
def client(server: FakeLichess) -> Iterator[Client]:
    made = Client(server.base_url)
    yield made
    made.session.close()


def is_one_sentence(error: MoveloError) -> bool:
    text = str(error)
    return "\n" not in text and "Traceback" not in text and 20 < len(text) < 300


# --- the plain case ------------------------------------------------------------------------


def test_all_games_come_newest_first_as_lichess_wrote_them(client: Client) -> None:
    assert list(client.lichess.games(NAME, since=None, until=None)) == GAMES
    assert client.waits == []


def test_clocks_evaluations_accuracies_and_openings_are_asked_for(
    server: FakeLichess, client: Client
) -> None:
    client.ids()
    query = server.seen[0].query
    assert {query[key] for key in ("clocks", "evals", "accuracy", "opening")} == {"true"}


def test_no_filter_is_sent_that_stops_lichess_at_10000_games(
    server: FakeLichess, client: Client
) -> None:
    client.ids()
    assert not {"perfType", "rated", "analysed", "color", "vs", "max"} & set(server.seen[0].query)


def test_times_are_sent_in_milliseconds(server: FakeLichess, client: Client) -> None:
    since = datetime(2023, 11, 15, tzinfo=UTC)
    until = datetime(2023, 11, 15, 2, tzinfo=timezone(timedelta(hours=1)))
    ids = [game["id"] for game in client.lichess.games(NAME, since=since, until=until)]
    assert server.seen[0].query["since"] == "1700006400000"
    assert server.seen[0].query["until"] == "1700010000000"
    wanted = [g["id"] for g in GAMES if 1700006400000 <= g["createdAt"] <= 1700010000000]
    assert ids == wanted
    assert 0 < len(ids) < len(GAMES)


def test_a_time_before_lichess_is_sent_as_its_beginning(
    server: FakeLichess, client: Client
) -> None:
    games = client.lichess.games(NAME, since=datetime(1970, 1, 1, tzinfo=UTC), until=None)
    assert len(list(games)) == len(GAMES)
    assert server.seen[0].query["since"] == "1356998400070"


def test_a_time_without_a_zone_is_refused(client: Client) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        client.lichess.games(NAME, since=datetime(2024, 1, 1), until=None)


def test_an_account_without_games_has_no_games(server: FakeLichess, client: Client) -> None:
    server.add_player("Newcomer")
    assert client.ids("Newcomer") == []
    assert client.waits == []


def test_leaving_early_leaves_the_connection(server: FakeLichess, client: Client) -> None:
    games = client.lichess.games(NAME, since=None, until=None)
    assert next(games)["id"] == IDS[0]
    games.close()
    assert client.ids() == IDS
    assert server.most_at_once == 1


# --- what goes wrong on the way ------------------------------------------------------------

PASSING_FAULTS: dict[str, list[Fault]] = {
    "cut": [Cut(6_000)],
    "cut before the first game": [Cut(0)],
    "cut in the first game": [Cut(100)],
    "cut again and again": [Cut(size) for size in (5_000, 7_000, 4_000, 9_000)],
    "cut inside a character": [CutInsideCharacter()],
    "ended properly inside a line": [EndedInsideLine(6_000)],
    "hung up on": [HangUp(), HangUp()],
    "502": [bad_gateway(), bad_gateway()],
    "cut, then 502": [Cut(6_000), bad_gateway(), Cut(9_000)],
    "silent, then going on": [Stall(0.1, 3_000)],
    "silent for ever": [StallForEver(6_000)],
    "silent from the start": [StallForEver()],
    "429 with a body": [too_many_requests()],
    "429 without a body": [too_many_requests(body=False)],
    "429 as a page": [html_page(429)],
    "429 in between": [Cut(6_000), too_many_requests(), Cut(9_000), too_many_requests()],
    "a page with status 200": [html_page()],
    "cut, then a page": [Cut(6_000), html_page()],
    "an error object with status 200": [error_object("Too many requests. Try again later.")],
    "every game twice": [Changed(lambda games: [game for game in games for _ in (0, 1)])],
}


@pytest.mark.parametrize("faults", PASSING_FAULTS.values(), ids=PASSING_FAULTS.keys())
@pytest.mark.parametrize("inclusive", [True, False], ids=["≤ until", "< until"])
def test_every_game_comes_once_in_spite_of(faults: list[Fault], inclusive: bool) -> None:
    with FakeLichess(inclusive_bounds=inclusive) as server:
        server.add_player(NAME, GAMES)
        server.faults.games += faults
        client = Client(server.base_url)
        assert client.ids() == IDS
        assert server.faults.games == []
        assert server.most_at_once == 1
        client.session.close()


@pytest.mark.parametrize("inclusive", [True, False], ids=["≤ until", "< until"])
def test_games_of_one_millisecond_are_not_lost_at_a_cut(inclusive: bool) -> None:
    with FakeLichess(inclusive_bounds=inclusive) as server:
        server.add_player(NAME, [game | {"createdAt": FIRST_GAME_AT_MS} for game in GAMES])
        server.faults.games += [Cut(6_000), Cut(20_000)]
        client = Client(server.base_url)
        assert sorted(client.ids()) == sorted(IDS)
        client.session.close()


def test_a_cut_stream_is_taken_up_where_it_ended(server: FakeLichess, client: Client) -> None:
    server.faults.games += [Cut(10_000)]
    client.ids()
    first, second = server.seen
    assert "until" not in first.query
    resumed = int(second.query["until"])
    assert GAMES[-1]["createdAt"] < resumed <= GAMES[3]["createdAt"]


@pytest.mark.parametrize("seed", range(5))
def test_games_in_the_wrong_order_are_not_lost_at_a_cut(
    server: FakeLichess, client: Client, seed: int
) -> None:
    def shuffled(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return random.Random(seed).sample(games, len(games))

    server.faults.games += [Changed(shuffled, then=Cut(10_000)), Changed(shuffled)]
    ids = client.ids()
    assert sorted(ids) == sorted(IDS)
    assert ids != IDS


def test_a_fault_that_brings_games_each_time_is_never_given_up(
    server: FakeLichess, client: Client
) -> None:
    line = max(len(str(game)) for game in GAMES) + 100
    server.faults.games += [Cut(3 * line) for _ in range(15)]
    assert client.ids() == IDS


LASTING_FAULTS: dict[str, tuple[Fault, type[LichessError], str]] = {
    "cut": (Cut(100), LichessUnreachable, "connection was cut"),
    "502": (bad_gateway(), LichessUnreachable, "HTTP 502"),
    "silent": (StallForEver(100), LichessUnreachable, "fell silent"),
    "a page": (html_page(), LichessError, "web page"),
    "a page that says it is games": (
        Answer(200, HTML, "application/x-ndjson"),
        LichessError,
        "web page",
    ),
    "a page without tags": (Answer(200, b"Sorry", "text/html"), LichessError, "web page"),
    "an error": (error_object("Elasticsearch is down"), LichessError, "Elasticsearch is down"),
    "429": (too_many_requests(), RateLimited, "429"),
}


@pytest.mark.parametrize(
    ("fault", "kind", "words"), LASTING_FAULTS.values(), ids=LASTING_FAULTS.keys()
)
def test_a_fault_that_lasts_ends_in_one_sentence(
    server: FakeLichess, client: Client, fault: Fault, kind: type[LichessError], words: str
) -> None:
    server.faults.games += [fault] * 30
    with pytest.raises(LichessError) as caught:
        client.ids()
    assert type(caught.value) is kind
    assert words in str(caught.value)
    assert is_one_sentence(caught.value)
    assert len(server.seen) < 10


def test_what_came_before_a_lasting_fault_is_kept_and_counted(
    server: FakeLichess, client: Client
) -> None:
    server.faults.games += [Cut(20_000), *[bad_gateway()] * 30]
    arrived: list[str] = []
    with pytest.raises(LichessUnreachable) as caught:
        for game in client.lichess.games(NAME, since=None, until=None):
            arrived.append(game["id"])
    assert arrived == IDS[: len(arrived)]
    assert 0 < len(arrived) < len(IDS)
    assert f"after {len(arrived)} games" in str(caught.value)
    assert "continues" in str(caught.value)


def test_waits_grow_between_tries(server: FakeLichess, client: Client) -> None:
    server.faults.games += [bad_gateway()] * 30
    with pytest.raises(LichessUnreachable):
        client.ids()
    assert client.waits == sorted(client.waits)
    assert client.waits[0] < client.waits[-1]


def test_after_429_a_full_minute_is_waited_and_said(server: FakeLichess, client: Client) -> None:
    server.faults.games += [too_many_requests(), too_many_requests()]
    assert client.ids() == IDS
    assert client.waits[0] >= 60
    assert client.waits[1] > client.waits[0]
    assert "60 seconds" in client.notices[0]


def test_retry_after_is_honoured(server: FakeLichess, client: Client) -> None:
    server.faults.games += [too_many_requests(retry_after="93")]
    assert client.ids() == IDS
    assert client.waits == [93]


def test_a_retry_after_that_does_not_suffice_is_not_believed_for_ever(
    server: FakeLichess, client: Client
) -> None:
    server.faults.games += [too_many_requests(retry_after="1")] * 3
    client.ids()
    assert client.waits[0] == 1
    assert client.waits[1] >= 60


def test_retry_after_may_be_a_date(server: FakeLichess, client: Client) -> None:
    later = datetime.now(UTC) + timedelta(seconds=200)
    stamp = later.strftime("%a, %d %b %Y %H:%M:%S GMT")
    server.faults.games += [too_many_requests(retry_after=stamp)]
    client.ids()
    assert 190 < client.waits[0] <= 201


def test_a_wait_of_hours_is_not_waited(server: FakeLichess, client: Client) -> None:
    server.faults.games += [too_many_requests(retry_after="7200")]
    with pytest.raises(RateLimited) as caught:
        client.ids()
    assert client.waits == []
    assert is_one_sentence(caught.value)


# --- odd games -----------------------------------------------------------------------------


def test_odd_records_pass_through_for_whoever_reads_them(
    server: FakeLichess, client: Client
) -> None:
    def odd(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
        without_id = {key: value for key, value in games[0].items() if key != "id"}
        undated = {key: value for key, value in games[1].items() if key != "createdAt"}
        unheard_of = games[2] | {"daring": 3}
        empty = games[3] | {"analysis": [{}, {"eval": 12}]}
        return [without_id, undated, unheard_of, empty]

    server.faults.games += [Changed(odd)]
    games = list(client.lichess.games(NAME, since=None, until=None))
    assert games == odd(GAMES)
    with pytest.raises(InputError, match="field id is missing"):
        game_from_export(games[0], where="the export")


# --- accounts ------------------------------------------------------------------------------


def test_an_account_tells_its_games(client: Client) -> None:
    account = client.lichess.account(NAME.upper())
    assert (account.id, account.name) == (NAME.lower(), NAME)
    assert account.games == account.games_at("blitz") == len(GAMES)
    assert account.games_at("rapid") == 0
    assert account.created_at == datetime(2017, 7, 14, 2, 40, tzinfo=UTC)
    assert not account.marked


def test_four_reasons_for_a_404_are_told_apart(server: FakeLichess) -> None:
    server.add_player("Shutterby", GAMES, closed=True)
    server.add_player("Sharpshade", GAMES, marked=True)
    named = Client(server.base_url)
    generic = Client(server.base_url, user_agent="python-requests/2.32")
    cases: list[tuple[Client, str, type[LichessError]]] = [
        (named, "Nobody_here", UnknownPlayer),
        (named, "Shutterby", ClosedAccount),
        (generic, NAME, RejectedUserAgent),
        (generic, "Sharpshade", MarkedAccount),
    ]
    sentences = set()
    for client, name, kind in cases:
        with pytest.raises(kind) as caught:
            client.ids(name)
        assert is_one_sentence(caught.value)
        assert name in str(caught.value)
        sentences.add(str(caught.value))
        client.session.close()
    assert len(sentences) == 4
    assert server.most_at_once == 1


def test_the_games_of_a_marked_player_come_where_lichess_gives_them(
    server: FakeLichess, client: Client
) -> None:
    server.add_player("Sharpshade", GAMES, marked=True)
    assert client.ids("Sharpshade") == IDS
    assert client.lichess.account("Sharpshade").marked


@pytest.mark.parametrize("name", ["", "x", "two words", "a/b", "näme", "n" * 31, "a?b=c", "a\n"])
def test_a_name_that_lichess_cannot_have_is_refused_without_asking(
    server: FakeLichess, client: Client, name: str
) -> None:
    for ask in (client.lichess.account, client.ids):
        with pytest.raises(UnknownPlayer) as caught:
            ask(name)
        assert repr(name) in str(caught.value)
    assert server.seen == []


def test_an_account_is_asked_for_again_after_429(server: FakeLichess, client: Client) -> None:
    server.faults.user += [too_many_requests(), bad_gateway(), html_page()]
    assert client.lichess.account(NAME).name == NAME
    assert client.waits[0] == 60


def test_an_account_that_is_not_as_documented_is_said(server: FakeLichess, client: Client) -> None:
    server.accounts[NAME.lower()]["count"] = "many"
    with pytest.raises(LichessError) as caught:
        client.lichess.account(NAME)
    assert is_one_sentence(caught.value)


# --- one game ------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["{}", "https://lichess.org/{}/black#12"])
def test_one_game_comes_by_id_or_address(client: Client, text: str) -> None:
    assert client.lichess.game(text.format(game_id(7))) == GAMES[-8]


def test_an_unknown_game_is_said(client: Client) -> None:
    with pytest.raises(InputError, match="no game NoSuch00"):
        client.lichess.game("NoSuch00")


def test_what_is_no_game_address_is_refused_without_asking(
    server: FakeLichess, client: Client
) -> None:
    with pytest.raises(InputError, match="is not a game on Lichess"):
        client.lichess.game("https://example.org/abcdefgh")
    assert server.seen == []


# --- no connection -------------------------------------------------------------------------


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.mark.parametrize(
    ("base_url", "words"),
    [
        (f"http://127.0.0.1:{closed_port()}", "no connection can be made"),
        ("http://lichess.invalid", "cannot be looked up"),
        ("not an address", "not a web address"),
    ],
    ids=["refused", "no-such-name", "no-address"],
)
def test_without_a_connection_one_sentence_says_so_at_once(base_url: str, words: str) -> None:
    client = Client(base_url)
    for ask in (client.lichess.account, client.ids):
        with pytest.raises(LichessUnreachable, match=words) as caught:
            ask(NAME)
        assert base_url in str(caught.value)
        assert is_one_sentence(caught.value)
    assert client.waits == []
    client.session.close()


def test_a_proxy_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{closed_port()}")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    client = Client("http://lichess.invalid")
    with pytest.raises(LichessUnreachable, match="proxy"):
        client.ids()
    client.session.close()


def test_a_404_that_hides_an_open_account_names_the_cure(
    server: FakeLichess, client: Client
) -> None:
    server.faults.games += [not_found()]
    with pytest.raises(RejectedUserAgent, match="token"):
        client.ids()
