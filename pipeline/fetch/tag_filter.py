"""A `GameFilter` on the bytes of a game's tags: sure of what it leaves out, or silent.

Tags in another form than Lichess writes them are no reason for anything: whoever asks reads
that game in full, and asks the filter itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from pipeline.drawn import id_hash
from pipeline.fetch.game_filter import GameFilter, LeftOut
from pipeline.fetch.lichess_names import game_id_of
from pipeline.fetch.pgn_tags import is_rated, pace_of_time_control
from pipeline.fetch.text_bytes import text_of

FIRST_TAG = b'[Event "'

_UNSURE = object()
_DAY = timedelta(days=1)

_Check = Callable[[bytes, int], object]
"""From a game without `FIRST_TAG` at its start, and where its tags end: a LeftOut, None for a
game that passes, `_UNSURE` where the tags must be read with more care."""

_SITE = b'\n[Site "https://lichess.org/'
_VALUE_END = b'"]\n'
_ID_CHARACTERS = 8
_PLAIN_NAME = re.compile(rb"[\w ,.'-]+", re.ASCII)
_FULL_DATE = re.compile(rb"\d{4}\.\d\d\.\d\d")


class TagFilter:
    """Asks in the filter's own order, and no further than it is sure."""

    def __init__(self, wanted: GameFilter) -> None:
        self._wanted = wanted
        self._players = frozenset(name.encode() for name in wanted.players or ())
        self._largest_hash = wanted.largest_hash
        self._checks = tuple(self._needed_checks())

    def why_left_out(self, game: bytes, tags_end: int) -> LeftOut | None:
        """The reason that the filter would give for the whole game; None where it is not sure.

        `game` is the text after its `FIRST_TAG`, `tags_end` where the last tag ends.
        """
        for check in self._checks:
            verdict = check(game, tags_end)
            if verdict is not None:
                return verdict if isinstance(verdict, LeftOut) else None
        return None

    def _needed_checks(self) -> Iterator[_Check]:
        wanted = self._wanted
        if wanted.speeds:
            yield self._by_speed
        if not wanted.casual:
            yield self._by_event
        if wanted.since is not None or wanted.until is not None:
            yield self._by_date
        if wanted.min_rating is not None or wanted.max_rating is not None:
            yield self._by_ratings
        if wanted.players is not None:
            yield self._by_players
        if wanted.share < 1.0:
            yield self._by_sample
        if wanted.with_evals:
            yield _by_evals

    def _by_speed(self, game: bytes, tags_end: int) -> object:
        speed = _speed(_value(game, b'\n[TimeControl "', tags_end))
        if speed is None:
            return _UNSURE
        return None if speed in self._wanted.speeds else LeftOut.SPEED

    def _by_event(self, game: bytes, tags_end: int) -> object:
        end = game.find(_VALUE_END, 0, tags_end + 1)
        return None if end >= 0 and _says_rated(game[:end]) else _UNSURE

    def _by_date(self, game: bytes, tags_end: int) -> object:
        day = _day(_value(game, b'\n[UTCDate "', tags_end))
        since, until = self._wanted.since, self._wanted.until
        if day is None:
            return _UNSURE
        if since is not None and day < since:
            return LeftOut.EARLIER if since - day >= _DAY else _UNSURE
        if until is not None and until - day < _DAY:
            return LeftOut.LATER if day > until else _UNSURE
        return None

    def _by_ratings(self, game: bytes, tags_end: int) -> object:
        white = _value(game, b'\n[WhiteElo "', tags_end)
        black = _value(game, b'\n[BlackElo "', tags_end)
        if not (white.isdigit() and black.isdigit() and len(white) < 5 and len(black) < 5):
            return _UNSURE
        weaker, stronger = sorted((int(white), int(black)))
        return self._wanted.by_ratings(weaker, stronger) if weaker else _UNSURE

    def _by_players(self, game: bytes, tags_end: int) -> object:
        white = _value(game, b'\n[White "', tags_end).strip().lower()
        black = _value(game, b'\n[Black "', tags_end).strip().lower()
        if not (_PLAIN_NAME.fullmatch(white) and _PLAIN_NAME.fullmatch(black)):
            return _UNSURE
        if white in self._players or black in self._players:
            return _UNSURE if _may_be_no_name(white) or _may_be_no_name(black) else None
        return LeftOut.PLAYERS

    def _by_sample(self, game: bytes, tags_end: int) -> object:
        start = game.rfind(_SITE, 0, tags_end) + len(_SITE)
        end = start + _ID_CHARACTERS
        game_id = game[start:end]
        is_whole = game[end : end + len(_VALUE_END)] == _VALUE_END and game_id.isalnum()
        if start < len(_SITE) or not is_whole:
            return _UNSURE
        if game_id.islower() and _is_page(game_id):
            return _UNSURE
        return None if id_hash(game_id) < self._largest_hash else LeftOut.SAMPLE


def _may_be_no_name(written: bytes) -> bool:
    """As of the computer, "lichess AI level 3", and of players without an account."""
    return b" " in written or written in (b"anonymous", b"-")


def _is_page(game_id: bytes) -> bool:
    """Whether an address on Lichess that looks like a game's is another's."""
    return game_id.isalpha() and game_id_of(f"lichess.org/{game_id.decode('ascii')}") is None


def _by_evals(game: bytes, tags_end: int) -> object:
    return None if game.find(b"[%eval", tags_end) >= 0 else LeftOut.EVALS


def _value(game: bytes, opening: bytes, tags_end: int) -> bytes:
    """The value of the last tag that opens so, as it is written; empty where there is none."""
    start = game.rfind(opening, 0, tags_end) + len(opening)
    end = game.find(_VALUE_END, start, tags_end + 1)
    return game[start:end] if start >= len(opening) and end >= 0 else b""


@lru_cache(maxsize=1024)
def _speed(time_control: bytes) -> str | None:
    pace = pace_of_time_control(time_control.decode("latin-1").strip())
    return pace.speed if pace else None


@lru_cache(maxsize=1024)
def _says_rated(event: bytes) -> bool:
    return is_rated({"Event": text_of(event)})


@lru_cache(maxsize=1024)
def _day(text: bytes) -> datetime | None:
    if not _FULL_DATE.fullmatch(text):
        return None
    try:
        return datetime.strptime(text.decode("ascii"), "%Y.%m.%d").replace(tzinfo=UTC)
    except ValueError:
        return None
