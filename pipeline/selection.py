"""Which of the games that came in are reported on, and why the others are not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from config.language import english
from engines.evals import Color
from pipeline.records import READABLE_VARIANTS, Game, SetAside


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What was asked for. `last` 0 means all; times are inclusive and UTC."""

    player: str
    speeds: tuple[str, ...]
    last: int = 0
    since: datetime | None = None
    until: datetime | None = None
    casual: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedGames:
    """The player's games, newest first, each with the player's colour.

    `set_aside` names games that were asked for and cannot be used; `not_asked_for` counts by
    kind those that the selection itself leaves out.
    """

    games: tuple[tuple[Game, Color], ...]
    set_aside: tuple[SetAside, ...]
    not_asked_for: Counter[str]


def select(found: Iterable[Game | SetAside], selection: Selection) -> SelectedGames:
    """Take the player's games that fit, the newest `last` of them, and account for the rest."""
    games: list[tuple[Game, Color]] = []
    set_aside: list[SetAside] = []
    not_asked_for: Counter[str] = Counter()
    seen: set[str] = set()
    for item in found:
        if isinstance(item, SetAside):
            set_aside.append(item)
        elif item.id in seen:
            set_aside.append(SetAside(where=item.where, reason=english("the same game came twice")))
        elif (other := _not_asked_for(item, selection)) is not None:
            not_asked_for[other] += 1
        elif (unusable := _unusable(item)) is not None:
            set_aside.append(SetAside(where=item.where, reason=unusable))
        else:
            seen.add(item.id)
            games.append((item, color_of(item, selection.player) or "white"))
    games.sort(key=lambda pair: pair[0].created_at, reverse=True)
    if selection.last and len(games) > selection.last:
        not_asked_for["older"] += len(games) - selection.last
        del games[selection.last :]
    return SelectedGames(
        games=tuple(games), set_aside=tuple(set_aside), not_asked_for=not_asked_for
    )


def color_of(game: Game, player: str) -> Color | None:
    """The colour that `player` had (capitals do not matter); None if they did not play."""
    name = player.casefold()
    if game.white.name is not None and game.white.name.casefold() == name:
        return "white"
    if game.black.name is not None and game.black.name.casefold() == name:
        return "black"
    return None


def fits(game: Game, selection: Selection) -> bool:
    """Whether the game would be reported on, were there room for all."""
    return _not_asked_for(game, selection) is None and _unusable(game) is None


def is_from_elsewhere(game: Game) -> bool:
    """Whether the game has neither its own address at Lichess nor the `source` of its exports.

    Elsewhere nobody says whether a game was rated, nor on which scale.
    """
    return game.source is None and game.url != f"https://lichess.org/{game.id}"


def _not_asked_for(game: Game, selection: Selection) -> str | None:
    if color_of(game, selection.player) is None:
        return english("of other players")
    if selection.since is not None and game.created_at < selection.since:
        return english("earlier")
    if selection.until is not None and game.created_at > selection.until:
        return english("later")
    if game.speed not in selection.speeds:
        return game.speed
    if not (game.rated or selection.casual or is_from_elsewhere(game)):
        return english("casual")
    return None


def _unusable(game: Game) -> str | None:
    if game.variant not in READABLE_VARIANTS:
        return english(
            "{variant}: movelo reads standard chess, Chess960 and games from a position"
        ).format(variant=game.variant)
    if not game.moves_san:
        return english("no move was played")
    return None
