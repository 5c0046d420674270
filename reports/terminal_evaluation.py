"""An evaluation in the terminal: the few figures that matter, the rest is in the JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from config.language import _, english, retold
from pipeline.strength.band_test import BandTest
from pipeline.strength.evaluation import Evaluation
from pipeline.strength.figures import Figures, RangeFigures
from pipeline.strength.measured import Measured
from pipeline.strength.pairing_figures import PairingFigures
from pipeline.strength.reliability import LevelReached, Reliability
from reports.counts import counted
from reports.terms import speed_name
from reports.words import coverage_text, decimal_text, percentage

_SHOWN = "steady"
_BAR_CHARACTERS = 50
_SELECTION_NAMES = {"steady and long": english("25+ moves"), "all": english("all ratings")}


def render_evaluation(evaluation: Evaluation, console: Console) -> None:
    """For each speed: by number of games, the baselines, by rating, and the reliability."""
    console.print(_heading(evaluation), highlight=False)
    for speed in dict.fromkeys(figures.about.speed for figures in evaluation.figures):
        console.print()
        if not _at(evaluation, speed, _SHOWN):
            console.print(
                _("{speed}: no steady ratings; see --json").format(speed=speed_name(speed)),
                highlight=False,
            )
            continue
        console.print(_table(evaluation, speed))
        for part in (*_reliability(evaluation, speed), *_band_test(evaluation, speed)):
            console.print(part, highlight=False)
    console.print()
    console.print(_explanation(evaluation), highlight=False)


def _heading(evaluation: Evaluation) -> Text:
    whose = (
        _("players that the model was not fitted on")
        if evaluation.players == "held-out"
        else _("all players")
    )
    files = ", ".join(file.name for file in evaluation.files)
    games = counted(evaluation.player_games, "player-game")
    return Text(
        _("{model_name} on {games} of {whose}, from {files}").format(
            model_name=evaluation.model_name, games=games, whose=whose, files=files
        )
    )


# --- the table of one speed ----------------------------------------------------------------


def _table(evaluation: Evaluation, speed: str) -> Table:
    human = speed in evaluation.speeds_with_human_model
    how = _("with the human-move model") if human else _("by Stockfish's view alone")
    title = _("{speed}: {stated_coverage} ranges, {how}").format(
        speed=speed_name(speed), stated_coverage=coverage_text(evaluation.stated_coverage), how=how
    )
    table = Table(title=title, title_justify="left", box=SIMPLE, padding=(0, 0, 0, 1))
    table.add_column(_("steady ratings"), no_wrap=True)
    for column in (_("n"), _("players"), _("MAE"), _("bias"), _("R²"), _("covers"), _("width")):
        table.add_column(column, justify="right", no_wrap=True)
    for section in _sections(evaluation, speed):
        for row in section:
            table.add_row(*row)
        table.add_section()
    return table


def _sections(evaluation: Evaluation, speed: str) -> Iterator[Iterable[tuple[str, ...]]]:
    steady = _at(evaluation, speed, _SHOWN)
    whole = [figures for figures in steady if figures.about.band is None]
    yield (_row(_pool_name(f.about.games_per_pool), f, f.ranges) for f in whole)
    yield (
        _row(_("1 game, {name}").format(name=retold(name)), figures, figures.ranges)
        for selection, name in _SELECTION_NAMES.items()
        for figures in _at(evaluation, speed, selection)[:1]
    )
    yield _baselines(steady[0])
    yield from (_pairing_rows(found) for found in _paired(evaluation, speed))
    yield (
        _row(
            _("1 game, {low}–{high}").format(low=f.about.band[0], high=f.about.band[1] - 1),
            f,
            f.ranges,
        )
        for f in steady
        if f.about.band is not None and f.about.games_per_pool == 1
    )


def _at(evaluation: Evaluation, speed: str, selection: str) -> list[Figures]:
    """Those of whole selections and of bands, single games first."""
    return [
        figures
        for figures in evaluation.figures
        if (figures.about.speed, figures.about.selection) == (speed, selection)
        and figures.about.division is None
    ]


def _paired(evaluation: Evaluation, speed: str) -> list[PairingFigures]:
    wanted = (speed, _SHOWN)
    return [f for f in evaluation.with_pairing if (f.about.speed, f.about.selection) == wanted]


def _pairing_rows(found: PairingFigures) -> Iterator[tuple[str, ...]]:
    """The same games twice: those of which both sides were read."""
    name = _pool_name(found.about.games_per_pool)
    yield _row(_("{name}, both sides read").format(name=name), found, found.own_moves)
    yield _row(_("– with the pairing"), found, found.with_pairing)


def _pool_name(games: int) -> str:
    return _("1 game") if games == 1 else _("{games} games").format(games=games)


def _baselines(figures: Figures) -> Iterator[tuple[str, ...]]:
    """What else could have been said of the same single games."""
    found = figures.baselines
    yield _("constant guess"), "", "", _with_error(found.constant, 1)
    if found.acpl_formula is not None:
        yield "3100·e^(-0.01·ACPL)", "", "", _with_error(found.acpl_formula, 1)
    if found.acpl_line is not None:
        yield _("fitted line in ACPL"), "", "", _with_error(found.acpl_line, 1)
    if figures.without_human_model is not None:
        yield _row(_("Stockfish alone"), figures, figures.without_human_model)


def _row(name: str, figures: Figures | PairingFigures, ranges: RangeFigures) -> tuple[str, ...]:
    return (
        name,
        str(figures.pools),
        str(figures.players),
        _with_error(ranges.mae, 1),
        f"{ranges.bias.value:+.0f}",
        "–" if ranges.r_squared is None else decimal_text(ranges.r_squared.value, 2),
        _share(ranges.coverage, figures.pools),
        f"{ranges.mean_width.value:.0f}",
    )


def _share(share: Measured, of: int) -> str:
    """None or all of a few would seem to be known without error."""
    if share.value in (0, 1):
        return _("{value} of {of}").format(value=f"{share.value * of:.0f}", of=of)
    return _percent(share)


def _percent(share: Measured) -> str:
    return percentage(_with_error(share, 100))


def _with_error(measured: Measured, factor: float) -> str:
    value = f"{measured.value * factor:.0f}"
    if measured.standard_error is None:
        return value
    return f"{value} ± {measured.standard_error * factor:.0f}"


# --- what stands below it ------------------------------------------------------------------


def _reliability(evaluation: Evaluation, speed: str) -> Iterator[Text]:
    wanted = (speed, _SHOWN, 1)
    for found in evaluation.reliability:
        if (found.speed, found.selection, found.games_per_pool) == wanted:
            yield _plot(found)


def _plot(reliability: Reliability) -> Text:
    """A bar a level, and a stroke where it would end if the probabilities were true."""
    lines = [_("1 game: how often the rating lies below a quantile (┃: as often as stated)")]
    lines += [
        f"{level.level:4.0%} {_bar(level)} {_percent(level.below)}" for level in reliability.levels
    ]
    return Text("\n".join(lines))


def _bar(reached: LevelReached) -> str:
    cells = [
        "█" if cell < round(reached.below.value * _BAR_CHARACTERS) else "·"
        for cell in range(_BAR_CHARACTERS)
    ]
    cells[min(round(reached.level * _BAR_CHARACTERS), _BAR_CHARACTERS - 1)] = "┃"
    return "".join(cells)


def _band_test(evaluation: Evaluation, speed: str) -> Iterator[Text]:
    for test in evaluation.exact_band_of_eight:
        if test.speed == speed and test.exact is not None:
            yield _band_sentence(test, test.exact)


def _band_sentence(test: BandTest, exact: Measured) -> Text:
    low, high = test.bands[0].band[0], test.bands[-1].band[1]
    drawn = (
        _("{sides_per_draw} games, both players,").format(sides_per_draw=test.sides_per_draw // 2)
        if test.both_players
        else _("{sides_per_draw} player-games").format(sides_per_draw=test.sides_per_draw)
    )
    return Text(
        _(
            "{drawn} drawn from one 200-point band of {low}–{high}: the exact band of eight "
            "in {exact} of the draws"
        ).format(drawn=drawn, low=low, high=high, exact=_percent(exact))
    )


def _about_pairing(evaluation: Evaluation) -> tuple[str, ...]:
    if not evaluation.with_pairing:
        return ()
    return (
        _(
            "with the pairing: also from the opponents' moves, as rated games pair players "
            "of like strength; both sides read: by the human-move model, the same games from "
            "the own moves."
        ),
    )


def _explanation(evaluation: Evaluation) -> Text:
    lines = [
        _(
            "MAE: mean absolute difference of the range's median and the rating before the "
            "game; ± one standard error, by player."
        ),
        _("covers: how often the range held the rating; width: from its low to its high end."),
        _(
            "steady: without provisional ratings and those that moved by more than 15 "
            "points. constant guess: always the median rating."
        ),
        _("n games: consecutive games of one player. 25+ moves: own moves, in steady ratings."),
        *_about_pairing(evaluation),
        _("Everything else (periods, lengths, clocks, bands of pools) is in the output of --json."),
    ]
    lines += [
        _("left out: {count} {reason}").format(count=count, reason=retold(reason))
        for reason, count in evaluation.left_out
    ]
    return Text("\n".join(lines), style="dim")
