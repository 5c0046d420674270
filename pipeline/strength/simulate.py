"""Games between players of known strength: moves sampled from the human-move model.

Every move is drawn with the probability that the model gives it for a player of that rating
against one of the opponent's (temperature 1), so that a simulated player is the average of the
people at a rating and has no style of its own. Nobody offers a draw.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import chess

from engines.evals import Color, PositionSequence
from engines.human_likelihoods import NextMove
from pipeline.records import Clock, Game, GamePlayer
from pipeline.strength.simulate_endings import (
    EVEN,
    Ending,
    color_of,
    ending_by_resignation,
    ending_on_board,
    ending_on_time,
    resignation_probability,
)
from pipeline.strength.simulate_thinking import Situation, draw_pace, draw_seconds

_ENDGAME_PIECES = 12
_PLIES_OFF_THE_CLOCK = 2


class MoveModel(Protocol):
    """What knows how people move: `engines.maia.MaiaModel`."""

    def next_move(
        self, sequence: PositionSequence, *, self_rating: int, opponent_rating: int
    ) -> NextMove:
        """The legal moves after `sequence`, and how probable each is."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedGame:
    """A game to be played. `white` and `black` are what its record will say of them.

    The strengths are what they really play at, on the model's scale of ratings (600 to 2600 is
    what it knows).
    """

    game_id: str
    created_at: datetime
    speed: str
    clock: Clock
    white: GamePlayer
    black: GamePlayer
    white_strength: int
    black_strength: int


def simulate_game(pairing: PlannedGame, model: MoveModel, rng: random.Random) -> Game:
    """The game from the usual starting position to its end, with clocks.

    The same model, machine and state of `rng` give the same game.
    """
    play = _Play(pairing, rng)
    ending = play.ending()
    while ending is None:
        ending = play.advance(model) or play.ending()
    return Game(
        id=pairing.game_id,
        variant="standard",
        speed=pairing.speed,
        rated=True,
        created_at=pairing.created_at,
        white=pairing.white,
        black=pairing.black,
        winner=ending.winner,
        status=ending.status,
        source="simulated",
        clock=pairing.clock,
        moves_san=tuple(_san(play.board)),
        clocks_centiseconds=tuple(play.clocks_centiseconds),
    )


class _Play:
    """A game under way."""

    def __init__(self, pairing: PlannedGame, rng: random.Random) -> None:
        self.board = chess.Board()
        self.clocks_centiseconds: list[int] = []
        self._pairing = pairing
        self._rng = rng
        self._strengths = {"white": pairing.white_strength, "black": pairing.black_strength}
        self._expected_scores: dict[Color, float] = {"white": EVEN, "black": EVEN}
        self._paces: dict[Color, float] = {"white": draw_pace(rng), "black": draw_pace(rng)}

    def ending(self) -> Ending | None:
        return ending_on_board(self.board)

    def advance(self, model: MoveModel) -> Ending | None:
        """A move by the side to move; how the game ends if there is to be none."""
        expected = self._ask(model)
        if self._resigns(expected.expected_score):
            return ending_by_resignation(self.board)
        (move_uci,) = self._rng.choices(expected.moves_uci, expected.probabilities)
        move = chess.Move.from_uci(move_uci)
        left = self._centiseconds_left() - self._centiseconds_spent(move, expected)
        if left <= 0:
            return ending_on_time(self.board)
        increment = 100 * self._pairing.clock.increment_seconds if self._clock_runs() else 0
        self.clocks_centiseconds.append(left + increment)
        self.board.push(move)
        return None

    def _ask(self, model: MoveModel) -> NextMove:
        mover = color_of(self.board.turn)
        sequence = PositionSequence(
            game_id=self._pairing.game_id,
            start_fen=chess.STARTING_FEN,
            moves_uci=tuple(move.uci() for move in self.board.move_stack),
        )
        return model.next_move(
            sequence,
            self_rating=self._strengths[mover],
            opponent_rating=self._strengths["black" if mover == "white" else "white"],
        )

    def _resigns(self, expected_score: float) -> bool:
        mover = color_of(self.board.turn)
        before = self._expected_scores[mover]
        self._expected_scores[mover] = expected_score
        return self._rng.random() < resignation_probability(expected_score, before)

    def _clock_runs(self) -> bool:
        """Lichess starts it when both sides have moved."""
        return len(self.board.move_stack) >= _PLIES_OFF_THE_CLOCK

    def _centiseconds_left(self) -> int:
        if self._clock_runs():
            return self.clocks_centiseconds[-2]
        return 100 * self._pairing.clock.initial_seconds

    def _centiseconds_spent(self, move: chess.Move, expected: NextMove) -> int:
        if not self._clock_runs():
            return 0
        mover = color_of(self.board.turn)
        seconds = draw_seconds(self._situation(move, expected), self._paces[mover], self._rng)
        return round(100 * seconds)

    def _situation(self, move: chess.Move, expected: NextMove) -> Situation:
        board = self.board
        return Situation(
            clock=self._pairing.clock,
            seconds_left=self._centiseconds_left() / 100,
            move_number=board.fullmove_number,
            entropy=expected.entropy,
            legal_moves=len(expected.moves_uci),
            recaptures=_recaptures(board, move),
            in_check=board.is_check(),
            is_endgame=chess.popcount(board.occupied) <= _ENDGAME_PIECES,
            rating=self._strengths[color_of(board.turn)],
        )


def _recaptures(board: chess.Board, move: chess.Move) -> bool:
    if not board.is_capture(move) or board.peek().to_square != move.to_square:
        return False
    before = board.copy(stack=1)
    return before.is_capture(before.pop())


def _san(board: chess.Board) -> Iterator[str]:
    replayed = chess.Board()
    for move in board.move_stack:
        yield replayed.san_and_push(move)
