"""What is typed into the start page's forms -> an order, or what is wrong with it, by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import get_args

from config.choices import Speed
from config.errors import UnknownPlayer
from config.language import _
from config.settings import Settings
from pipeline.fetch.lichess_names import checked_username
from pipeline.jobs import JobOrder
from pipeline.selection import Selection
from reports.web_pages import SPEEDS, StartForm

_FIRST_YEAR, _LAST_YEAR = 2010, 2100  # Lichess was opened in 2010
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """One field's text after another, as a browser sent them; `speeds` are those ticked."""

    texts: Mapping[str, str]
    speeds: Sequence[str] = ()

    def __getitem__(self, name: str) -> str:
        return self.texts.get(name, "").strip()


def empty_form(settings: Settings) -> StartForm:
    """The start page's, with what the settings say."""
    return StartForm(
        speeds=tuple(speed for speed in settings.games.speeds if speed in SPEEDS),
        last=str(_usual_last(settings)),
        casual=settings.games.casual,
    )


def lichess_order(typed: Typed, settings: Settings, zone: tzinfo) -> JobOrder | StartForm:
    """The order, or the form again with what is wrong; days are those of `zone`."""
    errors: dict[str, str] = {}

    def noted(field: str, error: str | None) -> None:
        if error:
            errors[field] = error

    speeds = tuple(speed for speed in SPEEDS if speed in typed.speeds)
    noted("player", _wrong_username(typed["player"]))
    if not speeds:
        noted("speeds", _("Choose one speed at least."))
    last, error = _last(typed["last"], settings)
    noted("last", error)
    since, error = _day(typed["since"])
    noted("since", error)
    until, error = _day(typed["until"])
    noted("until", error)
    if since and until and since > until:
        noted("until", _("This day lies before the other one: exchange them."))
    if errors:
        return _refilled(typed, errors)
    return JobOrder(
        selection=Selection(
            player=typed["player"],
            speeds=speeds,
            last=last,
            since=_start(since, zone) if since else None,
            until=_start(until + timedelta(days=1), zone) - timedelta(milliseconds=1)
            if until
            else None,
            casual=bool(typed["casual"]),
        ),
        source="lichess",
    )


def file_order(typed: Typed, content: bytes, settings: Settings) -> JobOrder | StartForm:
    """The same for games that were handed in, of whatever speed they are."""
    errors: dict[str, str] = {}
    player = typed["file_player"]
    if not content.strip():
        errors["games"] = _("Choose a file, or paste games.")
    if len(player) > LONGEST_NAME or not player.isprintable():
        errors["file_player"] = _("This is no name: up to 100 characters, on one line.")
    if errors:
        return _refilled(typed, errors, start=empty_form(settings))
    selection = Selection(
        player=player, speeds=get_args(Speed), last=settings.web.games_per_job, casual=True
    )
    return JobOrder(selection=selection, source="file")


def with_error(typed: Typed, settings: Settings, field: str, sentence: str) -> StartForm:
    """The form again, with a sentence at a field, "form" for the whole."""
    return _refilled(typed, {field: sentence}, start=empty_form(settings))


def _refilled(
    typed: Typed, errors: Mapping[str, str], *, start: StartForm | None = None
) -> StartForm:
    is_file = start is not None and not typed["player"]
    return StartForm(
        player=typed["player"],
        speeds=start.speeds if start and is_file else tuple(typed.speeds),
        last=start.last if start and is_file else typed["last"],
        since=typed["since"],
        until=typed["until"],
        casual=bool(typed["casual"]),
        file_player=typed["file_player"],
        errors=errors,
    )


def _wrong_username(name: str) -> str | None:
    if not name:
        return _("Type a Lichess username.")
    try:
        checked_username(name)
    except UnknownPlayer:
        return _(
            "This cannot be a Lichess name: those are 2 to 30 letters, digits, - and _. Check the "
            "spelling."
        )
    return None


def _last(text: str, settings: Settings) -> tuple[int, str | None]:
    most = settings.web.games_per_job
    if not text:
        return _usual_last(settings), None
    if text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= most:
        return int(text), None
    return 0, _("Give a whole number from 1 to {most}.").format(most=most)


def _usual_last(settings: Settings) -> int:
    most = settings.web.games_per_job
    return min(settings.games.last or most, most)


def _day(text: str) -> tuple[date | None, str | None]:
    if not text:
        return None, None
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if not _FIRST_YEAR <= day.year <= _LAST_YEAR:
        return None, _("This is no day: write it as 2026-01-31.")
    return day, None


def _start(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone).astimezone(UTC)
