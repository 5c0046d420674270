"""Games as boards: which positions an engine may see, and which need none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import chess

from config.errors import IllegalMove, InputError
from config.language import _
from engines.evals import Centipawns, Eval, KnownEval, Mate, PositionSequence

Answer: TypeAlias = tuple[Eval, str | None]
"""Evaluation and best move; no move where the game is over."""

Answers: TypeAlias = dict[int, Answer]
"""By the position's number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """One position of a game: its number (0 = start), its board without the moves before it.

    `command` is how UCI names it: the start and the moves, so that an engine sees repetitions.
    `finished` is what the rules alone say of it; None where an engine is needed.
    """

    number: int
    command: str
    board: chess.Board
    finished: Eval | None


def positions_backwards(board: chess.Board) -> Iterator[Position]:
    """The positions of the game on `board`, last first, each made when it is asked for.

    Takes the moves off `board`, one at a time.
    """
    moves_uci = [move.uci() for move in board.move_stack]
    start = _start_command(board.root())
    for number in reversed(range(len(moves_uci) + 1)):
        moves = f" moves {' '.join(moves_uci[:number])}" if number else ""
        yield Position(
            number=number,
            command=start + moves,
            board=board.copy(stack=False),
            finished=finished_eval(board),
        )
        if number:
            board.pop()


def divided(board: chess.Board, known: Mapping[int, KnownEval]) -> tuple[list[Position], Answers]:
    """The positions that an engine is to search, last first, and the answers about the others.

    `known` is what others know, by the position's number. Takes the moves off `board`.
    """
    to_search: list[Position] = []
    answers: Answers = {}
    for position in positions_backwards(board):
        given = known.get(position.number)
        if position.finished is not None:
            answers[position.number] = (position.finished, None)
        elif given is not None:
            answers[position.number] = (given.eval, given.best_move_uci)
        else:
            to_search.append(position)
    return to_search, answers


def final_board(sequence: PositionSequence) -> chess.Board:
    """The last position, with the moves that led to it on its stack.

    Raises InputError for a start that is no legal position, IllegalMove for a move that does
    not follow: either could crash an engine.
    """
    board = _start_board(sequence)
    for ply, move_uci in enumerate(sequence.moves_uci, start=1):
        board.push(
            _legal_move(
                board,
                move_uci,
                _("game {game_id}, ply {ply}").format(game_id=sequence.game_id, ply=ply),
            )
        )
    return board


def finished_eval(board: chess.Board) -> Eval | None:
    """What the rules alone say; None while the game goes on and an engine is needed.

    Checkmate is `Mate(winner, 0)`; stalemate, insufficient material, a fifth repetition and
    75 moves without progress are 0 (FIDE Laws of Chess, articles 5.1, 5.2 and 9.6).
    """
    outcome = board.outcome()
    if outcome is None:
        return None
    if outcome.winner is None:
        return Centipawns(0)
    return Mate("white" if outcome.winner == chess.WHITE else "black", 0)


def _start_command(start: chess.Board) -> str:
    fen = start.fen(shredder=start.chess960, en_passant="fen")
    return "position startpos" if fen == chess.STARTING_FEN else f"position fen {fen}"


def _start_board(sequence: PositionSequence) -> chess.Board:
    where = _("game {game_id}: its starting position '{start_fen}'").format(
        game_id=sequence.game_id, start_fen=sequence.start_fen
    )
    try:
        board = chess.Board(sequence.start_fen, chess960=sequence.chess960)
    except ValueError as error:
        raise InputError(
            _("{where} cannot be read ({error}); correct it or leave the game out").format(
                where=where, error=error
            )
        ) from error
    if not board.is_valid():
        faults = _fault_words(board.status())
        raise InputError(
            _("{where} is not legal ({faults}); correct it or leave the game out").format(
                where=where, faults=faults
            )
        )
    return board


def _fault_words(status: chess.Status) -> str:
    """`chess.STATUS_NO_WHITE_KING` becomes `no white king`."""
    names = (fault.name or "" for fault in chess.Status if fault & status)
    return ", ".join(name.lower().replace("_", " ") for name in names)


def _legal_move(board: chess.Board, move_uci: str, where: str) -> chess.Move:
    try:
        move = board.parse_uci(move_uci)
    except ValueError:
        move = chess.Move.null()
    if not move:  # python-chess takes "0000", passing, for a move
        raise IllegalMove(
            _(
                "{where}: '{move_uci}' is not a legal move there; correct it or leave the game out"
            ).format(where=where, move_uci=move_uci)
        )
    return move
