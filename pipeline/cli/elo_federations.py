"""`movelo elo fide`, `fide-first`, `cma` and `fqe`: federations' rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.elo_options import (
    DateOption,
    FromOption,
    GamesArgument,
    RatingArgument,
    day_of,
    games_of,
    give,
    rating_of,
)
from pipeline.cli.options import JsonOption, one_of

if TYPE_CHECKING:
    from pipeline.elo.fide import TimeControl

ControlOption = Annotated[
    str, typer.Option("--control", metavar="LIST", help="standard, rapid or blitz.")
]


def fide(
    rating: RatingArgument,
    games: GamesArgument = None,
    source: FromOption = None,
    on: DateOption = None,
    control: ControlOption = "standard",
    k: Annotated[
        int | None, typer.Option("--k", metavar="K", help="40, 20 or 10; else by the rules.")
    ] = None,
    born: Annotated[
        int | None, typer.Option("--born", metavar="YEAR", help="The year of birth, for K.")
    ] = None,
    highest: Annotated[
        str | None,
        typer.Option("--highest", metavar="RATING", help="The highest published rating, for K."),
    ] = None,
    games_played: Annotated[
        int | None,
        typer.Option("--games-played", metavar="N", help="Games rated before, for K."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """One FIDE rating period: tables, K, the rules of 400 and of 700, rounding, by date.

    Example: movelo elo fide 1900 1850:1 2010:½ 2400:0 --on 2025-11-01

    Example: movelo elo fide 1650 1700:1 1500:1 --born 2010 --control rapid --on 2025-11-01
    """
    from pipeline.calculators.fide import solve_fide

    found = solve_fide(
        rating=rating_of(rating),
        on=day_of(on),
        control=_list(control),
        k=k,
        born=born,
        highest=None if highest is None else rating_of(highest, whose="--highest"),
        games_played=games_played,
        games=games_of(games, source),
    )
    give(found, as_json=as_json)


def fide_first(
    games: GamesArgument = None,
    source: FromOption = None,
    on: DateOption = None,
    as_json: JsonOption = False,
) -> None:
    """A first FIDE rating, from games against rated opponents.

    Example: movelo elo fide-first 1900:1 1850:½ 1700:1 2000:0 1650:1 --on 2025-11-01
    """
    from pipeline.calculators.fide import solve_fide_first

    give(solve_fide_first(on=day_of(on), games=games_of(games, source)), as_json=as_json)


def cma(
    rating: RatingArgument,
    games: GamesArgument = None,
    source: FromOption = None,
    as_json: JsonOption = False,
) -> None:
    """One event of the Association Échecs et Maths (Chess'n Math), in its parts.

    Example: movelo elo cma 600 575:1 600:1 625:0 650:1 675:½
    """
    from pipeline.calculators.federations import solve_cma

    found = solve_cma(rating=rating_of(rating), games=games_of(games, source))
    give(found, as_json=as_json)


def fqe(as_json: JsonOption = False) -> None:
    """What is known about the FQE's ratings; its formula is not public.

    Example: movelo elo fqe
    """
    from pipeline.calculators.federations import solve_fqe

    give(solve_fqe(), as_json=as_json)


def _list(control: str) -> TimeControl:
    from pipeline.elo.fide import TIME_CONTROLS

    return one_of(control, TIME_CONTROLS, "--control")
