"""What the tags of a PGN game say: players, time control, date, opening, result.

Source: the PGN standard (1994), section 9; lila, modules/game/src/main/PgnDump.scala.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache

import chess.pgn

from engines.evals import LICHESS_ANALYSIS, PGN_COMMENTS, Color, EngineId, SearchLimit
from pipeline.fetch.lichess_names import game_id_of
from pipeline.fetch.speeds import SPEEDS, UNKNOWN_SPEED, speed_of_clock
from pipeline.records import Clock, GamePlayer, Opening

UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands for "no date" in a game whose PGN has none: no computer chess site is that old."""

Tags = Mapping[str, str]

_SPEED_WORD = re.compile(rf"\b({'|'.join(SPEEDS)})\b", re.IGNORECASE)
_RATED_WORD = re.compile(r"\brated\b", re.IGNORECASE)
_CASUAL_WORD = re.compile(r"\b(casual|unrated)\b", re.IGNORECASE)
_COMPUTER_NAME = re.compile(r"lichess AI level (\d+)$", re.IGNORECASE)
_RATING = re.compile(r"(\d{1,4})(\??)$")
_RATING_DIFF = re.compile(r"[+-]?\d{1,4}$")
_NODES = re.compile(r"[1-9]\d{0,9}$", re.ASCII)
_DATE = re.compile(r"(\d{4})(?:[.\-/](\d{1,2}|\?\?))?(?:[.\-/](\d{1,2}|\?\?))?$", re.ASCII)
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d):([0-5]\d)$", re.ASCII)

_LONGEST_SECONDS = 10_000_000
"""Of thinking time, 116 days: what is longer is a slip, or mischief."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a game was; no clock where it is not initial time plus increment."""

    speed: str
    clock: Clock | None


def player_of(tags: Tags, color: Color) -> GamePlayer:
    """The player; "?" and "-" are no name and no rating, "1500?" is a provisional one."""
    side = color.capitalize()
    name = tags.get(side, "").strip()
    computer = _COMPUTER_NAME.match(name)
    rating = _RATING.match(tags.get(f"{side}Elo", "").strip())
    diff = tags.get(f"{side}RatingDiff", "").strip()
    return GamePlayer(
        name=None if computer or name in ("", "?", "-", "Anonymous") else name,
        title=_stated(tags, f"{side}Title"),
        rating=int(rating[1]) or None if rating else None,
        rating_diff=int(diff) if _RATING_DIFF.match(diff) else None,
        provisional=bool(rating and rating[2]),
        computer_level=int(computer[1]) if computer else None,
    )


def pace_of(tags: Tags) -> Pace:
    """Speed and clock, from TimeControl, else from a word in Event, else UNKNOWN_SPEED."""
    stated = pace_of_time_control(tags.get("TimeControl", "?").strip())
    if stated is not None:
        return stated
    word = _SPEED_WORD.search(tags.get("Event", ""))
    return Pace(_speed_of_word(word[1]) if word else UNKNOWN_SPEED, None)


@lru_cache(maxsize=1024)
def pace_of_time_control(time_control: str) -> Pace | None:
    """What the tag TimeControl says by itself; None where it says nothing."""
    if time_control == "-":
        return Pace("correspondence", None)
    parts = _time_control_parts(time_control)
    if not parts:
        return None
    seconds = sum(part.time for part in parts)
    speed = speed_of_clock(seconds, parts[-1].increment)
    return Pace(speed, _clock(parts))


def is_rated(tags: Tags) -> bool:
    """Whether the game is known to be rated: Event says so, or there are rating changes."""
    event = tags.get("Event", "")
    if _CASUAL_WORD.search(event):
        return False
    changes = _stated(tags, "WhiteRatingDiff") or _stated(tags, "BlackRatingDiff")
    return bool(_RATED_WORD.search(event) or changes)


def created_at(tags: Tags) -> datetime:
    """UTCDate with UTCTime, else Date at midnight UTC, else UNDATED.

    A month or day that is unknown ("2023.??.??") or impossible counts as the first.
    """
    for date_tag, time_tag in (("UTCDate", "UTCTime"), ("Date", "UTCTime")):
        date = _DATE.match(tags.get(date_tag, "").strip())
        if date and date[1] != "0000":
            return _moment(date, _TIME.match(tags.get(time_tag, "").strip()))
    return UNDATED


def opening_of(tags: Tags) -> Opening | None:
    """The opening as the tags name it, if they do."""
    eco, name = _stated(tags, "ECO"), _stated(tags, "Opening")
    return Opening(eco=eco or "", name=name or "") if eco or name else None


def lichess_id_of(tags: Tags) -> str | None:
    """The game's id on Lichess, where Site is the game's address there."""
    return game_id_of(tags.get("Site", "")) if is_from_lichess(tags) else None


def is_from_lichess(tags: Tags) -> bool:
    """Whether Site names lichess.org."""
    return bool(re.match(r"(https?://)?(www\.)?lichess\.org(/|$)", tags.get("Site", "").strip()))


def url_of(tags: Tags) -> str | None:
    """Where the game can be looked at, if the tags tell."""
    for tag in ("Link", "ChapterURL", "Site"):
        if tags.get(tag, "").startswith(("https://", "http://")):
            return tags[tag].strip()
    return None


def source_engine_of(tags: Tags) -> EngineId:
    """Who made the evaluations: the tag EvaluatedBy is one of `reports.to_pgn`."""
    if engine := _stated(tags, "EvaluatedBy"):
        return EngineId(name=engine)
    return LICHESS_ANALYSIS if is_from_lichess(tags) else PGN_COMMENTS


def source_limit_of(tags: Tags) -> SearchLimit | None:
    """With how much thought, where EvaluatedBy is there and NodesPerPosition tells."""
    nodes = _NODES.match(tags.get("NodesPerPosition", "").strip())
    if nodes is None or _stated(tags, "EvaluatedBy") is None:
        return None
    return SearchLimit(nodes_per_position=int(nodes[0]))


def result_of(tags: Tags, written_result: str | None) -> tuple[Color | None, bool]:
    """The winner (None for a draw), and whether the result is known at all."""
    result = tags.get("Result", "*").strip()
    match result if result in ("1-0", "0-1", "1/2-1/2") else written_result:
        case "1-0":
            return "white", True
        case "0-1":
            return "black", True
        case "1/2-1/2":
            return None, True
        case _:
            return None, False


def _stated(tags: Tags, tag: str) -> str | None:
    value = tags.get(tag, "").strip()
    return None if value in ("", "?", "-") else value


def _speed_of_word(word: str) -> str:
    return next(speed for speed in SPEEDS if speed.lower() == word.lower())


def _time_control_parts(text: str) -> list[chess.pgn.TimeControlPart]:
    try:
        parts = chess.pgn.parse_time_control(text).parts
    except ValueError:  # an hourglass, or words
        return []
    stated = [seconds for part in parts for seconds in (part.time, part.increment)]
    return parts if all(0 <= seconds < _LONGEST_SECONDS for seconds in stated) else []


def _clock(parts: list[chess.pgn.TimeControlPart]) -> Clock | None:
    part = parts[0]
    if len(parts) > 1 or part.moves or not float(part.increment).is_integer():
        return None
    return Clock(initial_seconds=part.time, increment_seconds=int(part.increment))


def _moment(date: re.Match[str], time: re.Match[str] | None) -> datetime:
    year, month, day = (int(part) if part and part.isdigit() else 1 for part in date.groups())
    hour, minute, second = map(int, time.groups()) if time else (0, 0, 0)
    if not 1 <= month <= 12:
        month = 1
    if not 1 <= day <= monthrange(year, month)[1]:
        day = 1
    return datetime(year, month, day, hour, minute, second, tzinfo=UTC)
