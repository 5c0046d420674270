"""`movelo elo glicko1` and `glicko2`: ratings with a deviation; a Lichess history replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from config.language import _
from pipeline.cli.elo_options import (
    FromOption,
    GamesArgument,
    RatingArgument,
    give,
    lines_of,
    rating_of,
)
from pipeline.cli.options import JsonOption
from pipeline.elo import usual

if TYPE_CHECKING:
    from engines.evals import Color

OPPONENT_RD = typer.Option("--opponent-rd", metavar="RD", help="For opponents written without one.")
PerfOption = Annotated[
    str, typer.Option("--perf", metavar="PERF", help="bullet, blitz, rapid, classical, …")
]


def glicko1(
    rating: RatingArgument,
    deviation: Annotated[
        str, typer.Argument(metavar="RD", help="The rating deviation before the games.")
    ],
    games: GamesArgument = None,
    source: FromOption = None,
    opponent_rd: Annotated[float | None, OPPONENT_RD] = None,
    c: Annotated[
        float | None,
        typer.Option("--c", metavar="C", help="Growth of the deviation with time."),
    ] = None,
    periods: Annotated[
        float, typer.Option("--periods", metavar="N", help="Rating periods since the last game.")
    ] = 0.0,
    as_json: JsonOption = False,
) -> None:
    """Glicko-1, chess.com's family: all games as one rating period; opponents as 1400/30.

    Example: movelo elo glicko1 1500 200 1400/30:1 1550/100:0 1700/300:0
    """
    from pipeline.calculators.glicko import solve_glicko1

    found = solve_glicko1(
        rating=rating_of(rating),
        rd=rating_of(deviation, whose="RD"),
        games=lines_of(games, source),
        opponent_rd=opponent_rd,
        c=c,
        periods=periods,
    )
    give(found, as_json=as_json)


def glicko2(
    rating: Annotated[
        str | None, typer.Argument(metavar="RATING", help="The rating before the games.")
    ] = None,
    games: GamesArgument = None,
    source: FromOption = None,
    deviation: Annotated[
        float, typer.Option("--rd", metavar="RD", help="Your rating deviation.")
    ] = usual.DEVIATION,
    volatility: Annotated[
        float, typer.Option("--volatility", metavar="V", help="Your volatility.")
    ] = usual.VOLATILITY,
    opponent_rd: Annotated[float, OPPONENT_RD] = usual.DEVIATION,
    days: Annotated[
        float, typer.Option("--days", metavar="N", help="Days since your last game.")
    ] = 0.0,
    color: Annotated[
        str | None, typer.Option("--color", metavar="COLOR", help="Your colour: white or black.")
    ] = None,
    perf: PerfOption = "blitz",
    replayed: Annotated[
        str | None,
        typer.Option(
            "--replay",
            metavar="FILE",
            help="Recompute a whole history from this file (Lichess's NDJSON or PGN) instead.",
        ),
    ] = None,
    player: Annotated[
        str | None, typer.Option("--player", metavar="NAME", help="With --replay: whose history.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Rated Lichess games one after another, as Lichess counts them; or a history replayed.

    Example: movelo elo glicko2 1500 1520:1 1480/90:½ --rd 75 --color white

    With --replay games.ndjson --player NAME every recorded rating change is predicted.
    """
    if (replayed is None) != (player is None):
        raise typer.BadParameter(_("--replay FILE and --player NAME belong together."))
    if replayed is not None and player is not None:
        if rating is not None:
            raise typer.BadParameter(_("a replay takes neither a rating nor games."))
        _give_replay(player, replayed, perf, as_json=as_json)
        return
    if rating is None:
        raise typer.BadParameter(_("give a rating and games, or --replay."), param_hint="RATING")
    from pipeline.calculators.glicko import solve_glicko2

    found = solve_glicko2(
        rating=rating_of(rating),
        games=lines_of(games, source),
        rd=deviation,
        volatility=volatility,
        opponent_rd=opponent_rd,
        days=days,
        color=_color(color),
        perf=perf,
    )
    give(found, as_json=as_json)


def _give_replay(player: str, source: str, perf: str, *, as_json: bool) -> None:
    from dataclasses import replace

    from pipeline.calculators.calculator import Solution
    from pipeline.cli.elo_player import player_games
    from pipeline.elo.lichess_replay import replay
    from reports.elo_glicko_answers import replay_answer

    selected, notes = player_games(player, source, perf)
    found = replay(selected.games, perf=perf)
    answer = replay_answer(player, found, perf)
    answer = replace(answer, notes=(*answer.notes, *notes))
    asked = {"player": player, "perf": perf}
    solution = Solution(question="replay", asked=asked, record=found, answer=answer)
    give(solution, as_json=as_json)


def _color(text: str | None) -> Color | None:
    from engines.evals import COLORS

    for known in COLORS:
        if text == known:
            return known
    if text is None:
        return None
    raise typer.BadParameter(
        _("{text} is neither white nor black.").format(text=f"{text!r}"), param_hint="--color"
    )
