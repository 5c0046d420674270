"""One game for whoever looks closer, in words: both sides, and the moves that cost most."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo

from config.language import _, ngettext
from config.localized import number_text
from engines.evals import COLORS, Color
from pipeline.records import Explanation, GameReport, MoveScore, SideReport, StrengthRange
from reports.board_steps import BoardSteps, board_steps
from reports.explanations import (
    MoveMark,
    SideExplanation,
    move_marks,
    side_explanations,
    unexplained,
)
from reports.lines import ABSENT, one_line
from reports.move_rows import MoveTable, move_table
from reports.names import opening_name, player_name, player_rating, player_with_rating
from reports.statements import game_views
from reports.terms import (
    color_name,
    engine_text,
    marked_san,
    move_number_text,
    speed_name,
    status_text,
    time_control_text,
)
from reports.words import (
    decimal_text,
    long_date_text,
    percent_text,
    reason_text,
    score_text,
    strength_text,
)

_WORST_MOVES_A_SIDE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SideRow:
    """One side; `strength_reason` is empty where there is a range."""

    side: Color
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

    ply: int
    color: str
    move: str
    win_percent_before: str
    win_percent_after: str
    best_move: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMove:
    """A move that spoke loudly; its mark says what for, and how much."""

    ply: int
    move: str
    mark: MoveMark


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMoves:
    """The moves of one side that spoke most, for the higher rating and for the lower."""

    player: str
    moves: tuple[KeyMove, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDetail:
    """Everything that is said about one game apart from its chart.

    `explanations` is White's and Black's, or empty; `unexplained` then says why if there is
    something to explain. `key_moves` are those sides that are explained; `board` is None
    where the moves are not known.
    """

    players: tuple[str, str]
    title: str
    circumstances: str
    evaluated_by: str
    views: str
    sides: tuple[SideRow, SideRow]
    worst_moves: tuple[WorstMove, ...]
    key_moves: tuple[KeyMoves, ...]
    explanations: tuple[SideExplanation, ...]
    unexplained: str
    moves: MoveTable
    board: BoardSteps | None


def game_detail(game: GameReport, zone: tzinfo) -> GameDetail:
    """One game in words."""
    players = (player_with_rating(game.white.player), player_with_rating(game.black.player))
    return GameDetail(
        players=players,
        title=" – ".join(players),
        circumstances=_circumstances(game, zone),
        evaluated_by=engine_text(game.engine, game.limit),
        views=game_views(game),
        sides=(_side_row(game.white, "white"), _side_row(game.black, "black")),
        worst_moves=_worst_moves(game.moves),
        key_moves=_key_moves(game),
        explanations=side_explanations(game),
        unexplained=unexplained(game),
        moves=move_table(game),
        board=board_steps(game),
    )


def _circumstances(game: GameReport, zone: tzinfo) -> str:
    parts = [
        long_date_text(game.created_at, zone),
        f"{speed_name(game.speed)} {time_control_text(game.clock)}".removesuffix(f" {ABSENT}"),
        _("rated") if game.rated else _("casual"),
        "" if game.variant == "standard" else one_line(game.variant),
        "" if game.opening is None else opening_name(game.opening),
        status_text(game.status),
        ngettext("{count} ply", "{count} plies", game.plies).format(count=number_text(game.plies)),
    ]
    return " · ".join(part for part in parts if part)


def _side_row(side: SideReport, color: Color) -> SideRow:
    summary = side.summary
    moves = side.strength.moves if isinstance(side.strength, StrengthRange) else None
    name = player_name(side.player)
    return SideRow(
        side=color,
        color=color_name(color),
        player=_("{player} (berserk)").format(player=name) if side.player.berserk else name,
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


def _key_moves(game: GameReport) -> tuple[KeyMoves, ...]:
    """The strongest either way of each side, in the order in which they are named there."""
    marks, by_ply = move_marks(game), {move.ply: move for move in game.moves}
    found = []
    for side in (game.white, game.black):
        if isinstance(said := side.explanation, Explanation):
            plies = [spoke[0].ply for spoke in (said.for_higher, said.for_lower) if spoke]
            moves = tuple(
                KeyMove(ply=ply, move=_numbered(by_ply[ply]), mark=marks[ply]) for ply in plies
            )
            found.append(KeyMoves(player=player_name(side.player), moves=moves))
    return tuple(key for key in found if key.moves)


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
        ply=move.ply,
        color=color_name(move.color),
        move=_numbered(move),
        win_percent_before=percent_text(move.win_percent_before),
        win_percent_after=percent_text(move.win_percent_after),
        best_move=one_line(move.best_move_san, 10) if move.best_move_san else ABSENT,
    )


def _numbered(move: MoveScore) -> str:
    return f"{move_number_text(move)} {marked_san(move)}"
