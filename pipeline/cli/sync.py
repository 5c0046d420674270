"""`movelo sync`: games from Lichess into the store."""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from config.choices import Speed
from config.language import _
from pipeline.cli.completion import completed_players
from pipeline.cli.options import (
    CasualOption,
    JsonOption,
    SinceOption,
    SpeedOption,
    UntilOption,
    end_of,
    speeds_of,
    start_of,
)

if TYPE_CHECKING:
    from pipeline.cli.sync_progress import SyncProgress
    from pipeline.fetch.account import Account
    from pipeline.fetch.lichess import Lichess
    from pipeline.fetched import Fetched
    from pipeline.selection import Selection
    from pipeline.store import Store
    from pipeline.sync import Record

_CORRESPONDENCE = "correspondence"
_CORRESPONDENCE_STILL_PLAYED = timedelta(days=28)


def sync(
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME", help="Lichess usernames.", autocompletion=completed_players),
    ],
    speed: SpeedOption = None,
    all_speeds: Annotated[bool, typer.Option("--all-speeds", help="Every speed there is.")] = False,
    casual: CasualOption = None,
    since: SinceOption = None,
    until: UntilOption = None,
    last: Annotated[
        int, typer.Option("--last", min=0, metavar="N", help="The newest N games; 0 means all.")
    ] = 0,
    as_json: JsonOption = False,
) -> None:
    """Fetch players' games from Lichess into the store: only those that are not there yet.

    It may be stopped at any moment and started again. Lichess sends a player's games of every
    speed and kind, and all are kept; the options say which of them are counted, and which --last
    means. LICHESS_TOKEN may hold an access token, with which Lichess sends faster. The exit code
    is not 0 if the games of any player could not all be fetched.

    Example: movelo sync DrNykterstein --speed blitz,rapid
    """
    from rich.console import Console

    from config.settings import load_settings
    from pipeline.cli.lichess_client import lichess
    from pipeline.cli.storage import open_store
    from pipeline.cli.sync_progress import SyncProgress
    from pipeline.selection import Selection
    from reports.terminal_sync import render_sync

    settings = load_settings()
    speeds = _speeds(speed, all_speeds=all_speeds) or settings.games.speeds
    selections = [
        Selection(
            player=name,
            speeds=speeds,
            last=last,
            since=start_of(since) if since else None,
            until=end_of(until) if until else None,
            casual=settings.games.casual if casual is None else casual,
        )
        for name in {name.strip().casefold(): name.strip() for name in names}.values()
    ]
    with open_store(settings) as store, SyncProgress(Console(stderr=True)) as progress:
        client = lichess(settings.lichess, progress, store, sleep=progress.sleep)
        fetched = [_fetched(one, client, store, progress) for one in selections]
    if as_json:
        sys.stdout.write(json.dumps({"players": [_as_record(one) for one in fetched]}) + "\n")
    else:
        render_sync(fetched, Console())
    if any(one.error is not None for one in fetched):
        raise typer.Exit(1)


def _speeds(speed: str | None, *, all_speeds: bool) -> tuple[Speed, ...]:
    if speed is not None and all_speeds:
        raise typer.BadParameter(_("give --speed or --all-speeds, not both."), param_hint="--speed")
    return get_args(Speed) if all_speeds else (speeds_of(speed) if speed else ())


def _fetched(
    selection: Selection, client: Lichess, store: Store, progress: SyncProgress
) -> Fetched:
    """All that can be had of one player; an error of Lichess's is noted, and others go on."""
    from config.errors import LichessError
    from pipeline.fetched import Fetched

    fetched = Fetched(player=selection.player)
    fetched.kept_before = store.count_games_of(selection.player.casefold())
    started_at = time.monotonic()
    before = (client.requests_sent, progress.waits, progress.waited_seconds)
    try:
        account = client.account(selection.player)
        fetched.player = account.name
        fetched.at_lichess = sum(map(account.games_at, selection.speeds))
        _fetch(selection, account, client, store, progress, fetched)
    except LichessError as error:
        fetched.error = str(error)
    fetched.requests = client.requests_sent - before[0]
    fetched.waits = progress.waits - before[1]
    fetched.waited_seconds = progress.waited_seconds - before[2]
    fetched.seconds = time.monotonic() - started_at
    return fetched


def _fetch(
    selection: Selection,
    account: Account,
    client: Lichess,
    store: Store,
    progress: SyncProgress,
    fetched: Fetched,
) -> None:
    from pipeline.arrivals import Arrivals
    from pipeline.fetched import wanted_game
    from pipeline.sync import sync

    def look_at(record: Record) -> None:
        fetched.look_at(record, selection)
        progress.reach(fetched.kept_before + arrivals.new)

    arrivals = Arrivals(look_at=look_at)
    is_all = not (selection.last or selection.since or selection.until)
    total = max(account.games, fetched.kept_before) if is_all else None
    progress.start(account.name, games=fetched.kept_before, total=total)
    arriving = sync(
        selection.player,
        source=client,
        store=store,
        wanted=lambda record: wanted_game(record, selection),
        last=selection.last,
        since=selection.since,
        until=selection.until,
        now=datetime.now(UTC),
        progress=progress,
        still_played=_still_played(selection, account),
        began=account.created_at or datetime.fromtimestamp(0, tz=UTC),
        arrivals=arrivals,
    )
    try:
        with closing(arriving):  # whatever happens, what has arrived is kept now
            for _ in arriving:
                pass
    finally:
        fetched.take(arrivals)
        progress.reach(fetched.kept_before + fetched.new)
        progress.finish()


def _still_played(selection: Selection, account: Account) -> timedelta:
    from pipeline.sync import STILL_PLAYED

    plays = _CORRESPONDENCE in selection.speeds and account.games_at(_CORRESPONDENCE)
    return _CORRESPONDENCE_STILL_PLAYED if plays else STILL_PLAYED


def _as_record(one: Fetched) -> dict[str, object]:
    from pipeline.fetched import LeftOut

    return {
        "player": one.player,
        "error": one.error,
        "new": one.new,
        "known_before": one.kept_before,
        "came_again": one.came_again,
        "lichess_counts": one.at_lichess,
        "wanted": one.wanted,
        "left_out": {reason.name.lower(): one.left_out[reason] for reason in LeftOut},
        "without_id_or_time": one.nameless,
        "provisional": one.provisional,
        "against_bots": one.bots,
        "requests": one.requests,
        "waits": one.waits,
        "waited_seconds": round(one.waited_seconds, 3),
        "seconds": round(one.seconds, 3),
    }
