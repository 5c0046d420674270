"""`movelo elo performance` and `convert`: what results and ratings are worth."""

from __future__ import annotations

from typing import Annotated

import typer

from config.language import _
from pipeline.cli.elo_options import (
    FromOption,
    GamesArgument,
    games_of,
    give,
    rating_of,
)
from pipeline.cli.options import JsonOption
from pipeline.elo import usual

CoverageOption = Annotated[
    float,
    typer.Option("--coverage", min=1, max=99, metavar="PERCENT", help="What the range is to hold."),
]


def performance(
    games: GamesArgument = None,
    source: FromOption = None,
    rating: Annotated[
        str | None,
        typer.Option("--rating", metavar="RATING", help="Your own: adds expected score and luck."),
    ] = None,
    player: Annotated[
        str | None,
        typer.Option(
            "--player",
            metavar="NAME",
            help="With --from: the file holds whole games (PGN or NDJSON); take this player's.",
        ),
    ] = None,
    speed: Annotated[
        str, typer.Option("--speed", metavar="SPEED", help="With --player: blitz, rapid, …")
    ] = "blitz",
    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="GROUP", help="With --player: color, strength, opening or month."
        ),
    ] = None,
    coverage: CoverageOption = usual.COVERAGE_PERCENT,
    as_json: JsonOption = False,
) -> None:
    """Performance rating with its range, beside the older formulas.

    Example: movelo elo performance 1830:1 1914:1 1867:1 2255:0 1818:1 1990:1

    Example: movelo elo performance 1600:1 1550:½ 1650:0 --rating 1500 --coverage 90
    """
    if player is not None:
        from pipeline.cli.elo_player import give_player_results

        if source is None or games or rating is not None:
            raise typer.BadParameter(
                _("give the player's games with --from FILE, and neither games nor --rating."),
                param_hint="--player",
            )
        share = coverage / 100
        give_player_results(player, source, speed, by, coverage=share, as_json=as_json)
        return
    if by is not None:
        raise typer.BadParameter(_("groups need --from FILE and --player NAME."), param_hint="--by")
    from pipeline.calculators.performance import solve_performance

    found = solve_performance(
        games=games_of(games, source),
        rating=None if rating is None else rating_of(rating, whose="--rating"),
        coverage=coverage,
    )
    give(found, as_json=as_json)


def convert(
    rating: Annotated[str, typer.Argument(metavar="RATING", help="The rating to convert.")],
    from_scale: Annotated[str, typer.Argument(metavar="FROM", help="Such as chesscom_blitz.")],
    to_scale: Annotated[str, typer.Argument(metavar="TO", help="Such as lichess_blitz or fide.")],
    as_json: JsonOption = False,
) -> None:
    """A rating on another scale: a range, its source and date; nothing outside what is known.

    Scales: chesscom_blitz, chesscom_bullet, chesscom_rapid, lichess_bullet, lichess_blitz,
    lichess_rapid, lichess_classical, fide, uscf, cfc, cma, fqe.

    Example: movelo elo convert 1500 chesscom_blitz lichess_blitz
    """
    from pipeline.calculators.convert import solve_convert

    found = solve_convert(rating=rating_of(rating), from_scale=from_scale, to_scale=to_scale)
    give(found, as_json=as_json)
