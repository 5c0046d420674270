"""One game for the terminal: both sides, then its moves, at 80 columns."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, tzinfo

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from config.language import _
from engines.evals import COLORS
from pipeline.records import GameReport, Judgement, MoveScore, StrengthRange
from reports.details import GameDetail, SideRow, game_detail
from reports.explanations import (
    FOR_HIGHER,
    FOR_LOWER,
    MoveMark,
    SideExplanation,
    explanation_note,
    move_marks,
    phase_names,
)
from reports.footnotes import Footnotes
from reports.lines import ABSENT, one_line
from reports.method import limits
from reports.terminal_parts import print_dim
from reports.terms import (
    JUDGEMENT_MARKS,
    color_name,
    judgement_name,
    marked_san,
    move_number_text,
    scale_name,
    white_win_percent,
)
from reports.words import coverage_text, percent_number_text

_JUDGEMENT_STYLES = {
    Judgement.INACCURACY: "yellow",
    Judgement.MISTAKE: "dark_orange",
    Judgement.BLUNDER: "red",
}


def render_game(game: GameReport, console: Console, *, zone: tzinfo = UTC) -> None:
    """Print one game: both sides' ranges and figures, then its moves; days are `zone`'s."""
    detail, footnotes = game_detail(game, zone), Footnotes()
    console.print(Rule(Text(one_line(detail.title, 150), style="bold")))
    console.print(Text(detail.circumstances))
    console.print(
        Text(_("Evaluations: {evaluated_by}").format(evaluated_by=detail.evaluated_by), style="dim")
    )
    if detail.views:
        console.print(Text(_("Strength: {views}").format(views=detail.views), style="dim"))
    console.print(_sides_table(detail.sides, footnotes))
    print_dim((*_range_note(game), *footnotes.lines()), console)
    _print_explanations(detail, console)
    if game.moves:
        console.print(Padding(_moves_table(game.moves, move_marks(game)), (1, 0, 0, 0)))
        print_dim((_moves_caption(), *_marks_caption(detail)), console)
    print_dim(limits()[:1], console)


def _range_note(game: GameReport) -> tuple[str, ...]:
    strengths = [side.strength for side in (game.white, game.black)]
    ranges = [strength for strength in strengths if isinstance(strength, StrengthRange)]
    scales = sorted({scale_name(strength.scale) for strength in ranges})
    coverage = coverage_text(*(strength.coverage for strength in ranges))
    return (
        (
            _("range: {coverage} range on the {scales} scale").format(
                coverage=coverage, scales=", ".join(scales)
            ),
        )
        if ranges
        else ()
    )


def _sides_table(sides: tuple[SideRow, SideRow], footnotes: Footnotes) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column(_("player"), overflow="fold", min_width=8)
    for heading in (_("score"), _("range"), _("acc"), _("ACPL"), "?!", "?", "??"):
        table.add_column(heading, justify="right", no_wrap=True, min_width=len(heading))
    for side in sides:
        rating = "" if side.rating == ABSENT else f" {side.rating}"
        figures = (side.accuracy, side.average_centipawn_loss)
        counts = (side.inaccuracies, side.mistakes, side.blunders)
        table.add_row(
            Text(side.color),
            Text(f"{one_line(side.player, 24)}{rating}"),
            Text(side.score),
            footnotes.mark(side.strength, side.strength_reason),
            *(Text(cell) for cell in (*figures, *counts)),
        )
    return table


def _print_explanations(detail: GameDetail, console: Console) -> None:
    for side in detail.explanations:
        if side.higher != ABSENT:
            heading = _("{color}: what spoke for {higher}, what for {lower}").format(
                color=side.color, higher=side.higher, lower=side.lower
            )
            console.print(Padding(Text(heading, style="bold"), (1, 0, 0, 0)))
            for line in _explanation_lines(side):
                console.print(Padding(Text(line), (0, 0, 0, 2)))
    note = explanation_note() if detail.explanations else detail.unexplained
    if note:
        console.print(Padding(Text(note, style="dim"), (1, 0, 0, 0)))


def _explanation_lines(side: SideExplanation) -> tuple[str, ...]:
    named = ((FOR_HIGHER, side.for_higher), (FOR_LOWER, side.for_lower))
    nothing = _("no move")
    moves = (
        f"{sign} {', '.join(f'{said.move} ({said.times})' for said in spoken) or nothing}"
        for sign, spoken in named
    )
    phases = zip(phase_names(), side.phases, strict=True)
    return (
        *moves,
        ", ".join(
            _("{phase}: {said}").format(phase=name, said=said)
            for name, said in phases
            if said != ABSENT
        ),
    )


def _moves_table(moves: tuple[MoveScore, ...], marks: Mapping[int, MoveMark]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right", no_wrap=True)
    for color in COLORS:
        table.add_column(color_name(color), no_wrap=True)
        table.add_column(_("win %"), justify="right", no_wrap=True)
    for number, pair in _by_number(moves).items():
        cells = (cell for color in COLORS for cell in _move_cells(pair.get(color), marks))
        table.add_row(Text(number), *cells)
    return table


def _moves_caption() -> str:
    marks = ", ".join(
        f"{mark} {judgement_name(judgement)}" for judgement, mark in JUDGEMENT_MARKS.items()
    )
    return _("win %: White's chances after the move; {marks}; (the engine's choice)").format(
        marks=marks
    )


def _marks_caption(detail: GameDetail) -> tuple[str, ...]:
    said = _(
        "{for_higher} speaks for the higher rating, {for_lower} for the lower, as named above"
    ).format(for_higher=FOR_HIGHER, for_lower=FOR_LOWER)
    return (said,) if detail.explanations else ()


def _by_number(moves: tuple[MoveScore, ...]) -> dict[str, dict[str, MoveScore]]:
    pairs: dict[str, dict[str, MoveScore]] = {}
    for move in moves:
        number = move_number_text(move).rstrip(".…")
        pairs.setdefault(number, {})[move.color] = move
    return pairs


def _move_cells(move: MoveScore | None, marks: Mapping[int, MoveMark]) -> tuple[Text, Text]:
    if move is None:
        return Text(), Text()
    style = _JUDGEMENT_STYLES.get(move.judgement, "") if move.judgement else ""
    best = f" ({one_line(move.best_move_san, 10)})" if move.judgement and move.best_move_san else ""
    mark = f" {marks[move.ply].sign}" if move.ply in marks else ""
    san = Text.assemble((marked_san(move), style), mark, (best, "dim"))
    return san, Text(percent_number_text(white_win_percent(move)))
