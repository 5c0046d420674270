"""A job's order -> its report: from Lichess, or from the games that were handed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

from config.errors import InputError, NoGames, UnreadableFile
from config.language import _
from pipeline.fetch.files import read_games
from pipeline.fetch.opened import name_of
from pipeline.jobs.watch import JobWatch
from pipeline.records import Game, PlayerReport, SetAside
from pipeline.run import report_from_lichess, report_on
from pipeline.selection import Selection
from pipeline.store.job_records import JobOrder
from pipeline.sync import GameSource
from pipeline.workshop import Workshop

_STDIN = "-"
_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # gzip, zstd: a few bytes may hold gigabytes


def make_report(
    order: JobOrder,
    content: bytes | None,
    *,
    source: GameSource,
    workshop: Workshop,
    watch: JobWatch,
    at_most_games: int,
) -> PlayerReport:
    """The report that was ordered, on at most so many games; the newest ones.

    MoveloError says why there is none, JobStopped that it was stopped.
    """
    selection = _bounded(order.selection, at_most_games)
    if order.source == "lichess":
        return report_from_lichess(selection, source, workshop, on_assessed=watch.assessed)
    if content is None:
        raise InputError(_("The games that were handed in are gone: hand them in again."))
    games = _games_in(content)
    if not selection.player:
        selection = replace(selection, player=most_frequent_player(games))
    return report_on(games, selection, workshop, on_assessed=watch.assessed)


def most_frequent_player(games: Sequence[Game | SetAside]) -> str:
    """Whose games these are; InputError where two players have as many, NoGames without any."""
    names: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for game in games:
        if isinstance(game, Game):
            for name in {game.white.name, game.black.name} - {None}:
                assert name is not None  # noqa: S101
                names.setdefault(name.casefold(), name)
                counts[name.casefold()] += 1
    first, second, *_rest = [*counts.most_common(2), ("", 0), ("", 0)]
    if not counts:
        raise NoGames(_without_games(games))
    if first[1] == second[1]:
        raise InputError(
            _("{one} and {other} played as many of these games: name the one you mean.").format(
                one=names[first[0]], other=names[second[0]]
            )
        )
    return names[first[0]]


def _bounded(selection: Selection, at_most: int) -> Selection:
    return replace(selection, last=min(selection.last or at_most, at_most))


def _games_in(content: bytes) -> list[Game | SetAside]:
    if content.startswith(_PACKED):
        raise UnreadableFile(_("The file is compressed: unpack it and hand in what is inside."))
    try:
        return [_renamed(item) for item in read_games(_STDIN, stdin=BytesIO(content))]
    except UnreadableFile as error:
        raise UnreadableFile(_as_your_file(str(error))) from error


def _renamed(item: Game | SetAside) -> Game | SetAside:
    if isinstance(item, Game):
        return item
    return replace(item, where=_as_your_file(item.where), reason=_as_your_file(item.reason))


def _as_your_file(text: str) -> str:
    return text.replace(name_of(_STDIN), _("your file"))


def _without_games(games: Sequence[Game | SetAside]) -> str:
    for item in games:
        if isinstance(item, SetAside):
            return _("The file has no game that can be read: {where}: {reason}.").format(
                where=item.where, reason=item.reason
            )
    return _("The file has no game with a player's name in it.")
