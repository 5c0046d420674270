"""`movelo batch`: many players, from games to reports, and what became of each."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.language import _
from pipeline.cli.options import (
    BudgetOption,
    CasualOption,
    ClusterOption,
    EngineOption,
    JsonOption,
    LastOption,
    NodesOption,
    SinceOption,
    SpeedOption,
    UntilOption,
    WithPairingOption,
    WorkersOption,
    nodes_of,
    selection_of,
)

if TYPE_CHECKING:
    from pipeline.batch.fetching import OpenFetcher
    from pipeline.batch.folder import BatchFolder
    from pipeline.batch.lease import HeldLease
    from pipeline.batch.order import BatchOrder
    from pipeline.batch.side_by_side import Elsewhere
    from pipeline.batch.tally import Tally
    from pipeline.cli.batch_players import Players
    from pipeline.workshop import Workshop


def batch(
    names: Annotated[
        str | None,
        typer.Argument(
            metavar="NAMES.txt",
            help="A file with one Lichess username a line, # for remarks; - is standard input.",
        ),
    ] = None,
    team: Annotated[
        str | None, typer.Option("--team", metavar="TEAM", help="All members of a Lichess team.")
    ] = None,
    arena: Annotated[
        str | None,
        typer.Option("--arena", metavar="ID", help="All who played in a Lichess arena."),
    ] = None,
    dump: Annotated[
        Path | None,
        typer.Option(
            "--dump",
            metavar="FILE",
            help="Games from this file alone (a Lichess database dump, any PGN or NDJSON, plain, "
            ".gz or .zst), and everybody in it, unless NAMES.txt says whom. Lichess isn't asked.",
        ),
    ] = None,
    min_games: Annotated[
        int,
        typer.Option(
            "--min-games", min=1, metavar="N", help="With --dump: who has so many games in it."
        ),
    ] = 1,
    offline: Annotated[
        bool,
        typer.Option("--offline", help="Ask Lichess for no games: take those in the store."),
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
    with_pairing: WithPairingOption = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="The batch's folder.")
    ] = None,
    formats: Annotated[
        str | None,
        typer.Option("--format", metavar="FORMATS", help="Of each report: html,json,csv or none."),
    ] = None,
    tables: Annotated[
        bool,
        typer.Option(
            "--tables/--no-tables",
            help="Write the games of all as partitioned Parquet; needs the package pyarrow.",
        ),
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Report on many players: fetch, analyse, estimate, and say what became of each.

    It may be stopped at any moment and started again: it continues there, and where nothing is
    new it does nothing. One player or game that fails does not stop the others.

    In the folder lie index.html (all players, to sort), reports/, games/ (Parquet by speed and
    month), summary.json (this run), summary.ndjson and summary.parquet (all players), and
    alerts.ndjson (whose two views parted, or moved). The exit code is 0 when all went well, 3
    when some players failed, 1 when all did or nothing could be begun.

    Example: movelo batch --team lichess-swiss --speed blitz --last 200 --out club
    """
    from config.settings import load_settings
    from pipeline.batch.patience import patient
    from pipeline.cli.batch_players import Sources, players_of
    from pipeline.cli.batch_processes import report_processes
    from pipeline.cli.batch_tools import alone, batch_order, open_fetcher, saying
    from pipeline.cli.workshop import workshop

    settings = load_settings()
    chosen_nodes = nodes_of(nodes, budget, settings.engine)
    chosen_formats = _formats_of(formats)
    sources = Sources(names=names, team=team, arena=arena, dump=dump, min_games=min_games)
    sources.check()
    _check_tables(tables)
    selection = selection_of(
        "", settings.games, speed=speed, last=last, since=since, until=until, casual=casual
    )
    with (
        workshop(
            settings,
            nodes=chosen_nodes,
            workers=workers,
            engine=engine,
            with_pairing=with_pairing,
            cluster=cluster,
        ) as tools,
        alone(out or Path(settings.batch.folder), tools.store) as (folder, lease),
    ):
        players = patient(
            lambda: players_of(sources, settings, tools, folder, selection),
            sleep=time.sleep,
            say=saying(tools.progress),
        )
        order = batch_order(settings, tools, selection, chosen_formats, with_tables=tables)
        asks = dump is None and not offline
        fetcher = open_fetcher(settings, tools.progress) if asks else None
        beside = report_processes(
            settings, folder, order, nodes=chosen_nodes, workers=workers, with_pairing=with_pairing
        )
        with beside as elsewhere:
            tally = _run(players, folder, order, tools, fetcher, lease, elsewhere)
    _tell(tally, folder, as_json=as_json)
    if tally.exit_code:
        raise typer.Exit(tally.exit_code)


def _run(
    players: Players,
    folder: BatchFolder,
    order: BatchOrder,
    tools: Workshop,
    fetcher: OpenFetcher | None,
    lease: HeldLease,
    elsewhere: Elsewhere | None,
) -> Tally:
    from pipeline.batch.books import write_books
    from pipeline.batch.patience import patient
    from pipeline.batch.run import run_batch
    from pipeline.cli.batch_tools import saying, utc_now
    from pipeline.cli.output import local_zone
    from pipeline.cli.whole_file import whole_file

    tally = run_batch(
        players.names,
        folder,
        order,
        tools,
        open_fetcher=fetcher,
        lease=lease,
        open_whole=whole_file,
        clock=utc_now,
        sleep=time.sleep,
        elsewhere=elsewhere,
    )

    def write() -> None:
        write_books(
            folder,
            tools.store,
            tally,
            title=players.title,
            with_tables=order.with_tables,
            has_pages="html" in order.formats,
            open_whole=whole_file,
            zone=local_zone(),
        )

    patient(write, sleep=time.sleep, say=saying(tools.progress))
    return tally


def _tell(tally: Tally, folder: BatchFolder, *, as_json: bool) -> None:
    from rich.console import Console

    from pipeline.batch.folder import INDEX
    from reports.batch_json import run_json
    from reports.terminal_batch import render_batch

    if as_json:
        sys.stdout.write(run_json(tally.account()))
        return
    render_batch(tally.account(), Console())
    typer.echo(_("All players: {file}").format(file=folder.path / INDEX), err=True)


def _formats_of(text: str | None) -> tuple[str, ...]:
    known = ("html", "json", "csv")
    if text is None:
        return ("html",)
    if text.strip() == "none":
        return ()
    words = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    unknown = [word for word in words if word not in known]
    if unknown or not words:
        raise typer.BadParameter(
            _("{word} is none of {known}.").format(
                word=f"{(unknown or [text])[0]!r}", known=", ".join((*known, "none"))
            ),
            param_hint="--format",
        )
    return words


def _check_tables(wanted: bool) -> None:
    from importlib.util import find_spec

    if wanted and find_spec("pyarrow") is None:
        raise typer.BadParameter(
            _(
                "the tables of games need the package pyarrow, which is not installed here: pip "
                "install pyarrow, or leave them out with --no-tables."
            ),
            param_hint="--tables",
        )
