"""One game for whoever looks closer, in words: both sides, and the moves that cost most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo

from engines.evals import COLORS, Color
from pipeline.records import GameReport, MoveScore, SideReport, StrengthRange
from reports.explanations import (
    MoveMark,
    SideExplanation,
    move_marks,
    side_explanations,
    unexplained,
)
from reports.names import opening_name, player_name, player_rating, player_with_rating
from reports.statements import game_views
from reports.words import (
    ABSENT,
    color_name,
    decimal_text,
    engine_text,
    long_date_text,
    marked_san,
    move_number_text,
    one_line,
    percent_text,
    reason_text,
    score_text,
    speed_name,
    status_text,
    strength_text,
    time_control_text,
)

_WORST_MOVES_A_SIDE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SideRow:
    """One side; `strength_reason` is empty where there is a range."""

    color: str
    player: str
    rating: str
    score: str
    expected: str
    strength: str
    strength_reason: str
    moves: str
    accuracy: str
    average_centipawn_loss: str
    inaccuracies: str
    mistakes: str
    blunders: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstMove:
    """A judged move, the mover's win chances before and after it, and what was better."""

    color: str
    move: str
    win_percent_before: str
    win_percent_after: str
    best_move: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMove:
    """A move in the list: its number where one is written, and its mark where it has one."""

    number: str
    san: str
    mark: MoveMark | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDetail:
    """Everything that is said about one game apart from its chart.

    `explanations` is White's and Black's, or empty; `unexplained` then says why if there is
    something to explain.
    """

    title: str
    circumstances: str
    evaluated_by: str
    views: str
    sides: tuple[SideRow, SideRow]
    worst_moves: tuple[WorstMove, ...]
    explanations: tuple[SideExplanation, ...]
    unexplained: str
    moves: tuple[ListedMove, ...]


def game_detail(game: GameReport, zone: tzinfo) -> GameDetail:
    """One game in words."""
    players = [player_with_rating(game.side(color).player) for color in COLORS]
    return GameDetail(
        title=" – ".join(players),
        circumstances=_circumstances(game, zone),
        evaluated_by=engine_text(game.engine, game.limit),
        views=game_views(game),
        sides=(_side_row(game.white, "white"), _side_row(game.black, "black")),
        worst_moves=_worst_moves(game.moves),
        explanations=side_explanations(game),
        unexplained=unexplained(game),
        moves=tuple(_listed_moves(game)),
    )


def _circumstances(game: GameReport, zone: tzinfo) -> str:
    parts = [
        long_date_text(game.created_at, zone),
        f"{speed_name(game.speed)} {time_control_text(game.clock)}".removesuffix(f" {ABSENT}"),
        "rated" if game.rated else "casual",
        "" if game.variant == "standard" else one_line(game.variant),
        "" if game.opening is None else opening_name(game.opening),
        status_text(game.status),
        f"{game.plies:,} plies",
    ]
    return " · ".join(part for part in parts if part)


def _side_row(side: SideReport, color: Color) -> SideRow:
    summary = side.summary
    moves = side.strength.moves if isinstance(side.strength, StrengthRange) else None
    berserk = " (berserk)" if side.player.berserk else ""
    return SideRow(
        color=color_name(color),
        player=player_name(side.player) + berserk,
        rating=player_rating(side.player),
        score=score_text(side.score),
        expected=decimal_text(side.expected_score, 2),
        strength=strength_text(side.strength),
        strength_reason=reason_text(side.strength),
        moves=decimal_text(summary.moves if summary else moves, 0),
        accuracy=percent_text(summary.accuracy_percent if summary else None),
        average_centipawn_loss=decimal_text(summary.average_centipawn_loss if summary else None, 0),
        inaccuracies=decimal_text(summary.inaccuracies if summary else None, 0),
        mistakes=decimal_text(summary.mistakes if summary else None, 0),
        blunders=decimal_text(summary.blunders if summary else None, 0),
    )


def _listed_moves(game: GameReport) -> Iterator[ListedMove]:
    marks, last_ply = move_marks(game), 0
    for move in game.moves:
        follows = move.color == "black" and move.ply == last_ply + 1 and last_ply > 0
        number = "" if follows else move_number_text(move)
        yield ListedMove(number=number, san=marked_san(move), mark=marks.get(move.ply))
        last_ply = move.ply


def _worst_moves(moves: tuple[MoveScore, ...]) -> tuple[WorstMove, ...]:
    worst: list[MoveScore] = []
    for color in COLORS:
        judged = [move for move in moves if move.color == color and move.judgement]
        worst += sorted(judged, key=_win_percent_lost, reverse=True)[:_WORST_MOVES_A_SIDE]
    return tuple(_worst_move(move) for move in sorted(worst, key=lambda move: move.ply))


def _win_percent_lost(move: MoveScore) -> float:
    return move.win_percent_before - move.win_percent_after


def _worst_move(move: MoveScore) -> WorstMove:
    return WorstMove(
        color=color_name(move.color),
        move=f"{move_number_text(move)} {marked_san(move)}",
        win_percent_before=percent_text(move.win_percent_before),
        win_percent_after=percent_text(move.win_percent_after),
        best_move=one_line(move.best_move_san, 10) if move.best_move_san else ABSENT,
    )
