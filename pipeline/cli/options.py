"""Options that several commands share, and what their texts mean."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar, cast, get_args

import typer

from config.choices import Budget, Format, Speed
from config.language import _
from pipeline.cli.completion import completed_formats, completed_speeds

if TYPE_CHECKING:
    from config.settings import EngineSettings, GameSettings
    from pipeline.selection import Selection

Word = TypeVar("Word", bound=str)

NodesOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--nodes", min=100, metavar="N", help="Stockfish nodes per position."),
]
BudgetOption: TypeAlias = Annotated[
    Budget | None,
    typer.Option("--budget", help="How long Stockfish thinks, in a word instead of --nodes."),
]
WorkersOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        max=1024,
        metavar="N",
        help="Engine processes at once; without it, one a core.",
    ),
]
EngineOption: TypeAlias = Annotated[
    Path | None, typer.Option("--engine", metavar="PATH", help="The UCI engine to use.")
]
ClusterOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Evaluate on the Dask cluster of this scheduler, tcp://HOST:8786, or local.",
    ),
]
SpeedOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--speed",
        metavar="SPEEDS",
        help="Only these speeds, such as blitz,rapid.",
        autocompletion=completed_speeds,
    ),
]
LastOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--last", min=0, metavar="N", help="The newest N games; 0 means all."),
]
SinceOption: TypeAlias = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="From this day on: 2026-01-31.")
]
UntilOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--until", metavar="DATE", help="Up to the end of this day: 2026-01-31."),
]
CasualOption: TypeAlias = Annotated[
    bool | None, typer.Option("--casual/--no-casual", help="Take in casual games too.")
]
WithPairingOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--with-pairing",
        help="Let the opponents' moves count too, as rated games pair players of like strength; "
        "needs the human-move model.",
    ),
]
JsonOption: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON on standard output, and nothing else there.")
]
OutOption: TypeAlias = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="Where reports are written.")
]
FormatsOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="FORMATS",
        help="What to make, such as terminal,html or pdf,json,csv.",
        autocompletion=completed_formats,
    ),
]


def nodes_of(nodes: int | None, budget: Budget | None, settings: EngineSettings) -> int:
    """Nodes per position: what --nodes or --budget says, else the settings.

    typer.BadParameter for both of them.
    """
    if nodes is not None and budget is not None:
        raise typer.BadParameter(
            _("give --nodes or --budget, not both: a budget is a number of nodes."),
            param_hint="--budget",
        )
    return nodes or (settings.budgets.nodes(budget) if budget else settings.nodes())


def selection_of(
    player: str,
    settings: GameSettings,
    *,
    speed: str | None,
    last: int | None,
    since: str | None,
    until: str | None,
    casual: bool | None,
) -> Selection:
    """What these options mean, and where they say nothing the settings."""
    from pipeline.selection import Selection

    return Selection(
        player=player.strip(),
        speeds=speeds_of(speed) if speed else settings.speeds,
        last=settings.last if last is None else last,
        since=start_of(since) if since else None,
        until=end_of(until) if until else None,
        casual=settings.casual if casual is None else casual,
    )


def speeds_of(text: str) -> tuple[Speed, ...]:
    """`blitz,rapid` as a tuple; typer.BadParameter for any other word."""
    return cast("tuple[Speed, ...]", _words(text, get_args(Speed), "--speed"))


def formats_of(text: str) -> tuple[Format, ...]:
    """`html,json` as a tuple; typer.BadParameter for any other word."""
    return cast("tuple[Format, ...]", _words(text, get_args(Format), "--format"))


def start_of(text: str) -> datetime:
    """The first moment of a day in local time, or the moment that is named; as UTC."""
    return _moment(text, "--since", at_day_s_end=False)


def end_of(text: str) -> datetime:
    """The last moment of a day in local time, or the moment that is named; as UTC."""
    return _moment(text, "--until", at_day_s_end=True)


def one_of(word: str, known: Iterable[Word], option: str) -> Word:
    """`word` as the one of `known` that it is; typer.BadParameter when it is none."""
    for one in known:
        if word == one:
            return one
    said = _("{word} is none of {known}.")
    raise typer.BadParameter(
        said.format(word=f"{word!r}", known=", ".join(known)), param_hint=option
    )


def _words(text: str, known: tuple[str, ...], option: str) -> tuple[str, ...]:
    words = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    if not words:
        said = _("name one at least of {known}.").format(known=", ".join(known))
        raise typer.BadParameter(said, param_hint=option)
    return tuple(one_of(word, known, option) for word in words)


def _moment(text: str, option: str, *, at_day_s_end: bool) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
        if at_day_s_end and len(text) <= len("2026-01-31") and moment.time() == time():
            moment += timedelta(days=1) - timedelta(milliseconds=1)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:  # beyond the years 1 to 9999, in UTC, too
        raise typer.BadParameter(
            _("{text} is no date: write it as 2026-01-31.").format(text=f"{text!r}"),
            param_hint=option,
        ) from error
