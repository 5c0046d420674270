"""`movelo elo target`: the score that a target rating takes, in any of the systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from config.language import _
from pipeline.cli.elo_options import DateOption, RatingArgument, day_of, give, rating_of
from pipeline.cli.options import JsonOption

if TYPE_CHECKING:
    from pipeline.elo.what_if import RatingAfter

SYSTEMS = ("elo", "fide", "cma", "cfc", "uscf", "lichess")


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
    ] = 20.0,
    on: DateOption = None,
    prior_games: Annotated[
        int, typer.Option("--prior-games", metavar="N", help="For uscf: games rated before.")
    ] = 26,
    perf: Annotated[
        str, typer.Option("--perf", metavar="PERF", help="For lichess: bullet, blitz, rapid, …")
    ] = "blitz",
    deviation: Annotated[
        float, typer.Option("--rd", metavar="RD", help="For lichess: everybody's deviation.")
    ] = 60.0,
    as_json: JsonOption = False,
) -> None:
    """The score that takes a rating to a target, or that it cannot be reached.

    Example: movelo elo target 1900 1920 1850 1950 2000 --k 20

    Example: movelo elo target 1500 1550 1500 --times 20 --system lichess
    """
    from pipeline.elo import rating_after
    from pipeline.elo.what_if import score_needed
    from reports.elo_view_answers import target_answer

    if system not in SYSTEMS:
        raise typer.BadParameter(
            _("{system} is none of {systems}.").format(
                system=f"{system!r}", systems=", ".join(SYSTEMS)
            ),
            param_hint="--system",
        )
    own, goal = rating_of(rating), rating_of(wanted, whose="TARGET")
    met = [
        rating_of(text, whose=_("OPPONENTS, number {n}").format(n=n))
        for n, text in enumerate(opponents, 1)
    ]
    all_met = [opponent for _ in range(times) for opponent in met]
    makers: dict[str, Callable[[], RatingAfter]] = {
        "elo": lambda: rating_after.elo(own, k=k),
        "fide": lambda: rating_after.fide(own, k=k, on=day_of(on)),
        "cma": lambda: rating_after.cma(own),
        "cfc": lambda: rating_after.cfc(own),
        "uscf": lambda: rating_after.uscf(own, prior_games=prior_games, on=day_of(on)),
        "lichess": lambda: rating_after.lichess(own, deviation=deviation, perf=perf),
    }
    after = makers[system]()
    found = score_needed(all_met, goal, after)
    answer = target_answer(found, system=system, rating=own, games=len(all_met))
    asked = {"rating": own, "target": goal, "system": system, "opponents": all_met, "k": k}
    give("target", asked, found, answer, as_json=as_json)
