"""What simulated games promise: legal, ended for a reason, clocks that run, repeatable."""

import random
from datetime import UTC, datetime
from itertools import pairwise
from statistics import fmean

import chess
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_maia import write_made_model

from engines.evals import Color, PositionSequence
from engines.human_likelihoods import NextMove
from engines.maia import MaiaModel
from pipeline.records import Clock, Game, GamePlayer
from pipeline.replay import replay
from pipeline.strength.simulate import PlannedGame, simulate_game
from pipeline.strength.simulate_endings import ending_on_time, resignation_probability
from pipeline.strength.simulate_thinking import Situation, draw_pace, draw_seconds, median_seconds

CLOCKS = st.builds(Clock, initial_seconds=st.integers(60, 900), increment_seconds=st.integers(0, 2))
"""Those with which random moves run out of time before they run into a draw: quick to play."""
RATINGS = st.integers(600, 2600)


def pairing(
    clock: Clock, *, white: int = 1500, black: int = 1500, game_id: str = "simulated"
) -> PlannedGame:
    return PlannedGame(
        game_id=game_id,
        created_at=datetime(2026, 6, 1, tzinfo=UTC),
        speed="blitz",
        clock=clock,
        white=GamePlayer(name="one", rating=white),
        black=GamePlayer(name="other", rating=black),
        white_strength=white,
        black_strength=black,
    )


class Scripted:
    """Plays one line, sure of every move and of the same expected score for either side."""

    def __init__(self, line: str, expected_score: float = 0.5) -> None:
        self.moves_uci = line.split()
        self.expected_score = expected_score
        self.asked: list[tuple[int, int]] = []

    def next_move(
        self, sequence: PositionSequence, *, self_rating: int, opponent_rating: int
    ) -> NextMove:
        self.asked.append((self_rating, opponent_rating))
        return NextMove(
            moves_uci=(self.moves_uci[len(sequence.moves_uci) % len(self.moves_uci)],),
            probabilities=(1.0,),
            expected_score=self.expected_score,
        )


def played(line: str, *, clock: Clock, seed: int = 1, expected_score: float = 0.9) -> Game:
    return simulate_game(pairing(clock), Scripted(line, expected_score), random.Random(seed))


AMPLE = Clock(initial_seconds=100_000, increment_seconds=0)
HARDLY_ANY = Clock(initial_seconds=1, increment_seconds=30)
"""A second for a move that people take ten for."""


@pytest.fixture(scope="module")
def made_model(tmp_path_factory: pytest.TempPathFactory) -> MaiaModel:
    pytest.importorskip("onnxruntime")
    return MaiaModel(write_made_model(tmp_path_factory.mktemp("maia") / "made.onnx"))


# --- laws ----------------------------------------------------------------------------------


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(clock=CLOCKS, white=RATINGS, black=RATINGS, seed=st.integers(0, 2**32))
def test_every_game_is_legal_ends_for_a_reason_and_keeps_to_its_clock(
    made_model: MaiaModel, clock: Clock, white: int, black: int, seed: int
) -> None:
    game = simulate_game(pairing(clock, white=white, black=black), made_model, random.Random(seed))
    check_ending(game, replay(game).final_board())
    assert len(game.clocks_centiseconds) == len(game.moves_san)
    assert all(left > 0 for left in game.clocks_centiseconds)
    for own in (game.clocks_centiseconds[::2], game.clocks_centiseconds[1::2]):
        assert set(own[:1]) <= {100 * clock.initial_seconds}
        assert all(
            after <= before + 100 * clock.increment_seconds for before, after in pairwise(own)
        )


def check_ending(game: Game, board: chess.Board) -> None:
    """That the last position bears out how the game is said to have ended."""
    to_move: Color = "white" if board.turn == chess.WHITE else "black"
    match game.status:
        case "mate":
            assert board.is_checkmate() and game.winner != to_move
        case "stalemate":
            assert board.is_stalemate() and game.winner is None
        case "draw":
            assert board.can_claim_draw() or board.is_insufficient_material()
            assert game.winner is None
        case "resign":
            assert not board.is_game_over() and game.winner not in (to_move, None)
        case "outoftime":
            assert not board.is_game_over() and game.winner != to_move
            assert (game.winner is None) == board.has_insufficient_material(not board.turn)
        case other:
            pytest.fail(f"no such ending: {other}")


def test_the_same_seed_gives_the_same_game_and_another_seed_another(
    made_model: MaiaModel,
) -> None:
    clock = Clock(initial_seconds=180, increment_seconds=2)
    first, again, other = (
        simulate_game(pairing(clock), made_model, random.Random(seed)) for seed in (5, 5, 6)
    )
    assert first == again
    assert first.moves_san != other.moves_san


def test_moves_are_as_frequent_as_the_model_says(made_model: MaiaModel) -> None:
    start = PositionSequence(game_id="g", start_fen=chess.STARTING_FEN, moves_uci=())
    expected = made_model.next_move(start, self_rating=1500, opponent_rating=1500)
    rng, games = random.Random(3), 400

    class FirstMove:
        """The made model's first move, then a resignation."""

        def next_move(self, sequence: PositionSequence, **_: int) -> NextMove:
            if sequence.moves_uci:
                return NextMove(moves_uci=("e7e5",), probabilities=(1.0,), expected_score=0.0)
            return expected

    firsts = [simulate_game(pairing(AMPLE), FirstMove(), rng).moves_san[:1] for _ in range(games)]
    for move_uci, probability in zip(expected.moves_uci, expected.probabilities, strict=True):
        san = (chess.Board().san(chess.Move.from_uci(move_uci)),)
        five_standard_errors = 5 * (probability * (1 - probability) / games) ** 0.5
        assert abs(firsts.count(san) / games - probability) < five_standard_errors + 0.005


# --- endings -------------------------------------------------------------------------------


def test_a_mate_ends_the_game() -> None:
    game = played("f2f3 e7e5 g2g4 d8h4", clock=AMPLE)
    assert (game.status, game.winner) == ("mate", "black")
    assert game.moves_san == ("f3", "e5", "g4", "Qh4#")


def test_a_third_repetition_is_a_draw() -> None:
    game = played("g1f3 g8f6 f3g1 f6g8", clock=AMPLE)
    assert (game.status, game.winner, len(game.moves_san)) == ("draw", None, 8)


def test_whoever_has_no_time_loses() -> None:
    ends = {played("g1f3 g8f6 f3g1 f6g8", clock=HARDLY_ANY, seed=n) for n in range(20)}
    lost_on_time = [game for game in ends if game.status == "outoftime"]
    assert lost_on_time
    assert all(
        game.winner == ("black" if len(game.moves_san) % 2 == 0 else "white")
        for game in lost_on_time
    )


def test_nobody_wins_on_time_with_a_bare_king() -> None:
    assert ending_on_time(chess.Board("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1")).winner is None
    assert ending_on_time(chess.Board("4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1")).winner == "white"


def test_who_expects_nothing_resigns_soon_and_who_expects_a_win_does_not() -> None:
    line = "g1f3 g8f6 f3g1 f6g8"
    hopeless = [played(line, clock=AMPLE, seed=n, expected_score=0.01) for n in range(50)]
    hopeful = [played(line, clock=AMPLE, seed=n, expected_score=0.9) for n in range(50)]
    assert sum(game.status == "resign" for game in hopeless) > 40
    assert not any(game.status == "resign" for game in hopeful)
    assert {game.winner for game in hopeless} <= {"white", "black", None}


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_the_less_one_expects_the_sooner_one_resigns(
    low: float, high: float, before: float
) -> None:
    low, high = sorted((low, high))
    assert resignation_probability(low, before) >= resignation_probability(high, before)


def test_each_side_is_asked_about_with_its_own_strength_first() -> None:
    model = Scripted("f2f3 e7e5 g2g4 d8h4", 0.9)
    simulate_game(pairing(AMPLE, white=1100, black=1900), model, random.Random(1))
    assert model.asked == [(1100, 1900), (1900, 1100)] * 2


# --- thinking ------------------------------------------------------------------------------


def situation(**changed: object) -> Situation:
    usual: dict[str, object] = {
        "clock": Clock(initial_seconds=300, increment_seconds=0),
        "seconds_left": 200.0,
        "move_number": 18,
        "entropy": 1.4,
        "legal_moves": 33,
        "recaptures": False,
        "in_check": False,
        "is_endgame": False,
        "rating": 1500,
    }
    return Situation(**(usual | changed))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "quicker",
    [
        {"clock": Clock(initial_seconds=180, increment_seconds=0)},
        {"seconds_left": 5.0},
        {"move_number": 5},
        {"entropy": 0.2},
        {"recaptures": True},
        {"is_endgame": True},
    ],
)
def test_people_think_less_where_there_is_less_to_think_or_to_think_with(
    quicker: dict[str, object],
) -> None:
    assert median_seconds(situation(**quicker)) < median_seconds(situation())


def test_a_plain_recapture_is_often_played_at_once() -> None:
    def instant_share(asked: Situation) -> float:
        rng = random.Random(2)
        return fmean(draw_seconds(asked, 0.0, rng) < 0.5 for _ in range(2000))

    plain = situation(recaptures=True, entropy=0.05)
    assert instant_share(plain) > 0.1 > 5 * instant_share(situation())


@given(
    seconds_left=st.floats(0, 10_000),
    entropy=st.floats(0, 5),
    legal_moves=st.integers(1, 218),
    seed=st.integers(0, 2**32),
)
def test_no_thinking_time_is_negative_or_endless(
    seconds_left: float, entropy: float, legal_moves: int, seed: int
) -> None:
    rng = random.Random(seed)
    asked = situation(seconds_left=seconds_left, entropy=entropy, legal_moves=legal_moves)
    assert 0 < draw_seconds(asked, draw_pace(rng), rng) < 86_400
