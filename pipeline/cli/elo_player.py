"""One player's games from a file, for the `movelo elo` commands that take whole games."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import typer

from config.language import _, retold
from pipeline.cli.elo_options import give
from pipeline.cli.options import one_of

if TYPE_CHECKING:
    from engines.evals import Color
    from pipeline.elo.result_groups import Grouping
    from pipeline.records import Game
    from pipeline.selection import SelectedGames


def give_player_results(
    player: str, source: str, speed: str, by: str | None, *, coverage: float, as_json: bool
) -> None:
    """What the player's rated games at one speed say, in all and by group."""
    from dataclasses import replace

    from pipeline.calculators.calculator import Solution
    from pipeline.cli.output import local_zone
    from pipeline.elo.result_groups import result_groups
    from pipeline.elo.results import estimate_results
    from pipeline.report import in_totals, scale_of
    from reports.elo_view_answers import player_answer

    grouping = _grouping(by)
    selected, notes = player_games(player, source, speed)
    games: list[tuple[Game, Color]] = [
        (game, color) for game, color in selected.games if in_totals(game, speed)
    ]
    scale = scale_of(speed)
    found = estimate_results(games, scale=scale, coverage=coverage)
    groups = (
        result_groups(games, grouping, scale=scale, coverage=coverage, zone=local_zone())
        if grouping
        else ()
    )
    answer = player_answer(player, scale, found, groups)
    answer = replace(answer, notes=(*answer.notes, *notes))
    record = {"result": found, "groups": groups, "set_aside": selected.set_aside}
    asked = {"player": player, "speed": speed, "by": grouping, "coverage": coverage}
    solution = Solution(question="performance", asked=asked, record=record, answer=answer)
    give(solution, as_json=as_json)


def player_games(player: str, source: str, speed: str) -> tuple[SelectedGames, list[str]]:
    """The player's rated games at `speed`, newest first, and sentences on what was left out.

    Raises NoGames when nothing is left, UnreadableFile when there is nothing to read.
    """
    from rich.console import Console

    from config.errors import NoGames
    from pipeline.cli.files import games_in
    from pipeline.cli.options import speeds_of
    from pipeline.cli.progress import TerminalProgress
    from pipeline.leftovers import notes_on, nothing_left
    from pipeline.selection import Selection, select

    speeds = speeds_of(speed)
    if len(speeds) > 1:
        raise typer.BadParameter(_("one speed at a time: each has a scale of its own."))
    selection = Selection(player=player.strip(), speeds=speeds)
    with TerminalProgress(Console(stderr=True)) as progress:
        selected = select(games_in(source, progress), selection)
    if not selected.games:
        raise NoGames(nothing_left(selection, selected, selected.set_aside))
    notes = list(notes_on(selection, selected))
    if selected.set_aside:
        for item in selected.set_aside[:5]:
            said = _("Set aside: {where}: {reason}").format(
                where=retold(item.where), reason=retold(item.reason)
            )
            typer.echo(said, err=True)
        notes.append(
            _("{number} games were set aside (the JSON names them all).").format(
                number=len(selected.set_aside)
            )
        )
    return selected, notes


def _grouping(by: str | None) -> Grouping | None:
    from pipeline.elo.result_groups import Grouping

    if by is None:
        return None
    known: tuple[Grouping, ...] = get_args(Grouping)
    return one_of(by, known, "--by")
