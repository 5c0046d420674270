"""`movelo report`: one player, from games to report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.options import (
    BudgetOption,
    EngineOption,
    FormatsOption,
    JsonOption,
    NodesOption,
    OutOption,
    WithPairingOption,
    WorkersOption,
    end_of,
    formats_of,
    nodes_of,
    speeds_of,
    start_of,
)


def report(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A Lichess username.")],
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Read games from this file instead of Lichess: Lichess's NDJSON or PGN, plain, "
            ".gz or .zst; - is standard input.",
        ),
    ] = None,
    offline: Annotated[
        bool,
        typer.Option(
            "--offline", help="Ask Lichess for nothing: take what was fetched or imported before."
        ),
    ] = False,
    speed: Annotated[
        str | None, typer.Option("--speed", metavar="SPEEDS", help="Such as blitz,rapid.")
    ] = None,
    last: Annotated[
        int | None,
        typer.Option("--last", min=0, metavar="N", help="The newest N games; 0 means all."),
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="From this day on: 2026-01-31.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help="Up to the end of this day.")
    ] = None,
    casual: Annotated[
        bool | None, typer.Option("--casual/--no-casual", help="Take in casual games too.")
    ] = None,
    nodes: NodesOption = None,
    budget: BudgetOption = None,
    workers: WorkersOption = None,
    engine: EngineOption = None,
    out: OutOption = None,
    formats: FormatsOption = None,
    with_pairing: WithPairingOption = False,
    as_json: JsonOption = False,
) -> None:
    """Report on a player: what the results say, what the moves say, each with its uncertainty.

    Example: movelo report DrNykterstein --speed blitz --last 50
    """
    from config.settings import load_settings
    from pipeline.cli.lichess_client import lichess
    from pipeline.cli.output import write_report
    from pipeline.cli.workshop import workshop
    from pipeline.run import report_from_lichess, report_from_store, report_on
    from pipeline.selection import Selection

    settings = load_settings()
    chosen_nodes = nodes_of(nodes, budget, settings.engine)
    chosen = formats_of(formats) if formats else (() if as_json else settings.report.formats)
    selection = Selection(
        player=name.strip(),
        speeds=speeds_of(speed) if speed else settings.games.speeds,
        last=settings.games.last if last is None else last,
        since=start_of(since) if since else None,
        until=end_of(until) if until else None,
        casual=settings.games.casual if casual is None else casual,
    )
    with workshop(
        settings,
        nodes=chosen_nodes,
        workers=workers,
        engine=engine,
        with_pairing=with_pairing,
    ) as tools:
        if source is None and offline:
            found = report_from_store(selection, tools)
        elif source is None:
            client = lichess(settings.lichess, tools.progress, tools.store)
            found = report_from_lichess(selection, client, tools)
        else:
            from pipeline.cli.files import games_in

            found = report_on(games_in(source, tools.progress), selection, tools)
    write_report(found, folder=out or Path(settings.report.folder), formats=chosen, as_json=as_json)
