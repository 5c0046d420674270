"""What a user relies on when movelo asks Lichess's tablebase: the result, from White's view."""

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
    bad_gateway,
    html_page,
    too_many_requests,
)
from fake_positions import CATEGORIES, OPPOSITES
from made_session import impatient_session

from engines.evals import Centipawns, Eval, KnownEval, Mate
from pipeline.fetch.tablebase import WON_CENTIPAWNS, Tablebase, is_tablebase_position

DOCUMENTED = "4k3/6KP/8/8/8/8/7p/8 w - - 0 1"
MIRRORED = "8/7P/8/8/8/8/6kp/4K3 b - - 0 1"
WHITE_MATES = "6k1/8/6K1/8/8/8/8/Q7 w - - 0 1"
BLACK_MATES = "q7/8/8/8/8/6k1/8/6K1 b - - 0 1"
SEVEN_MEN = "8/5k2/5p2/8/2R5/r4PP1/6K1/8 w - - 12 60"


class Client:
    """A client of the tablebase whose waits and notices are kept instead of lived through."""

    def __init__(self, base_url: str, **limits: int) -> None:
        self.waits: list[float] = []
        self.notices: list[str] = []
        self.session = impatient_session()
        self.tablebase = Tablebase(
            self.session,
            base_url=base_url,
            sleep=self.waits.append,
            on_notice=self.notices.append,
            **limits,
        )

    def known(self, fen: str) -> KnownEval | None:
        return self.tablebase.known(chess.Board(fen))

    def eval(self, fen: str) -> Eval | None:
        known = self.known(fen)
        return None if known is None else known.eval


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[FakeLichess]:
    with FakeLichess() as lichess:
        lichess.positions.add_result(DOCUMENTED, "win", "h7h8q", dtm=17)
        yield lichess


@pytest.fixture
def client(server: FakeLichess) -> Iterator[Client]:
    made = Client(server.base_url)
    yield made
    made.session.close()


def has_given_up(client: Client, server: FakeLichess) -> bool:
    """Whether nothing more is asked or waited for, even for a position that would be known."""
    server.positions.add_result(WHITE_MATES, "win", "a1a8", dtm=1)
    before = (len(server.seen), len(client.waits))
    unknown = client.known(WHITE_MATES) is None
    return unknown and (len(server.seen), len(client.waits)) == before


# --- results -------------------------------------------------------------------------------


def test_a_win_with_a_known_distance_is_a_mate_in_full_moves(
    server: FakeLichess, client: Client
) -> None:
    assert client.known(DOCUMENTED) == KnownEval(eval=Mate("white", 9), best_move_uci="h7h8q")
    assert server.seen[0].path == "/standard"
    assert server.seen[0].query == {"fen": DOCUMENTED}
    assert client.waits == client.notices == []


def test_a_result_is_the_mover_s_and_told_from_white_s_view(
    server: FakeLichess, client: Client
) -> None:
    server.positions.add_result(MIRRORED, "win", "h2h1q", dtm=17)
    assert client.known(MIRRORED) == KnownEval(eval=Mate("black", 9), best_move_uci="h2h1q")


@pytest.mark.parametrize(
    ("fen", "move_uci", "winner"),
    [(WHITE_MATES, "a1a8", "white"), (BLACK_MATES, "a8a1", "black")],
    ids=["White", "Black"],
)
def test_a_mate_on_the_next_move_is_a_mate_in_one(
    fen: str, move_uci: str, winner: Any, server: FakeLichess, client: Client
) -> None:
    server.positions.add_result(fen, "win", move_uci, dtm=1)
    assert client.known(fen) == KnownEval(eval=Mate(winner, 1), best_move_uci=move_uci)
    board = chess.Board(fen)
    board.push_uci(move_uci)
    assert board.is_checkmate()


@pytest.mark.parametrize(("plies", "moves"), [(2, 1), (4, 2), (16, 8), (108, 54)])
def test_who_is_lost_is_mated_after_as_many_moves_of_each_side(
    plies: int, moves: int, server: FakeLichess, client: Client
) -> None:
    lost = "6k1/8/6K1/8/8/8/8/Q7 b - - 0 1"
    server.positions.add_result(lost, "loss", "g8f8", dtm=-plies)
    assert client.known(lost) == KnownEval(eval=Mate("white", moves), best_move_uci="g8f8")


@pytest.mark.parametrize("white_moves", [True, False], ids=["White to move", "Black to move"])
@pytest.mark.parametrize("category", ["win", "loss"])
def test_without_a_known_distance_a_win_is_a_large_number_and_no_mate(
    category: str, white_moves: bool, server: FakeLichess, client: Client
) -> None:
    fen = SEVEN_MEN if white_moves else SEVEN_MEN.replace(" w ", " b ")
    server.positions.add_result(fen, category, "c4c7" if white_moves else "a3a2")
    white_wins = white_moves == (category == "win")
    assert client.eval(fen) == Centipawns(WON_CENTIPAWNS if white_wins else -WON_CENTIPAWNS)


@pytest.mark.parametrize("dtm", [None, 31, -31, 0])
@pytest.mark.parametrize("category", ["draw", "cursed-win", "blessed-loss"])
def test_a_draw_is_0_also_where_only_the_fifty_move_rule_saves_it(
    category: str, dtm: int | None, server: FakeLichess, client: Client
) -> None:
    server.positions.add_result(SEVEN_MEN, category, "c4c7", dtm=dtm)
    assert client.known(SEVEN_MEN) == KnownEval(eval=Centipawns(0), best_move_uci="c4c7")


@pytest.mark.parametrize(
    "category", ["unknown", "maybe-win", "maybe-loss", "syzygy-win", "syzygy-loss"]
)
def test_a_result_that_is_open_is_left_to_the_engine(
    category: str, server: FakeLichess, client: Client
) -> None:
    server.positions.add_result(SEVEN_MEN, category, "c4c7")
    assert client.known(SEVEN_MEN) is None
    assert client.notices == []
    assert client.eval(DOCUMENTED) == Mate("white", 9)


def test_every_documented_category_is_understood(server: FakeLichess, client: Client) -> None:
    for halfmoves, category in enumerate(CATEGORIES):
        fen = SEVEN_MEN.replace(" 12 ", f" {halfmoves} ")
        server.positions.add_result(fen, category, "c4c7")
        client.known(fen)
    assert len(CATEGORIES) == len(server.seen) == 10
    assert client.notices == []


# --- what is asked -------------------------------------------------------------------------


def test_only_up_to_seven_men_without_castling_are_asked_for(
    server: FakeLichess, client: Client
) -> None:
    for fen in (
        chess.STARTING_FEN,
        SEVEN_MEN.replace("6K1/8", "6K1/7B"),
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    ):
        assert not is_tablebase_position(chess.Board(fen))
        assert client.known(fen) is None
    assert server.seen == []
    assert is_tablebase_position(chess.Board(SEVEN_MEN))
    assert client.known(SEVEN_MEN) is None
    assert len(server.seen) == 1


def test_castling_rights_without_a_rook_to_castle_with_are_none() -> None:
    assert is_tablebase_position(chess.Board("4k3/8/8/8/8/8/8/4K1R1 w KQkq - 0 1"))


def test_a_position_is_asked_for_once_whatever_the_number_of_its_move(
    server: FakeLichess, client: Client
) -> None:
    assert client.known(DOCUMENTED) == client.known(DOCUMENTED.replace("0 1", "0 77"))
    assert len(server.seen) == 1


def test_a_count_towards_the_fifty_move_rule_makes_another_position(
    server: FakeLichess, client: Client
) -> None:
    client.known(DOCUMENTED)
    client.known(DOCUMENTED.replace("0 1", "83 120"))
    assert [request.query["fen"].split()[4] for request in server.seen] == ["0", "83"]


def test_a_second_passes_between_two_positions_that_are_asked_for(
    server: FakeLichess, client: Client
) -> None:
    for fen in (DOCUMENTED, DOCUMENTED, WHITE_MATES, BLACK_MATES, DOCUMENTED, WHITE_MATES):
        client.known(fen)
    assert client.waits == [1.0, 1.0]
    assert len(server.seen) == 3
    assert server.most_at_once == 1


def test_a_run_asks_no_more_often_than_it_may(server: FakeLichess) -> None:
    client = Client(server.base_url, most_requests=2)
    client.known(DOCUMENTED)
    client.known(BLACK_MATES)
    assert has_given_up(client, server)
    assert client.notices == [
        "Going on without Lichess's tablebase (one run's share of 2 requests is used up);"
        " nothing is lost: the engine evaluates those positions itself."
    ]
    client.session.close()


# --- what goes wrong on the way ------------------------------------------------------------


def test_a_429_is_waited_out_and_told(server: FakeLichess, client: Client) -> None:
    server.faults.tablebase.append(too_many_requests())
    assert client.eval(DOCUMENTED) == Mate("white", 9)
    assert client.waits == [60.0]
    assert client.notices == ["Lichess asks to slow down (429); going on in 60 seconds."]


def test_after_repeated_429s_the_run_goes_on_without(server: FakeLichess, client: Client) -> None:
    server.faults.tablebase += [too_many_requests() for _ in range(3)]
    assert client.known(DOCUMENTED) is None
    assert client.waits == [60.0, 120.0]
    assert client.notices[2:] == [
        "Going on without Lichess's tablebase (Lichess still asks to slow down, HTTP 429);"
        " nothing is lost: the engine evaluates those positions itself."
    ]
    assert has_given_up(client, server)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (bad_gateway(), "Lichess answered HTTP 502"),
        (html_page(), "Lichess answered with a web page"),
        (Cut(40), "the connection was cut"),
        (HangUp(), "the connection was cut"),
        (Answer(200, b"{"), "the answer was cut within a line"),
    ],
    ids=["502", "a page", "cut", "hung up on", "half an answer"],
)
def test_a_failed_answer_is_asked_for_again_and_then_done_without(
    fault: Fault, why: str, server: FakeLichess, client: Client
) -> None:
    server.faults.tablebase.append(fault)
    assert client.eval(DOCUMENTED) == Mate("white", 9)
    assert client.notices == [f"No answer from Lichess's tablebase ({why}); asking again in 1 s."]
    server.faults.tablebase += [fault] * 3
    assert client.known(BLACK_MATES) is None
    assert client.notices[3:] == [
        f"Going on without Lichess's tablebase (no whole answer in 3 tries: {why}); nothing is"
        " lost: the engine evaluates those positions itself."
    ]
    assert has_given_up(client, server)


STRANGE_FIELDS: dict[str, dict[str, Any]] = {
    "no category": {"category": None},
    "a new category": {"category": "sure-win"},
    "a category in numbers": {"category": 2},
    "a distance of the other side": {"dtm": -17},
    "a distance of none": {"dtm": 0},
    "mated already": {
        "category": "loss",
        "dtm": 0,
        "moves": [{"uci": "h7h8q", "category": "win"}],
    },
    "a distance in words": {"dtm": "17"},
    "no moves": {"moves": []},
    "moves that are none": {"moves": ["h7h8q"]},
    "an illegal move": {"moves": [{"uci": "h7h6", "category": "loss"}]},
    "a null move": {"moves": [{"uci": "0000", "category": "loss"}]},
    "SAN": {"moves": [{"uci": "h8=Q+", "category": "loss"}]},
    "a move's category from the mover's view": {"moves": [{"uci": "h7h8q", "category": "win"}]},
}


@pytest.mark.parametrize("fields", STRANGE_FIELDS.values(), ids=STRANGE_FIELDS.keys())
def test_an_answer_that_is_not_as_documented_is_not_believed(
    fields: dict[str, Any], server: FakeLichess, client: Client
) -> None:
    sound = {
        "category": "win",
        "dtm": 17,
        "moves": [{"uci": "h7h8q", "category": OPPOSITES["win"]}],
    }
    server.positions.add_tablebase_record(DOCUMENTED, sound | fields)
    assert client.known(DOCUMENTED) is None
    assert client.notices == [
        f"Going on without Lichess's tablebase (the answer about {DOCUMENTED} is not as"
        " documented); nothing is lost: the engine evaluates those positions itself."
    ]
    assert has_given_up(client, server)
