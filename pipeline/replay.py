"""A game's moves followed on the board: the one place where SAN is read and checked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from sys import intern

import chess

from config.errors import IllegalMove, InputError
from config.language import _
from engines.evals import Color, PositionSequence
from pipeline.records import READABLE_VARIANTS, Game

LONGEST_GAME_PLIES = 17_697
"""8,848½ moves: then the 75-move rule (FIDE Laws, 9.6.2) has ended every game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A game that was checked: every move is legal in the position before it."""

    game_id: str
    start_fen: str
    chess960: bool
    start_color: Color
    moves_uci: tuple[str, ...]
    ends_in_checkmate: bool

    @property
    def plies(self) -> int:
        """Moves by both sides together."""
        return len(self.moves_uci)

    @property
    def starts_normally(self) -> bool:
        """Whether it began from the usual starting position."""
        return self.start_fen == chess.STARTING_FEN

    def positions(self) -> PositionSequence:
        """The game as an engine needs it."""
        return PositionSequence(
            game_id=self.game_id,
            start_fen=self.start_fen,
            moves_uci=self.moves_uci,
            chess960=self.chess960,
        )

    def starting_board(self) -> chess.Board:
        """The position in which the game began, on a board of one's own."""
        return chess.Board(self.start_fen, chess960=self.chess960)

    def boards(self) -> Iterator[chess.Board]:
        """The n + 1 positions in order: the same board object, moved on at each step."""
        board = self.starting_board()
        yield board
        for move_uci in self.moves_uci:
            board.push(move_of(move_uci))  # checked already, by `replay`
            yield board

    def final_board(self) -> chess.Board:
        """The position in which the game ended."""
        (board,) = deque(self.boards(), maxlen=1)
        return board


move_of = cache(chess.Move.from_uci)
"""There are fewer than two thousand."""


def replay(game: Game) -> Replay:
    """Check the game's moves; InputError for another variant or start, IllegalMove by ply."""
    if game.variant not in READABLE_VARIANTS:
        raise InputError(
            _(
                "Game {id} is {variant}; movelo reads standard chess, Chess960 and games "
                "from a position."
            ).format(id=game.id, variant=game.variant)
        )
    if len(game.moves_san) > LONGEST_GAME_PLIES:
        raise InputError(
            _(
                "Game {id} has {plies} plies, and no game of chess has more than {most}; take it "
                "out."
            ).format(id=game.id, plies=len(game.moves_san), most=LONGEST_GAME_PLIES)
        )
    board = _starting_board(game)
    start_fen, start_color = board.fen(), board.turn
    moves_uci = tuple(_checked_moves(game, board))
    return Replay(
        game_id=game.id,
        start_fen=start_fen,
        chess960=board.chess960,
        start_color="white" if start_color == chess.WHITE else "black",
        moves_uci=moves_uci,
        ends_in_checkmate=board.is_checkmate(),
    )


def _starting_board(game: Game) -> chess.Board:
    fen = game.initial_fen or chess.STARTING_FEN
    try:
        board = chess.Board(fen, chess960=game.variant == "chess960")
    except ValueError as error:
        raise InputError(
            _("Game {id} starts from an unreadable FEN ({error}).").format(id=game.id, error=error)
        ) from error
    if not board.is_valid():
        raise InputError(
            _("Game {id} starts from a position that cannot arise in chess: {fen}.").format(
                id=game.id, fen=fen
            )
        )
    return board


def _checked_moves(game: Game, board: chess.Board) -> Iterator[str]:
    for ply, san in enumerate(game.moves_san, start=1):
        try:
            move = board.parse_san(san)
        except ValueError as error:
            said = (
                _("Game {id}: {san} at ply {ply} is ambiguous in the position before it.")
                if isinstance(error, chess.AmbiguousMoveError)
                else _("Game {id}: {san} at ply {ply} is illegal in the position before it.")
            )
            raise IllegalMove(said.format(id=game.id, san=san, ply=ply)) from error
        if not move:
            raise IllegalMove(
                _("Game {id}: ply {ply} is a null move ({san}), not a move.").format(
                    id=game.id, ply=ply, san=san
                )
            )
        yield intern(board.uci(move))
        board.push(move)
