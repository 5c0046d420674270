"""`movelo elo target`: the score that a target rating takes, in any of the systems."""

from __future__ import annotations

from typing import Annotated

import typer

from config.language import _
from pipeline.calculators.systems import DATED_SYSTEMS, SYSTEMS
from pipeline.cli.elo_options import DateOption, RatingArgument, day_of, give, rating_of
from pipeline.cli.options import JsonOption, one_of
from pipeline.elo import usual


def target(
    rating: RatingArgument,
    wanted: Annotated[str, typer.Argument(metavar="TARGET", help="The rating to reach.")],
    opponents: Annotated[
        list[str], typer.Argument(metavar="OPPONENTS", help="The opponents' ratings.")
    ],
    times: Annotated[
        int, typer.Option("--times", min=1, max=1000, metavar="N", help="Games with each of them.")
    ] = 1,
    system: Annotated[
        str, typer.Option("--system", metavar="SYSTEM", help=f"One of {', '.join(SYSTEMS)}.")
    ] = "elo",
    k: Annotated[
        float, typer.Option("--k", metavar="K", help="For elo and fide: points a game is worth.")
    ] = usual.K,
    on: DateOption = None,
    prior_games: Annotated[
        int, typer.Option("--prior-games", metavar="N", help="For uscf: games rated before.")
    ] = usual.PRIOR_GAMES,
    perf: Annotated[
        str, typer.Option("--perf", metavar="PERF", help="For lichess: bullet, blitz, rapid, …")
    ] = "blitz",
    deviation: Annotated[
        float, typer.Option("--rd", metavar="RD", help="For lichess: everybody's deviation.")
    ] = usual.DEVIATION,
    as_json: JsonOption = False,
) -> None:
    """The score that takes a rating to a target, or that it cannot be reached.

    Example: movelo elo target 1900 1920 1850 1950 2000 --k 20

    Example: movelo elo target 1500 1550 1500 --times 20 --system lichess
    """
    from pipeline.calculators.target import solve_target

    one_of(system, SYSTEMS, "--system")
    found = solve_target(
        rating=rating_of(rating),
        target=rating_of(wanted, whose="TARGET"),
        opponents=[
            rating_of(text, whose=_("OPPONENTS, number {n}").format(n=n))
            for n, text in enumerate(opponents, 1)
        ],
        times=times,
        system=system,
        k=k,
        on=day_of(on if system in DATED_SYSTEMS else None),
        prior_games=prior_games,
        perf=perf,
        rd=deviation,
    )
    give(found, as_json=as_json)
