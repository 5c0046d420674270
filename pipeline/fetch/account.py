"""A Lichess account, as far as a report needs it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from config.errors import ClosedAccount, LichessError
from config.language import _
from pipeline.fetch.export import EPOCH
from pipeline.fetch.speeds import SPEEDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An open account. `games` counts all of its games, `games_by_speed` the rated ones.

    `marked`: Lichess says that it broke the terms of service.
    """

    id: str
    name: str
    created_at: datetime | None
    games: int
    games_by_speed: tuple[tuple[str, int], ...]
    marked: bool

    def games_at(self, speed: str) -> int:
        """How many rated games at one speed, standard chess."""
        return dict(self.games_by_speed).get(speed, 0)


def account_from_api(record: dict[str, Any], username: str) -> Account:
    """The account in Lichess's answer. Raises ClosedAccount, or LichessError for nonsense.

    Source: lichess-org/api, schemas/UserExtended.yaml.
    """
    if record.get("disabled"):
        raise ClosedAccount(
            _(
                "the Lichess account {username} is closed, and Lichess gives out no games of "
                "closed accounts; use a file that was exported before"
            ).format(username=username)
        )
    try:
        return Account(
            id=str(record["id"]),
            name=str(record.get("username", record["id"])),
            created_at=_moment(record.get("createdAt")),
            games=int(record.get("count", {}).get("all", 0)),
            games_by_speed=_games_by_speed(record.get("perfs", {})),
            marked=bool(record.get("tosViolation", False)),
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise LichessError(
            _(
                "Lichess's answer about the account {username} is not as documented; look "
                "for a newer movelo"
            ).format(username=username)
        ) from None


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else EPOCH + timedelta(milliseconds=milliseconds)


def _games_by_speed(perfs: dict[str, Any]) -> tuple[tuple[str, int], ...]:
    return tuple((speed, int(perfs[speed].get("games", 0))) for speed in SPEEDS if speed in perfs)
