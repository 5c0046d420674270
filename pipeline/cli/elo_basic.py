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
    step: Annotated[int, typer.Option("--step", metavar="N", help="Steps of the table.")] = 25,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="End of the table.")] = 800,
    as_json: JsonOption = False,
) -> None:
    """Expected score of one player against another; without ratings the whole table.

    Example: movelo elo expected 1500 1700

    Example: movelo elo expected --step 100 --limit 400
    """
    from pipeline.elo.expected import expected_score
    from pipeline.elo.logistic import expected_table
    from reports.elo_basic_answers import expected_answer, expected_table_answer

    if rating is None:
        rows = expected_table(step, limit)
        asked = {"step": step, "limit": limit}
        give("expected-table", asked, rows, expected_table_answer(rows), as_json=as_json)
        return
    if opponent is None:
        raise typer.BadParameter(_("give the opponent's rating too."), param_hint="OPPONENT")
    own, other = rating_of(rating), rating_of(opponent, whose="OPPONENT")
    found = expected_score(own, other)
    answer = expected_answer(own, other, found)
    record = {"expected_score": found, "opponent_expected_score": expected_score(other, own)}
    give("expected", {"rating": own, "opponent_rating": other}, record, answer, as_json=as_json)


def change(
    rating: RatingArgument,
    opponent: OpponentArgument,
    result: Annotated[
        str | None,
        typer.Argument(metavar="[RESULT]", help="1, ½ or 0; without it all three are shown."),
    ] = None,
    k: KOption = 20.0,
    opponent_k: Annotated[
        float | None,
        typer.Option("--opponent-k", metavar="K", help="The opponent's K, if it is another."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """What one game changes, for both players.

    Example: movelo elo change 1500 1700 1 --k 20
    """
    from pipeline.elo.game_list import parse_score
    from pipeline.elo.logistic import both_changes
    from reports.elo_basic_answers import change_answer

    own, other = rating_of(rating), rating_of(opponent, whose="OPPONENT")
    scores = (1.0, 0.5, 0.0) if result is None else (parse_score(result, where="RESULT"),)
    k_other = k if opponent_k is None else opponent_k
    changes = [(score, *both_changes(own, other, score, k, k_other)) for score in scores]
    record = [
        {
            "score": score,
            "change": mine,
            "rating_after": own + mine,
            "opponent_change": theirs,
            "opponent_rating_after": other + theirs,
        }
        for score, mine, theirs in changes
    ]
    asked = {"rating": own, "opponent_rating": other, "k": k, "opponent_k": k_other}
    give("change", asked, record, change_answer(own, other, changes), as_json=as_json)


def period(
    rating: RatingArgument,
    games: GamesArgument = None,
    source: FromOption = None,
    k: KOption = 20.0,
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
    from pipeline.elo import logistic
    from reports.elo_basic_answers import period_answer

    count = logistic.one_after_another if one_after_another else logistic.as_rating_period
    own = rating_of(rating)
    found = count(own, games_of(games, source), k, max_difference=cap)
    answer = period_answer(found, one_after_another=one_after_another)
    asked = {"k": k, "one_after_another": one_after_another, "max_difference": cap}
    give("period", asked, found, answer, as_json=as_json)
