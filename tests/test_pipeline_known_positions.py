"""Which positions of a game are asked for elsewhere: none in vain, none that the rules decide."""

from collections.abc import Iterator

import chess
import pytest
from fake_lichess import FakeLichess

from config.errors import IllegalMove, InputError
from engines.evals import Centipawns, KnownEval, Mate, PositionSequence
from engines.positions import final_board, positions_backwards
from pipeline.fetch.cloud_evals import CloudEvals
from pipeline.fetch.session import lichess_session
from pipeline.fetch.tablebase import Tablebase
from pipeline.known_positions import MOST_OPENING_PLIES, known_positions

OPENING = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6"
FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"
KNIGHTS = "g1f3 g8f6 f3g1 f6g8 "
KNIGHT_ENDING = "8/8/4k3/p7/P7/4K3/4P3/7n w - - 0 50"
WALKS = "e3f3 e6f5 f3g2 f5e5"
FIRST_STEPS = "e3f3 e6f5"


class Knowing:
    """A source that knows some positions, by their first four fields, and keeps who asked."""

    def __init__(self, *fens: str, everything: bool = False) -> None:
        self._places = {chess.Board(fen).epd() for fen in fens}
        self._everything = everything
        self.asked: list[str] = []

    def known(self, board: chess.Board) -> KnownEval | None:
        assert not board.is_game_over()
        self.asked.append(board.epd())
        if not self._everything and board.epd() not in self._places:
            return None
        return KnownEval(eval=Centipawns(len(self.asked)), best_move_uci=None)


def game(moves: str, start_fen: str = chess.STARTING_FEN) -> PositionSequence:
    return PositionSequence(game_id="made0001", start_fen=start_fen, moves_uci=tuple(moves.split()))


def places(sequence: PositionSequence) -> list[str]:
    """Every position's first four fields, from the start."""
    return [p.board.epd() for p in positions_backwards(final_board(sequence))][::-1]


# --- the opening ---------------------------------------------------------------------------


def test_the_cloud_is_asked_from_the_start_to_the_first_position_it_does_not_know() -> None:
    line = places(game(OPENING))
    known = [f"{place} 0 1" for place in (*line[:4], *line[5:])]
    cloud = Knowing(*known)
    found = known_positions(game(OPENING), cloud=cloud, tablebase=None)
    assert cloud.asked == line[:5]
    assert sorted(found) == [0, 1, 2, 3]
    assert [found[number].eval for number in range(4)] == [Centipawns(n) for n in (1, 2, 3, 4)]


def test_the_cloud_is_not_asked_beyond_an_opening_s_length() -> None:
    long = game(
        "a2a3 a7a6 b2b3 b7b6 c2c3 c7c6 d2d3 d7d6 e2e3 e7e6 f2f3 f7f6 g2g3 g7g6 h2h3 h7h6"
        " f1g2 f8g7 b1d2 b8d7 d2f1 d7f8 g3g4 g6g5 a3a4 a6a5 e3e4 e6e5 c3c4 c6c5 f1d2 f8d7"
    )
    assert len(long.moves_uci) > MOST_OPENING_PLIES
    cloud = Knowing(everything=True)
    found = known_positions(long, cloud=cloud, tablebase=None)
    assert sorted(found) == list(range(MOST_OPENING_PLIES + 1))
    assert cloud.asked == places(long)[: MOST_OPENING_PLIES + 1]


def test_a_game_that_ended_in_mate_is_not_asked_for_its_end() -> None:
    cloud = Knowing(everything=True)
    assert sorted(known_positions(game(FOOLS_MATE), cloud=cloud, tablebase=None)) == [0, 1, 2, 3]
    assert len(cloud.asked) == 4


def test_a_fifth_repetition_is_not_asked_for_and_does_not_end_the_opening() -> None:
    cloud = Knowing(everything=True)
    repeated = game(f"{KNIGHTS * 4}e2e4")
    assert sorted(known_positions(repeated, cloud=cloud, tablebase=None)) == [*range(16), 17]


def test_a_game_without_moves_has_one_position() -> None:
    found = known_positions(game(""), cloud=Knowing(everything=True), tablebase=None)
    assert sorted(found) == [0]


# --- the last men --------------------------------------------------------------------------


def test_the_tablebase_is_asked_from_the_end_back_to_the_first_position_with_too_many_men() -> None:
    eight_men = "8/8/4k3/pp6/P7/2P1K3/4P3/7n w - - 0 50"
    ending = game("a4b5 e6d5 b5b6 h1g3", eight_men)
    table = Knowing(everything=True)
    found = known_positions(ending, cloud=None, tablebase=table)
    assert table.asked == places(ending)[:0:-1]
    assert sorted(found) == [1, 2, 3, 4]


def test_the_tablebase_is_not_asked_while_somebody_may_castle() -> None:
    castles = game("e1g1 e8e7 g1g2", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    table = Knowing(everything=True)
    assert sorted(known_positions(castles, cloud=None, tablebase=table)) == [1, 2, 3]


def test_a_position_that_the_tablebase_leaves_open_does_not_stop_it() -> None:
    ending = game(WALKS, KNIGHT_ENDING)
    line = places(ending)
    table = Knowing(*(f"{place} 0 1" for place in (*line[:2], *line[3:])))
    found = known_positions(ending, cloud=None, tablebase=table)
    assert table.asked == line[::-1]
    assert sorted(found) == [0, 1, 3, 4]


def test_a_dead_position_is_not_asked_for() -> None:
    table = Knowing(everything=True)
    takes_the_last_pawn = game("e3e2 e5e4", "8/8/8/4k3/8/4K3/4p3/8 w - - 0 60")
    assert sorted(known_positions(takes_the_last_pawn, cloud=None, tablebase=table)) == [0]


# --- both ----------------------------------------------------------------------------------


def test_the_cloud_is_asked_only_where_the_tablebase_has_not_answered() -> None:
    ending = game(WALKS, KNIGHT_ENDING)
    line = places(ending)
    table = Knowing(*(f"{place} 0 1" for place in line[2:]))
    cloud = Knowing(everything=True)
    assert sorted(known_positions(ending, cloud=cloud, tablebase=table)) == [0, 1, 2, 3, 4]
    assert cloud.asked == line[:2]


def test_with_neither_source_nothing_is_known() -> None:
    assert known_positions(game(OPENING), cloud=None, tablebase=None) == {}


def test_a_game_that_cannot_be_replayed_is_refused_by_name() -> None:
    with pytest.raises(IllegalMove, match="made0001, ply 2"):
        known_positions(game("e2e4 e2e4"), cloud=Knowing(), tablebase=None)
    with pytest.raises(InputError, match="made0001"):
        known_positions(game("", "8/8/8/8/8/8/8/8 w - - 0 1"), cloud=Knowing(), tablebase=None)


# --- over HTTP -----------------------------------------------------------------------------


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLichess]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with FakeLichess() as lichess:
        yield lichess


def test_a_hundred_games_with_one_opening_ask_for_it_once(server: FakeLichess) -> None:
    for place, move_uci in zip(places(game(OPENING)), OPENING.split(), strict=False):
        server.positions.add_cloud_eval(f"{place} 0 1", move_uci, cp=20)
    server.positions.add_result(KNIGHT_ENDING, "win", "e3f3")
    after_two_plies = places(game(FIRST_STEPS, KNIGHT_ENDING))[2]
    server.positions.add_result(f"{after_two_plies} 2 51", "win", "f3g2", dtm=41)
    session = lichess_session(
        token=None,
        user_agent="movelo-tests (nobody@example.org)",
        connect_timeout_seconds=2,
        read_timeout_seconds=2,
    )
    said: list[str] = []
    waited: list[float] = []
    url = server.base_url
    cloud = CloudEvals(session, base_url=url, sleep=waited.append, on_notice=said.append)
    table = Tablebase(session, base_url=url, sleep=waited.append, on_notice=said.append)
    for _ in range(50):
        opening = known_positions(game(OPENING), cloud=cloud, tablebase=table)
        ending = known_positions(game(FIRST_STEPS, KNIGHT_ENDING), cloud=cloud, tablebase=table)
    session.close()
    assert {number: known.best_move_uci for number, known in opening.items()} == dict(
        enumerate(OPENING.split())
    )
    assert {number: known.eval for number, known in ending.items()} == {
        0: Centipawns(10_000),
        2: Mate("white", 21),
    }
    assert len(server.seen) == len(set(map(str, (s.query for s in server.seen)))) == 9 + 3 + 1
    assert waited == [1.0, 1.0]
    assert said == []
    assert server.most_at_once == 1
