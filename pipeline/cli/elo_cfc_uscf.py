"""`movelo elo cfc` and `uscf`: the federations of Canada and of the United States."""

from __future__ import annotations

from typing import Annotated

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
from pipeline.cli.options import JsonOption
from pipeline.elo import usual


def cfc(
    rating: RatingArgument,
    games: GamesArgument = None,
    source: FromOption = None,
    highest: Annotated[
        str | None,
        typer.Option("--highest", metavar="RATING", help="Your all-time high, if above RATING."),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option("--minutes", metavar="N", help="Thinking time in quick chess, a player."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """One event rated by the Chess Federation of Canada, with its bonuses.

    Example: movelo elo cfc 1600 1700:1 1650:1 1500:1 1800:½ --highest 1680
    """
    from pipeline.calculators.federations import solve_cfc

    found = solve_cfc(
        rating=rating_of(rating),
        games=games_of(games, source),
        highest=None if highest is None else rating_of(highest, whose="--highest"),
        minutes=minutes,
    )
    give(found, as_json=as_json)


def uscf(
    rating: RatingArgument,
    games: GamesArgument = None,
    source: FromOption = None,
    prior_games: Annotated[
        int,
        typer.Option("--prior-games", metavar="N", help="Games rated before this event."),
    ] = usual.PRIOR_GAMES,
    on: DateOption = None,
    peak: Annotated[
        str | None,
        typer.Option("--peak", metavar="RATING", help="The highest established rating: a floor."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """One event rated by US Chess: formula for few or many games, bonus, floor.

    Example: movelo elo uscf 1500 1400:1 1550:0 1650:½ --prior-games 6 --on 2025-11-01

    Example: movelo elo uscf 1850 1900:1 2000:1 1700:1 1950:½ --prior-games 60 --on 2025-11-01
    """
    from pipeline.calculators.federations import solve_uscf

    found = solve_uscf(
        rating=rating_of(rating),
        games=games_of(games, source),
        prior_games=prior_games,
        on=day_of(on),
        peak=None if peak is None else rating_of(peak, whose="--peak"),
    )
    give(found, as_json=as_json)
