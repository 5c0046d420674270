"""Stage 3: a game and its evaluations -> every move scored, both sides summed up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from sys import intern

import chess

from engines.evals import Centipawns, Color, Eval, GameEvals, Mate
from pipeline.formulas.accuracy import (
    accuracy_percent,
    average_centipawn_loss,
    centipawn_loss,
    game_accuracy_percent,
)
from pipeline.formulas.division import divide, phase_at
from pipeline.formulas.judgement import judge
from pipeline.formulas.legal_moves import legal_move_count
from pipeline.formulas.win_percent import mover_win_percent
from pipeline.records import Division, Game, GameAnalysis, Judgement, MoveScore, SideSummary
from pipeline.replay import Replay, move_of

LICHESS_START = Centipawns(15)
"""What Lichess takes the usual starting position for (scalachess `Eval.Cp.initial`)."""

LICHESS_MAX_PLIES = 300
"""Lichess's own analysis goes no further (lila `Analyser.maxPlies`)."""

MIN_SHARE_EVALUATED = 0.9
"""Below this share Lichess itself refuses an analysis as failed; Stockfish does it then."""


def analyse(game: Game, replay: Replay, evals: GameEvals) -> GameAnalysis:
    """Score every move that has an evaluation before and after it."""
    seen: list[_Seen | None] = []
    boards = _looked_at(replay, evals, seen)
    division = divide(boards)
    for _ in boards:  # those after the endgame began
        pass
    moves = tuple(_move_scores(game, evals, seen, division))
    return GameAnalysis(
        game_id=game.id,
        engine=evals.engine,
        limit=evals.limit,
        moves=moves,
        division=division,
        **_summaries(replay, evals, moves),
    )


def scored_move_count(replay: Replay, evals: GameEvals, color: Color) -> int:
    """How many moves of `color` an analysis scores: much quicker than the analysis itself."""
    known = [evaluation is not None for evaluation in evals.evals]
    first = 0 if replay.start_color == color else 1
    own = range(first, replay.plies, 2)
    return sum(known[position] and known[position + 1] for position in own)


def source_evals(game: Game, replay: Replay) -> GameEvals | None:
    """The evaluations that came with the game, if they cover enough of it to be used."""
    if game.source_engine is None or not replay.plies:
        return None
    given = game.source_evals[: replay.plies]
    after = [e.evaluation for e in given] + [None] * (replay.plies - len(given))
    if replay.ends_in_checkmate:
        after[-1] = Mate(_last_mover(replay), 0)
    expected = min(replay.plies, LICHESS_MAX_PLIES)
    if sum(e is not None for e in after[:expected]) < MIN_SHARE_EVALUATED * expected:
        return None
    best = [e.best_move_uci for e in given] + [None] * (replay.plies - len(given))
    start = LICHESS_START if replay.starts_normally else None
    return GameEvals(
        game_id=game.id,
        engine=game.source_engine,
        limit=game.source_limit,
        evals=(start, *after),
        best_moves_uci=(*best, None),
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """A move and its alternatives, as the board before it shows them."""

    color: Color
    move_uci: str
    san: str
    best_move_san: str | None
    is_best_move: bool | None
    legal_move_count: int
    captures: bool


def _looked_at(replay: Replay, evals: GameEvals, seen: list[_Seen | None]) -> Iterator[chess.Board]:
    """The boards, each once; `seen` gets a move for each, None where it has no evaluations."""
    board = replay.starting_board()
    yield board
    for position, move_uci in enumerate(replay.moves_uci):
        if None in (evals.evals[position], evals.evals[position + 1]):
            seen.append(None)
            board.push(move_of(move_uci))
        else:
            seen.append(_seen_and_pushed(board, move_uci, evals.best_moves_uci[position]))
        yield board


def _seen_and_pushed(board: chess.Board, move_uci: str, best_move_uci: str | None) -> _Seen:
    """Its notation needs the move made: so it is made once for both."""
    color: Color = "white" if board.turn == chess.WHITE else "black"
    move, best = move_of(move_uci), _legal(board, best_move_uci)
    is_best = None if best is None else best == move
    best_san = None if best is None or is_best else intern(board.san(best))
    count, captures = legal_move_count(board), board.is_capture(move)
    san = intern(board.san_and_push(move))  # there are few, in however many games
    return _Seen(
        color=color,
        move_uci=move_uci,
        san=san,
        best_move_san=san if is_best else best_san,
        is_best_move=is_best,
        legal_move_count=count,
        captures=captures,
    )


def _move_scores(
    game: Game, evals: GameEvals, seen: Sequence[_Seen | None], division: Division
) -> Iterator[MoveScore]:
    tells_best_moves = any(evals.best_moves_uci)
    for position, move in enumerate(seen):
        before, after = evals.evals[position], evals.evals[position + 1]
        if move is None or before is None or after is None:
            continue
        yield _move_score(
            move,
            position=position,
            tells_best_moves=tells_best_moves,
            before=before,
            after=after,
            division=division,
            seconds=_seconds(game, position),
        )


def _move_score(
    move: _Seen,
    *,
    position: int,
    tells_best_moves: bool,
    before: Eval,
    after: Eval,
    division: Division,
    seconds: tuple[float | None, float | None],
) -> MoveScore:
    color = move.color
    percent_before, percent_after = (mover_win_percent(e, color) for e in (before, after))
    return MoveScore(
        ply=position + 1,
        color=color,
        san=move.san,
        move_uci=move.move_uci,
        win_percent_before=percent_before,
        win_percent_after=percent_after,
        centipawn_loss=centipawn_loss(before, after, color),
        accuracy_percent=accuracy_percent(percent_before, percent_after),
        judgement=_judgement(before, after, color, move.is_best_move, tells_best_moves),
        phase=phase_at(division, position),
        legal_move_count=move.legal_move_count,
        is_best_move=move.is_best_move,
        best_move_san=move.best_move_san,
        gives_check=move.san[-1] in "+#",  # as the library writes it
        captures=move.captures,
        seconds_left=seconds[0],
        seconds_spent=seconds[1],
    )


def _judgement(
    before: Eval, after: Eval, color: Color, is_best: bool | None, tells_best_moves: bool
) -> Judgement | None:
    """Lichess judges no move that its engine preferred, and names the better one otherwise."""
    if is_best or (is_best is None and tells_best_moves):
        return None
    return judge(before, after, color)


def _legal(board: chess.Board, move_uci: str | None) -> chess.Move | None:
    """A best move from outside may be of another notation, or wrong: then it is not known."""
    if move_uci is None:
        return None
    try:
        return board.parse_uci(move_uci)
    except ValueError:
        return None


def _last_mover(replay: Replay) -> Color:
    is_white = (replay.start_color == "white") == (replay.plies % 2 == 1)
    return "white" if is_white else "black"


def _seconds(game: Game, position: int) -> tuple[float | None, float | None]:
    """Time left after the move and time spent on it; the first move is not on the clock."""
    clocks = game.clocks_centiseconds
    if position >= len(clocks):
        return None, None
    left = clocks[position] / 100
    if position < 2 or game.clock is None:
        return left, None
    spent = clocks[position - 2] / 100 - left + game.clock.increment_seconds
    return left, max(0.0, spent)


def _summaries(
    replay: Replay, evals: GameEvals, moves: tuple[MoveScore, ...]
) -> dict[Color, SideSummary]:
    # Lichess has no entry for a position that is mate, so its figures leave that move out.
    last = evals.evals[-1]
    ends_in_mate = isinstance(last, Mate) and last.moves == 0
    counted = evals.evals[:-1] if ends_in_mate else evals.evals
    accuracy = game_accuracy_percent(counted, replay.start_color)
    loss = average_centipawn_loss(counted, replay.start_color)
    return {
        color: _summary([m for m in moves if m.color == color], accuracy[color], loss[color])
        for color in ("white", "black")
    }


def _summary(moves: list[MoveScore], accuracy: float | None, loss: int | None) -> SideSummary:
    judged = [move.judgement for move in moves]
    return SideSummary(
        moves=len(moves),
        accuracy_percent=accuracy,
        average_centipawn_loss=loss,
        inaccuracies=judged.count(Judgement.INACCURACY),
        mistakes=judged.count(Judgement.MISTAKE),
        blunders=judged.count(Judgement.BLUNDER),
    )
