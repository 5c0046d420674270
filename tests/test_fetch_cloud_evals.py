"""What a user relies on when movelo asks Lichess's cloud: right scores, and a run that goes on."""

import socket
from collections.abc import Iterator
from typing import Any

import chess
import pytest
from fake_lichess import (
    Answer,
    Cut,
    FakeLichess,
    Fault,
    HangUp,
    StallForEver,
    bad_gateway,
    error_object,
    html_page,
    too_many_requests,
)
from made_session import impatient_session

from engines.evals import Centipawns, KnownEval, Mate
from pipeline.fetch.cloud_evals import CloudEvals

DOCUMENTED = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"
DOCUMENTED_LINE = "c8f5 d2d4 e7e6 g1f3 g8e7 c1e3 c7c5 d4c5 e7c6 b1c3"
KNOWN = KnownEval(eval=Centipawns(-13), best_move_uci="c8f5")
FOOLS_MATE = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"
SCHOLARS_MATE = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
CASTLING = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 4 8"


class Client:
    """A client of the cloud whose waits and notices are kept instead of lived through."""

    def __init__(self, base_url: str, **limits: int) -> None:
        self.waits: list[float] = []
        self.notices: list[str] = []
        self.session = impatient_session(token="lip_token")
        self.cloud = CloudEvals(
            self.session,
            base_url=base_url,
            sleep=self.waits.append,
            on_notice=self.notices.append,
            **limits,
        )

    def known(self, fen: str) -> KnownEval | None:
        return self.cloud.known(chess.Board(fen))


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[FakeLichess]:
    with FakeLichess() as lichess:
        lichess.positions.add_cloud_eval(DOCUMENTED, DOCUMENTED_LINE, cp=-13)
        yield lichess


@pytest.fixture
def client(server: FakeLichess) -> Iterator[Client]:
    made = Client(server.base_url)
    yield made
    made.session.close()


def has_given_up(client: Client, server: FakeLichess) -> bool:
    """Whether the cloud is asked no more, even for a position that it would know."""
    server.positions.add_cloud_eval(chess.STARTING_FEN, "e2e4 e7e5", cp=15)
    asked = len(server.seen)
    return client.known(chess.STARTING_FEN) is None and len(server.seen) == asked


def is_one_sentence(text: str) -> bool:
    return "\n" not in text and "Traceback" not in text and 40 < len(text) < 300


# --- the plain case ------------------------------------------------------------------------


def test_a_known_position_has_its_score_and_the_line_s_first_move(client: Client) -> None:
    assert client.known(DOCUMENTED) == KNOWN
    assert client.waits == client.notices == []


def test_one_line_of_the_position_is_asked_for(server: FakeLichess, client: Client) -> None:
    client.known(DOCUMENTED)
    assert server.seen[0].path == "/api/cloud-eval"
    assert server.seen[0].query == {"fen": DOCUMENTED, "multiPv": "1", "variant": "standard"}


def test_a_position_that_the_cloud_does_not_know_is_no_trouble(
    server: FakeLichess, client: Client
) -> None:
    assert client.known(chess.STARTING_FEN) is None
    assert client.known(DOCUMENTED) == KNOWN
    assert client.waits == client.notices == []
    assert server.most_at_once == 1


def test_a_score_is_white_s_whoever_is_to_move(server: FakeLichess, client: Client) -> None:
    server.positions.add_cloud_eval(FOOLS_MATE, "d8h4", mate=-1)
    server.positions.add_cloud_eval(SCHOLARS_MATE, "h5f7", mate=1)
    assert client.known(FOOLS_MATE) == KnownEval(eval=Mate("black", 1), best_move_uci="d8h4")
    assert client.known(SCHOLARS_MATE) == KnownEval(eval=Mate("white", 1), best_move_uci="h5f7")


@pytest.mark.parametrize("score", [{"mate": 1}, {"cp": -900}], ids=["the mover's mate", "no mate"])
def test_a_score_that_contradicts_its_own_line_is_not_believed(
    score: dict[str, int], server: FakeLichess, client: Client
) -> None:
    server.positions.add_cloud_record(FOOLS_MATE, {"pvs": [{"moves": "d8h4"} | score]})
    assert client.known(FOOLS_MATE) is None
    assert "not as documented" in client.notices[0]
    assert has_given_up(client, server)


def test_castling_is_written_as_in_the_game(server: FakeLichess, client: Client) -> None:
    server.positions.add_cloud_eval(CASTLING, "e1h1 e8a8", cp=20)
    usual = client.cloud.known(chess.Board(CASTLING))
    assert usual == KnownEval(eval=Centipawns(20), best_move_uci="e1g1")
    chess960 = client.cloud.known(chess.Board(CASTLING, chess960=True))
    assert chess960 == KnownEval(eval=Centipawns(20), best_move_uci="e1h1")
    assert [request.query["variant"] for request in server.seen] == ["standard", "chess960"]


# --- asked once ----------------------------------------------------------------------------


def test_a_position_is_asked_for_once_however_it_came_about(
    server: FakeLichess, client: Client
) -> None:
    board = chess.Board()
    for move_uci in ("e2e4", "d7d5", "e4e5", "b8c6", "b1c3", "c6b8", "c3b1"):
        board.push_uci(move_uci)
    assert client.known(DOCUMENTED) == client.cloud.known(board) == KNOWN
    assert len(server.seen) == 1


def test_an_unknown_position_is_asked_for_once_too(server: FakeLichess, client: Client) -> None:
    assert client.known(chess.STARTING_FEN) is client.known(chess.STARTING_FEN) is None
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "other",
    [
        DOCUMENTED.replace(" b ", " w "),
        DOCUMENTED.replace("KQkq", "KQk"),
        DOCUMENTED.replace("ppp1pppp", "ppp1ppp1"),
    ],
    ids=["the other to move", "no castling", "a pawn less"],
)
def test_another_position_is_not_taken_for_it(
    other: str, server: FakeLichess, client: Client
) -> None:
    assert client.known(DOCUMENTED) == KNOWN
    assert client.known(other) is None
    assert len(server.seen) == 2


def test_a_run_asks_no_more_often_than_it_may(server: FakeLichess) -> None:
    client = Client(server.base_url, most_requests=1)
    assert client.known(DOCUMENTED) == KNOWN
    assert client.notices == []
    assert has_given_up(client, server)
    assert client.known(DOCUMENTED) == KNOWN
    assert client.notices == [
        "Going on without Lichess's cloud evaluations (one run's share of 1 requests is used up);"
        " nothing is lost: the engine evaluates those positions itself."
    ]
    client.session.close()


# --- what goes wrong on the way ------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "wait"),
    [
        (too_many_requests(), 60.0),
        (too_many_requests(body=False), 60.0),
        (html_page(429), 60.0),
        (too_many_requests(retry_after="90"), 90.0),
        (too_many_requests(retry_after="5"), 60.0),
    ],
    ids=["a body", "no body", "a page", "longer asked for", "less asked for"],
)
def test_a_429_is_waited_out_and_told(
    fault: Fault, wait: float, server: FakeLichess, client: Client
) -> None:
    server.faults.cloud.append(fault)
    assert client.known(DOCUMENTED) == KNOWN
    assert client.waits == [wait]
    assert client.notices == [f"Lichess asks to slow down (429); going on in {wait:.0f} seconds."]


def test_after_repeated_429s_the_run_goes_on_without(server: FakeLichess, client: Client) -> None:
    server.faults.cloud += [too_many_requests() for _ in range(3)]
    assert client.known(DOCUMENTED) is None
    assert client.waits == [60.0, 120.0]
    assert client.notices[2:] == [
        "Going on without Lichess's cloud evaluations (Lichess still asks to slow down,"
        " HTTP 429); nothing is lost: the engine evaluates those positions itself."
    ]
    assert has_given_up(client, server)
    assert len(client.notices) == 3


def test_429s_count_over_the_whole_run_so_that_waits_stay_bounded(
    server: FakeLichess, client: Client
) -> None:
    server.positions.add_cloud_eval(SCHOLARS_MATE, "h5f7", mate=1)
    server.faults.cloud.append(too_many_requests())
    assert client.known(DOCUMENTED) == KNOWN
    server.faults.cloud.append(too_many_requests())
    assert client.known(SCHOLARS_MATE) is not None
    server.faults.cloud.append(too_many_requests())
    assert client.known(FOOLS_MATE) is None
    assert client.waits == [60.0, 120.0]
    assert has_given_up(client, server)


def test_a_wait_of_hours_is_not_waited_for(server: FakeLichess, client: Client) -> None:
    server.faults.cloud.append(too_many_requests(retry_after="7200"))
    assert client.known(DOCUMENTED) is None
    assert client.waits == []
    assert has_given_up(client, server)


INTERRUPTIONS: dict[str, tuple[Fault, str]] = {
    "502": (bad_gateway(), "Lichess answered HTTP 502"),
    "500": (Answer(500, b"{}"), "Lichess answered HTTP 500"),
    "a page": (html_page(), "Lichess answered with a web page"),
    "cut": (Cut(30), "the connection was cut"),
    "hung up on": (HangUp(), "the connection was cut"),
    "silent": (StallForEver(), "Lichess fell silent"),
    "no JSON": (Answer(200, b"nonsense"), "the answer was cut within a line"),
    "nothing": (Answer(200), "the answer was cut within a line"),
    "a list": (Answer(200, b"[1]"), "Lichess answered with something else"),
    "an error": (error_object("Oops"), "Lichess answered with the error 'Oops'"),
}


@pytest.mark.parametrize(("fault", "why"), INTERRUPTIONS.values(), ids=INTERRUPTIONS.keys())
def test_an_answer_that_failed_is_asked_for_again(
    fault: Fault, why: str, server: FakeLichess, client: Client
) -> None:
    server.faults.cloud.append(fault)
    assert client.known(DOCUMENTED) == KNOWN
    assert client.waits == [1.0]
    assert client.notices == [
        f"No answer from Lichess's cloud evaluations ({why}); asking again in 1 s."
    ]


@pytest.mark.parametrize("kind", [kind for kind in INTERRUPTIONS if kind != "silent"])
def test_after_three_failed_answers_in_a_row_the_run_goes_on_without(
    kind: str, server: FakeLichess, client: Client
) -> None:
    fault, why = INTERRUPTIONS[kind]
    server.faults.cloud += [fault] * 3
    assert client.known(DOCUMENTED) is None
    assert client.waits == [1.0, 5.0]
    assert client.notices[2:] == [
        f"Going on without Lichess's cloud evaluations (no whole answer in 3 tries: {why});"
        " nothing is lost: the engine evaluates those positions itself."
    ]
    assert has_given_up(client, server)


def test_failures_far_apart_are_no_reason_to_give_up(server: FakeLichess, client: Client) -> None:
    for number, fen in enumerate((FOOLS_MATE, SCHOLARS_MATE, CASTLING, DOCUMENTED)):
        server.faults.cloud += [bad_gateway(), bad_gateway()]
        known = client.known(fen)
        assert client.waits == [1.0, 5.0] * (number + 1)
    assert known == KNOWN


STRANGE_RECORDS: dict[str, dict[str, Any]] = {
    "nothing": {"fen": DOCUMENTED},
    "no line": {"pvs": []},
    "lines that are none": {"pvs": ["c8f5"]},
    "no score": {"pvs": [{"moves": "c8f5"}]},
    "a score in words": {"pvs": [{"moves": "c8f5", "cp": "-13"}]},
    "a score in pawns": {"pvs": [{"moves": "c8f5", "cp": -0.13}]},
    "already mated": {"pvs": [{"moves": "c8f5", "mate": 0}]},
    "no move": {"pvs": [{"moves": "", "cp": -13}]},
    "moves in a list": {"pvs": [{"moves": ["c8f5"], "cp": -13}]},
    "an illegal move": {"pvs": [{"moves": "e2e4", "cp": -13}]},
    "an illegal move later": {"pvs": [{"moves": "c8f5 d2d8", "cp": -13}]},
    "SAN": {"pvs": [{"moves": "Bf5 d4", "cp": -13}]},
    "a null move": {"pvs": [{"moves": "0000", "cp": -13}]},
}


@pytest.mark.parametrize("record", STRANGE_RECORDS.values(), ids=STRANGE_RECORDS.keys())
def test_an_answer_that_is_not_as_documented_is_not_believed(
    record: dict[str, Any], server: FakeLichess, client: Client
) -> None:
    server.positions.add_cloud_record(DOCUMENTED, record)
    assert client.known(DOCUMENTED) is None
    assert client.waits == []
    assert client.notices == [
        f"Going on without Lichess's cloud evaluations (the answer about {DOCUMENTED} is not as"
        " documented); nothing is lost: the engine evaluates those positions itself."
    ]
    assert has_given_up(client, server)


def test_without_a_connection_the_run_goes_on_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base_url = f"http://127.0.0.1:{free.getsockname()[1]}"
        client = Client(base_url)
        assert client.known(DOCUMENTED) is None
        assert client.known(FOOLS_MATE) is None
        assert client.waits == []
        assert client.notices == [
            "Going on without Lichess's cloud evaluations (there is no connection to"
            f" {base_url}: no connection can be made); nothing is lost: the engine evaluates"
            " those positions itself."
        ]
        client.session.close()


@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_refusal_is_told_once_without_the_token(
    status: int, server: FakeLichess, client: Client
) -> None:
    server.faults.cloud.append(Answer(status, b'{"error":"no"}'))
    assert client.known(DOCUMENTED) is None
    assert client.waits == []
    assert len(client.notices) == 1
    assert f"HTTP {status}" in client.notices[0]
    assert "lip_token" not in client.notices[0]
    assert is_one_sentence(client.notices[0])
    assert has_given_up(client, server)
