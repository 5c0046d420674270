"""A player's results divided: by colour, opponents' strength, opening, month."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, tzinfo
from types import MappingProxyType
from typing import Literal, TypeAlias

from config.language import english, nenglish
from engines.evals import Color
from pipeline.elo.results import estimate_results
from pipeline.records import Game, NoEstimate, ResultEstimate, ResultGroup

Grouping: TypeAlias = Literal["color", "strength", "opening", "month"]

FEWEST_GAMES = 5
"""With fewer, the interval says little but that there are few games."""
EQUAL_WITHIN = 100
"""Rating points within which two players are called about equal."""


def result_groups(
    games: Sequence[tuple[Game, Color]],
    grouping: Grouping,
    *,
    scale: str,
    coverage: float,
    fewest_games: int = FEWEST_GAMES,
    zone: tzinfo = UTC,
) -> tuple[ResultGroup, ...]:
    """One group for each colour, band of opponents, opening played with a colour, or month.

    The colour is the player's own; months are those of `zone`. Openings stand with the most
    games first, the rest in its natural order. A group of fewer than `fewest_games` counted
    games has a reason in place of an estimate. The more groups, the more of them stand out
    by chance: of ten 80 % intervals, two are expected to miss.
    """
    label = _LABELS[grouping]
    members: dict[str, list[tuple[Game, Color]]] = {}
    for game, color in games:
        members.setdefault(label(game, color, zone), []).append((game, color))
    groups = [
        ResultGroup(
            label=name,
            games=len(chosen),
            result=_enough(estimate_results(chosen, scale=scale, coverage=coverage), fewest_games),
        )
        for name, chosen in members.items()
    ]
    return tuple(sorted(groups, key=_ORDERS[grouping]))


def _enough(found: ResultEstimate | NoEstimate, fewest_games: int) -> ResultEstimate | NoEstimate:
    if isinstance(found, ResultEstimate) and found.games < fewest_games:
        reason = nenglish(
            "too few: {count} game counts, at least {fewest} are needed",
            "too few: {count} games count, at least {fewest} are needed",
            found.games,
        )
        return NoEstimate(reason=reason.format(count=found.games, fewest=fewest_games))
    return found


def _color_label(_game: Game, color: Color, _zone: tzinfo) -> str:
    return _WITH[color]


_FAMILY_WITH: Mapping[Color, str] = {
    "white": english("{opening}, with White"),
    "black": english("{opening}, with Black"),
}
_WITH: Mapping[Color, str] = {"white": english("with White"), "black": english("with Black")}


_WEAKER = english("weaker by more than {equal_within}").format(equal_within=EQUAL_WITHIN)
_EQUAL = english("about equal, within {equal_within}").format(equal_within=EQUAL_WITHIN)
_STRONGER = english("stronger by more than {equal_within}").format(equal_within=EQUAL_WITHIN)
_UNKNOWN = english("a rating is not known")
_STRENGTHS = (_WEAKER, _EQUAL, _STRONGER, _UNKNOWN)


def _strength_label(game: Game, color: Color, _zone: tzinfo) -> str:
    own, other = game.player(color).rating, game.opponent(color).rating
    if own is None or other is None:
        return _UNKNOWN
    if abs(other - own) <= EQUAL_WITHIN:
        return _EQUAL
    return _STRONGER if other > own else _WEAKER


def _opening_label(game: Game, color: Color, _zone: tzinfo) -> str:
    # "Sicilian Defense: Alapin Variation": the family is what a player means by their opening.
    family = (
        game.opening.name.partition(":")[0].strip() if game.opening else english("unknown opening")
    )
    return _FAMILY_WITH[color].format(opening=family)


def _month_label(game: Game, _color: Color, zone: tzinfo) -> str:
    return game.created_at.astimezone(zone).strftime("%Y-%m")


_LABELS: Mapping[Grouping, Callable[[Game, Color, tzinfo], str]] = MappingProxyType(
    {
        "color": _color_label,
        "strength": _strength_label,
        "opening": _opening_label,
        "month": _month_label,
    }
)
_ORDERS: Mapping[Grouping, Callable[[ResultGroup], tuple[int, str]]] = MappingProxyType(
    {
        "color": lambda group: (group.label != "with White", group.label),
        "strength": lambda group: (_STRENGTHS.index(group.label), group.label),
        "opening": lambda group: (-group.games, group.label),
        "month": lambda group: (0, group.label),
    }
)
