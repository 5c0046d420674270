"""`movelo report`: one player, from games to report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.completion import completed_players
from pipeline.cli.options import (
    BudgetOption,
    CasualOption,
    ClusterOption,
    EngineOption,
    FormatsOption,
    JsonOption,
    LastOption,
    NodesOption,
    OutOption,
    SinceOption,
    SpeedOption,
    UntilOption,
    WithPairingOption,
    WorkersOption,
    formats_of,
    nodes_of,
    selection_of,
)


def report(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="A Lichess username.", autocompletion=completed_players
        ),
    ],
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
    speed: SpeedOption = None,
    last: LastOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    casual: CasualOption = None,
    nodes: NodesOption = None,
    budget: BudgetOption = None,
    workers: WorkersOption = None,
    engine: EngineOption = None,
    cluster: ClusterOption = None,
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

    settings = load_settings()
    chosen_nodes = nodes_of(nodes, budget, settings.engine)
    chosen = formats_of(formats) if formats else (() if as_json else settings.report.formats)
    selection = selection_of(
        name, settings.games, speed=speed, last=last, since=since, until=until, casual=casual
    )
    with workshop(
        settings,
        nodes=chosen_nodes,
        workers=workers,
        engine=engine,
        with_pairing=with_pairing,
        cluster=cluster,
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
