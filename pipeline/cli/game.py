"""`movelo game`: one game, both players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.language import _, ngettext, retold
from pipeline.cli.options import (
    BudgetOption,
    EngineOption,
    JsonOption,
    NodesOption,
    OutOption,
    WithPairingOption,
    WorkersOption,
    formats_of,
    nodes_of,
)

if TYPE_CHECKING:
    from config.choices import Format
    from config.settings import Settings
    from pipeline.progress import Progress
    from pipeline.records import Game
    from pipeline.workshop import Workshop


_LONGEST_SHOWN = 200


def game(
    which: Annotated[
        str,
        typer.Argument(
            metavar="URL|ID|FILE", help="A Lichess game's address or id, or a file with games."
        ),
    ],
    number: Annotated[
        int, typer.Option("--number", min=1, metavar="N", help="Which game of the file.")
    ] = 1,
    nodes: NodesOption = None,
    budget: BudgetOption = None,
    workers: WorkersOption = None,
    engine: EngineOption = None,
    with_pairing: WithPairingOption = False,
    out: OutOption = None,
    formats: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="FORMATS", help="Such as html,terminal; or pdf, json. [terminal]"
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Look at one game: both players' strength ranges, their accuracy, and every move.

    Example: movelo game https://lichess.org/q7ZvsdUF --format html
    """
    from config.settings import load_settings
    from pipeline.cli.output import write_game
    from pipeline.cli.workshop import workshop
    from pipeline.run import report_on_game

    settings = load_settings()
    chosen = _formats(formats, as_json=as_json)
    chosen_nodes = nodes_of(nodes, budget, settings.engine)
    with workshop(
        settings,
        nodes=chosen_nodes,
        workers=workers,
        engine=engine,
        with_pairing=with_pairing,
    ) as tools:
        found = _game_from(which, number, settings, tools)
        report = report_on_game(found, tools)
    write_game(report, folder=out or Path(settings.report.folder), formats=chosen, as_json=as_json)


def _formats(text: str | None, *, as_json: bool) -> tuple[Format, ...]:
    if text is None:
        return () if as_json else ("terminal",)
    chosen = formats_of(text)
    if "csv" in chosen:
        raise typer.BadParameter(
            _("one game is no table: take html, pdf, json or terminal."), param_hint="--format"
        )
    return chosen


def _game_from(which: str, number: int, settings: Settings, tools: Workshop) -> Game:
    from config.errors import InputError
    from pipeline.cli.lichess_client import lichess
    from pipeline.fetch.export import game_from_export
    from pipeline.fetch.lichess_names import game_id_of

    if which == "-" or _is_here(which):
        return _game_in_file(which, number, tools.progress)
    game_id = game_id_of(which)
    if game_id is None:
        raise InputError(
            _(
                "{which} is no file here, and neither a Lichess game's address nor its 8-letter id."
            ).format(which=which if len(which) <= _LONGEST_SHOWN else f"{which[:_LONGEST_SHOWN]}…")
        )
    record = lichess(settings.lichess, tools.progress, tools.store).game(game_id)
    return game_from_export(record, where=_("game {game_id} from Lichess").format(game_id=game_id))


def _is_here(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # longer than a path can be
        return False


def _game_in_file(path_or_dash: str, number: int, progress: Progress) -> Game:
    from config.errors import InputError
    from pipeline.cli.files import games_in
    from pipeline.records import SetAside

    count = 0
    for item in games_in(path_or_dash, progress):
        count += 1
        if count == number:
            if isinstance(item, SetAside):
                raise InputError(
                    _("{where}: {reason}.").format(
                        where=retold(item.where), reason=retold(item.reason)
                    )
                )
            return item
    raise InputError(
        ngettext(
            "{path_or_dash} has {count} game; there is no number {number}.",
            "{path_or_dash} has {count} games; there is no number {number}.",
            count,
        ).format(path_or_dash=path_or_dash, count=count, number=number)
    )
