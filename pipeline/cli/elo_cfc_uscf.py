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
    from pipeline.elo.cfc import new_rating
    from reports.elo_federation_answers import cfc_answer

    own, played = rating_of(rating), games_of(games, source)
    high = None if highest is None else rating_of(highest, whose="--highest")
    found = new_rating(own, played, all_time_high=high, minutes_per_game=minutes)
    asked = {"games": played, "highest": high, "minutes": minutes}
    give("cfc", asked, found, cfc_answer(found, len(played)), as_json=as_json)


def uscf(
    rating: RatingArgument,
    games: GamesArgument = None,
    source: FromOption = None,
    prior_games: Annotated[
        int,
        typer.Option("--prior-games", metavar="N", help="Games rated before this event."),
    ] = 26,
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
    from pipeline.elo.uschess import bonus_threshold_on, new_rating, peak_floor
    from reports.elo_federation_answers import uscf_answer

    own, played, day = rating_of(rating), games_of(games, source), day_of(on)
    floor = None if peak is None else peak_floor(rating_of(peak, whose="--peak"))
    threshold = bonus_threshold_on(day)
    found = new_rating(own, played, prior_games=prior_games, bonus_threshold=threshold)
    answer = uscf_answer(found, len(played), bonus_threshold=threshold, floor=floor)
    asked = {"games": played, "on": day, "bonus_threshold": threshold, "floor": floor}
    give("uscf", asked, found, answer, as_json=as_json)
