"""The moves of one game as a table: what was played, White's chances after it, and the clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from config.localized import localized
from engines.evals import COLORS, Color
from pipeline.records import GameReport, MoveScore
from reports.explanations import MoveMark, move_marks
from reports.lines import ABSENT, one_line, sentence_part
from reports.terms import marked_san, white_win_percent
from reports.words import percent_number_text


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveCell:
    """One move. `better` is empty where nothing was, or nobody knows.

    `win_percent` is White's after the move, a dash where it was not evaluated; `clock` is the
    mover's time left, a dash where it is not known.
    """

    ply: int
    san: str
    better: str
    mark: MoveMark | None
    win_percent: str
    clock: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveRow:
    """White's and Black's move of one number; None where there is none."""

    number: int
    cells: tuple[MoveCell | None, MoveCell | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveTable:
    """All moves; whether any was evaluated, and whether any has a clock."""

    rows: tuple[MoveRow, ...]
    has_win_percents: bool
    has_clocks: bool


def move_table(game: GameReport) -> MoveTable:
    """Every move of the game, numbered from its start; without rows where there is no move."""
    clocks = [move.seconds_left for move in game.moves]
    return MoveTable(
        rows=tuple(_rows(game)),
        has_win_percents=bool(game.moves),
        has_clocks=any(clock is not None for clock in clocks),
    )


def clock_text(seconds: float | None) -> str:
    """`2:05`, `1:02:05`; with tenths below ten seconds: `0:07.3`; a dash when unknown."""
    if seconds is None:
        return ABSENT
    if seconds < 10:
        # Cut, not rounded: a clock that shows 10.0 has run ten seconds.
        return f"0:0{localized(f'{int(10 * seconds) / 10:.1f}')}"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _rows(game: GameReport) -> Iterator[MoveRow]:
    shift = int(_black_began(game))
    pairs: dict[int, dict[Color, MoveCell]] = {}
    for ply, cell in _cells(game):
        number, place = divmod(ply - 1 + shift, 2)
        pairs.setdefault(number + 1, {})[COLORS[place]] = cell
    for number, pair in pairs.items():
        yield MoveRow(number=number, cells=(pair.get("white"), pair.get("black")))


def _cells(game: GameReport) -> Iterator[tuple[int, MoveCell]]:
    scored, marks = {move.ply: move for move in game.moves}, move_marks(game)
    played = dict(enumerate(game.moves_san, start=1)) or {m.ply: m.san for m in game.moves}
    for ply, san in played.items():
        move = scored.get(ply)
        yield (
            ply,
            MoveCell(
                ply=ply,
                san=sentence_part(san) if move is None else marked_san(move),
                better=_better(move),
                mark=marks.get(ply),
                win_percent=percent_number_text(None if move is None else white_win_percent(move)),
                clock=clock_text(None if move is None else move.seconds_left),
            ),
        )


def _better(move: MoveScore | None) -> str:
    if move is None or move.judgement is None or not move.best_move_san:
        return ""
    return one_line(move.best_move_san, 10)


def _black_began(game: GameReport) -> bool:
    for move in game.moves:
        return (move.color == "white") == (move.ply % 2 == 0)
    return (game.initial_fen or "").split()[1:2] == ["b"]
