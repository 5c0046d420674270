"""`movelo elo fide`, `fide-first`, `cma` and `fqe`: federations' rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from config.language import _
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

if TYPE_CHECKING:
    from pipeline.elo.fide import TimeControl

EXPERIENCED = 30
"""Rated games from which a player's K no longer depends on their number."""
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
    from pipeline.elo import fide as rules_of_fide
    from reports.elo_federation_answers import fide_answer

    own, day = rating_of(rating), day_of(on)
    rules = rules_of_fide.rules_on(day)
    listed = _list(control)
    by_rules = rules_of_fide.k_factor(
        rating=own,
        highest_published_rating=None if highest is None else rating_of(highest, whose="--highest"),
        games_played=EXPERIENCED if games_played is None else games_played,
        birth_year=born,
        on=day,
        control=listed,
    )
    used_k = by_rules if k is None else k
    event = games_of(games, source)
    found = rules_of_fide.period_change(own, [event], k=used_k, rules=rules, control=listed)
    supposed = k is None and games_played is None
    answer = fide_answer(found, rules=rules, control=listed, supposed_experienced=supposed)
    asked = {"on": day, "control": listed, "k": k, "born": born, "games_played": games_played}
    give("fide", asked, found, answer, as_json=as_json)


def fide_first(
    games: GamesArgument = None,
    source: FromOption = None,
    on: DateOption = None,
    as_json: JsonOption = False,
) -> None:
    """A first FIDE rating, from games against rated opponents.

    Example: movelo elo fide-first 1900:1 1850:½ 1700:1 2000:0 1650:1 --on 2025-11-01
    """
    from pipeline.elo.fide import first_rating, rules_on
    from pipeline.elo.played import total_score
    from reports.elo_federation_answers import fide_first_answer

    day = day_of(on)
    rules, played = rules_on(day), games_of(games, source)
    opponents = [game.opponent_rating for game in played]
    found = first_rating(opponents, total_score(played), rules)
    answer = fide_first_answer(found, rules)
    give("fide-first", {"on": day}, found, answer, as_json=as_json)


def cma(
    rating: RatingArgument,
    games: GamesArgument = None,
    source: FromOption = None,
    as_json: JsonOption = False,
) -> None:
    """One event of the Association Échecs et Maths (Chess'n Math), in its parts.

    Example: movelo elo cma 600 575:1 600:1 625:0 650:1 675:½
    """
    from pipeline.elo.echecs_maths import new_rating
    from reports.elo_federation_answers import cma_answer

    own, played = rating_of(rating), games_of(games, source)
    found = new_rating(own, played)
    give("cma", {"games": played}, found, cma_answer(found, len(played)), as_json=as_json)


def fqe(as_json: JsonOption = False) -> None:
    """What is known about the FQE's ratings; its formula is not public.

    Example: movelo elo fqe
    """
    from pipeline.elo.fqe import FORMULA_NOT_PUBLIC
    from pipeline.records import NoEstimate
    from reports.elo_federation_answers import fqe_answer

    give("fqe", {}, NoEstimate(reason=FORMULA_NOT_PUBLIC), fqe_answer(), as_json=as_json)


def _list(control: str) -> TimeControl:
    from pipeline.elo.fide import TIME_CONTROLS

    for known in TIME_CONTROLS:
        if control == known:
            return known
    known_lists = ", ".join(TIME_CONTROLS)
    raise typer.BadParameter(
        _("{control} is none of {known_lists}.").format(
            control=f"{control!r}", known_lists=known_lists
        ),
        param_hint="--control",
    )
