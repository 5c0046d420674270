"""Who is in a team, and who played in an arena: names, by Lichess's API.

Source: lichess-org/api, /api/team/{teamId}/users and /api/tournament/{id}/results (NDJSON).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from config.errors import InputError
from config.language import _

RosterKind: TypeAlias = Literal["team", "arena"]

_TEAM = re.compile(r"(?:(?:https?://)?(?:www\.)?lichess\.org/team/)?([A-Za-z0-9_-]{2,60})/?")
_ARENA = re.compile(r"(?:(?:https?://)?(?:www\.)?lichess\.org/tournament/)?([A-Za-z0-9]{8})/?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """A team or an arena, as its address on Lichess names it."""

    kind: RosterKind
    id: str

    @property
    def path(self) -> str:
        """Where the API lists the players, one record a line."""
        if self.kind == "team":
            return f"/api/team/{self.id}/users"
        return f"/api/tournament/{self.id}/results"


def team_of(text: str) -> Roster:
    """A team by its address or the last part of it; InputError for what can be neither."""
    found = _TEAM.fullmatch(text.strip())
    if found is None:
        raise InputError(
            _(
                "{team} is no team on Lichess: give the last part of its address "
                "(https://lichess.org/team/…)"
            ).format(team=f"{text!r}")
        )
    return Roster(kind="team", id=found[1].lower())


def arena_of(text: str) -> Roster:
    """An arena by its address or its 8-character id; InputError for what can be neither."""
    found = _ARENA.fullmatch(text.strip())
    if found is None:
        raise InputError(
            _(
                "{arena} is no arena on Lichess: give its address "
                "(https://lichess.org/tournament/…) or its 8-character id"
            ).format(arena=f"{text!r}")
        )
    return Roster(kind="arena", id=found[1])


def no_such_roster(roster: Roster) -> InputError:
    """Lichess knows none of that name."""
    said = (
        _("Lichess has no team {id}, or its members are not shown to you; check its address")
        if roster.kind == "team"
        else _("Lichess has no arena {id}; check its address")
    )
    return InputError(said.format(id=roster.id))


def names_in(records: Iterable[Mapping[str, object]]) -> tuple[str, ...]:
    """The names in the records that a roster is made of; others are passed over."""
    found = (record.get("username") or record.get("name") or record.get("id") for record in records)
    return tuple(dict.fromkeys(name for name in found if isinstance(name, str)))
