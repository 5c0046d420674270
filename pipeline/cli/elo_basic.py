"""`movelo elo expected`, `change` and `period`: Elo's own arithmetic with any K."""

from __future__ import annotations

from typing import Annotated

import typer

from config.language import _
from pipeline.cli.elo_options import (
    FromOption,
    GamesArgument,
    RatingArgument,
    games_of,
    give,
    rating_of,
)
from pipeline.cli.options import JsonOption
from pipeline.elo import usual

KOption = Annotated[
    float, typer.Option("--k", metavar="K", help="Points that a whole game is worth.")
]
CapOption = Annotated[
    float | None,
    typer.Option("--cap", metavar="POINTS", help="A larger difference counts as this one."),
]
OpponentArgument = Annotated[
    str, typer.Argument(metavar="OPPONENT", help="The opponent's rating before the game.")
]


def expected(
    rating: Annotated[str | None, typer.Argument(metavar="RATING", help="Your rating.")] = None,
    opponent: Annotated[
        str | None, typer.Argument(metavar="OPPONENT", help="The opponent's rating.")
    ] = None,
    step: Annotated[
        int, typer.Option("--step", metavar="N", help="Steps of the table.")
    ] = usual.TABLE_STEP,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", help="End of the table.")
    ] = usual.TABLE_END,
    as_json: JsonOption = False,
) -> None:
    """Expected score of one player against another; without ratings the whole table.

    Example: movelo elo expected 1500 1700

    Example: movelo elo expected --step 100 --limit 400
    """
    from pipeline.calculators.basic import solve_expected

    own = other = None
    if rating is not None:
        if opponent is None:
            raise typer.BadParameter(_("give the opponent's rating too."), param_hint="OPPONENT")
        own, other = rating_of(rating), rating_of(opponent, whose="OPPONENT")
    found = solve_expected(rating=own, opponent=other, step=step, limit=limit)
    give(found, as_json=as_json)


def change(
    rating: RatingArgument,
    opponent: OpponentArgument,
    result: Annotated[
        str | None,
        typer.Argument(metavar="[RESULT]", help="1, ½ or 0; without it all three are shown."),
    ] = None,
    k: KOption = usual.K,
    opponent_k: Annotated[
        float | None,
        typer.Option("--opponent-k", metavar="K", help="The opponent's K, if it is another."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """What one game changes, for both players.

    Example: movelo elo change 1500 1700 1 --k 20
    """
    from pipeline.calculators.basic import solve_change
    from pipeline.elo.game_list import parse_score

    found = solve_change(
        rating=rating_of(rating),
        opponent=rating_of(opponent, whose="OPPONENT"),
        score=None if result is None else parse_score(result, where="RESULT"),
        k=k,
        opponent_k=opponent_k,
    )
    give(found, as_json=as_json)


def period(
    rating: RatingArgument,
    games: GamesArgument = None,
    source: FromOption = None,
    k: KOption = usual.K,
    one_after_another: Annotated[
        bool,
        typer.Option(
            "--one-after-another",
            help="Count each game from the rating that the one before it left.",
        ),
    ] = False,
    cap: CapOption = None,
    as_json: JsonOption = False,
) -> None:
    """What a list of games changes: as one rating period, or one game after another.

    Example: movelo elo period 1500 1400:1 1600:½ 1550:0 --k 20

    Example: movelo elo period 1500 "1400 1" "1600 =" --one-after-another
    """
    from pipeline.calculators.basic import solve_period

    found = solve_period(
        rating=rating_of(rating),
        games=games_of(games, source),
        k=k,
        one_after_another=one_after_another,
        cap=cap,
    )
    give(found, as_json=as_json)
