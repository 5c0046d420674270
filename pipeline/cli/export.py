"""`movelo export`: a player's games, and what movelo found of them, for other programs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal

import typer

from config.language import _, ngettext, retold
from pipeline.cli.completion import completed_players
from pipeline.cli.options import (
    BudgetOption,
    CasualOption,
    EngineOption,
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
    from config.settings import Settings
    from pipeline.exporting import Telling, ToldGame
    from pipeline.records import Game, SetAside
    from pipeline.workshop import Workshop

ExportFormat = Literal["csv", "parquet", "ndjson", "pgn"]
What = Literal["games", "moves"]


def export(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="The player.", autocompletion=completed_players),
    ],
    format_name: Annotated[
        ExportFormat, typer.Option("--format", help="parquet needs the package pyarrow.")
    ],
    what: Annotated[
        What, typer.Option("--what", help="One row a game, or one row an evaluated move.")
    ] = "games",
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Where it is written, all of it or nothing; - is standard output (not for "
            "parquet). Without it: NAME-games.csv and the like, in the reports' folder.",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Take the games from this file instead of the store: Lichess's NDJSON or PGN, "
            "plain, .gz or .zst; - is standard input.",
        ),
    ] = None,
    speed: SpeedOption = None,
    last: LastOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    casual: CasualOption = None,
    search: Annotated[
        bool,
        typer.Option(
            "--engine-search/--no-engine",
            help="Have Stockfish evaluate what is not evaluated yet, or leave those games "
            "without accuracy, judgements and ranges; how many is said at the end.",
        ),
    ] = True,
    nodes: NodesOption = None,
    budget: BudgetOption = None,
    workers: WorkersOption = None,
    engine: EngineOption = None,
    with_pairing: WithPairingOption = False,
) -> None:
    """Write a player's games in the store, with what movelo finds of them, for other programs.

    It takes the games that a report takes, newest first, in the same way: the same settings
    choose them (--last 0 takes all), what is not evaluated yet is evaluated, and the numbers are
    the report's. Nothing is fetched: movelo report and movelo import bring games into the store.

    csv, parquet and ndjson have one row a game (own_… is the player, opponent_… the other side)
    or, with --what moves, one row an evaluated move, from the mover's point of view; percent is
    0 to 100, scores and coverage are 0 to 1, times are UTC. pandas reads them with read_csv,
    read_parquet and read_json(lines=True); read_csv takes a player called NaN, NA or null for a
    gap unless told keep_default_na=False. pgn has evaluations, clocks, judgements with the
    better move, and both sides' ranges as tags.

    Example: movelo export DrNykterstein --format csv --what moves --last 0 --out moves.csv
    """
    from config.settings import load_settings
    from pipeline.cli.workshop import workshop
    from pipeline.exporting import Telling, without_searches

    settings = load_settings()
    chosen_nodes = nodes_of(nodes, budget, settings.engine)
    selection = selection_of(
        name, settings.games, speed=speed, last=last, since=since, until=until, casual=casual
    )
    _check_format(format_name, what, out)
    file = _file(out, settings, selection.player, what, format_name)
    with (
        workshop(
            settings,
            nodes=chosen_nodes,
            workers=workers,
            engine=engine,
            with_pairing=with_pairing,
        ) as tools,
        _opened(file) as to,
    ):
        found = _found(source, selection.player, tools)
        telling = Telling(found, selection, tools if search else without_searches(tools))
        with closing(telling.games(with_evals=format_name == "pgn")) as games:
            first = next(games)  # or NoGames, before anything is written
            _write(chain([first], games), format_name, what, to)
    for line in _told(telling, _("standard output") if file is None else str(file)):
        typer.echo(line, err=True)


def _check_format(format_name: ExportFormat, what: What, out: str | None) -> None:
    """typer.BadParameter for what cannot be, before anything is computed."""
    from importlib.util import find_spec

    if format_name == "pgn" and what == "moves":
        raise typer.BadParameter(
            _("a PGN is of games, with all their moves: leave --what out."), param_hint="--what"
        )
    if format_name == "parquet" and out == "-":
        raise typer.BadParameter(
            _("parquet cannot go to standard output: name a file."), param_hint="--out"
        )
    if format_name == "parquet" and find_spec("pyarrow") is None:
        raise typer.BadParameter(
            _(
                "parquet needs the package pyarrow, which is not installed here: pip install "
                "pyarrow."
            ),
            param_hint="--format",
        )


def _file(
    out: str | None, settings: Settings, player: str, what: What, format_name: ExportFormat
) -> Path | None:
    """None for standard output."""
    from config.file_names import file_stem

    if out == "-":
        return None
    if out is not None:
        return Path(out)
    return Path(settings.report.folder) / f"{file_stem(player)}-{what}.{format_name}"


@contextmanager
def _opened(file: Path | None) -> Iterator[BinaryIO]:
    from pipeline.cli.whole_file import whole_file

    if file is None:
        yield sys.stdout.buffer
    else:
        with whole_file(file) as to:
            yield to


def _found(source: str | None, player: str, tools: Workshop) -> Iterable[Game | SetAside]:
    from config.errors import NoGames
    from pipeline.cli.files import games_in
    from pipeline.kept_games import games_kept_of

    if source is not None:
        return games_in(source, tools.progress)
    if not tools.store.count_games_of(player.casefold()):
        raise NoGames(
            _(
                "{place} keeps no games of {player}: bring them in with movelo report or "
                "movelo import, or name a file with --from."
            ).format(place=tools.store.place, player=player)
        )
    return games_kept_of(player, tools.store)


def _write(games: Iterable[ToldGame], format_name: ExportFormat, what: What, to: BinaryIO) -> None:
    from pipeline.tables import GAME_COLUMNS, MOVE_COLUMNS, game_row, move_rows
    from reports.to_tables import write_csv, write_ndjson, write_parquet

    if what == "games":
        columns, rows = GAME_COLUMNS, (game_row(told.report) for told in games)
    else:
        columns = MOVE_COLUMNS
        rows = (row for told in games for row in move_rows(told.report))
    match format_name:
        case "pgn":
            _write_pgn(games, to)
        case "csv":
            write_csv(rows, columns, to)
        case "ndjson":
            write_ndjson(rows, to)
        case "parquet":
            write_parquet(rows, columns, to)


def _write_pgn(games: Iterable[ToldGame], to: BinaryIO) -> None:
    from config.version import version
    from reports.to_pgn import game_to_pgn

    for told in games:
        text = game_to_pgn(
            told.report, told.game, told.replay, told.evals, movelo_version=version()
        )
        to.write(text.encode())


def _told(telling: Telling, where: str) -> Iterator[str]:
    """What was written, and what is not in it, in sentences."""
    yield ngettext(
        "{count} game written to {where}.", "{count} games written to {where}.", telling.told
    ).format(count=telling.told, where=where)
    for reason, count in _reasons(telling.left_out):
        yield ngettext(
            "Left out: {count} game ({reason}).", "Left out: {count} games ({reason}).", count
        ).format(count=count, reason=reason)
    for reason, count in _reasons(telling.faults):
        yield ngettext(
            "Written without all that movelo can find: {count} game ({reason}).",
            "Written without all that movelo can find: {count} games ({reason}).",
            count,
        ).format(count=count, reason=reason)
    yield from map(retold, telling.notes)


def _reasons(items: Iterable[SetAside]) -> Iterator[tuple[str, int]]:
    """Most frequent first."""
    for reason, count in Counter(item.reason for item in items).most_common():
        yield retold(reason.rstrip(".")), count
