"""Games as a person writes them down: the opponent's rating and the result, `1800:1`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from config.errors import InputError
from config.language import _, english, retold
from pipeline.elo.glicko1 import GlickoGame
from pipeline.elo.played import Played

_SCORES = {
    **dict.fromkeys(("1", "1.0", "+", "w", "win", "won"), 1.0),
    **dict.fromkeys(("½", "1/2", "0.5", ".5", "=", "d", "draw", "drawn"), 0.5),
    **dict.fromkeys(("0", "0.0", "-", "−", "–", "l", "loss", "lost"), 0.0),
}
# Longer ones are no ratings, and could be too long for a float.
_NUMBER = re.compile(r"\d{1,6}(\.\d{1,9})?", re.ASCII)
_SEPARATOR = re.compile(r"\s*:\s*|\s+|(?=[+=−–-]$)")
_HOW = english("write a game as 1800:1, 1800:½ or 1800:0")


def parse_games(
    lines: Iterable[str], *, where: str, unit: str = english("line")
) -> tuple[Played, ...]:
    """One game after another: `1800:1`, `1800 1`, `1800 =`, `1800 ½`, `1800 0.5`, `1800 1/2`.

    A result may be `w`, `d`, `l` or `+`, `=`, `-` as well. Several games in one line are
    separated by commas; everything after `#` and empty lines are skipped. `where` names the
    source in an error, `unit` what is counted there. Raises InputError, with the line, for
    anything else, and for a list without a game.
    """
    entries = _placed_entries(lines, where, unit)
    return tuple(_game(entry, place) for place, entry in entries)


def parse_glicko_games(
    lines: Iterable[str],
    *,
    opponent_deviation: float | None,
    where: str,
    unit: str = english("line"),
) -> tuple[GlickoGame, ...]:
    """The same with the opponent's rating deviation after a stroke: `1400/30:1`.

    Where it is missing, `opponent_deviation` is taken; InputError when that is None too.
    """
    entries = _placed_entries(lines, where, unit)
    return tuple(_glicko_game(entry, opponent_deviation, place) for place, entry in entries)


def _placed_entries(lines: Iterable[str], where: str, unit: str) -> list[tuple[str, str]]:
    found = [
        (f"{where}, {unit} {number}", entry)
        for number, line in enumerate(lines, start=1)
        for entry in _entries(line)
    ]
    if not found:
        raise InputError(
            _("{where}: there is no game in the list; {how}.").format(where=where, how=retold(_HOW))
        )
    return found


def _game(entry: str, where: str) -> Played:
    rating, result = _split(entry, where)
    return Played(
        opponent_rating=parse_rating(rating, where=where), score=parse_score(result, where=where)
    )


def _glicko_game(entry: str, default: float | None, where: str) -> GlickoGame:
    opponent, result = _split(entry, where)
    rating, stroke, deviation = opponent.partition("/")
    if not stroke and default is None:
        raise InputError(
            _("{where}: the opponent's deviation is missing; write 1400/30:1.").format(where=where)
        )
    return GlickoGame(
        opponent_rating=parse_rating(rating, where=where),
        opponent_deviation=parse_rating(deviation, where=where) if stroke else default or 0.0,
        score=parse_score(result, where=where),
    )


def parse_rating(text: str, *, where: str) -> float:
    """A rating of 0 or more; InputError for anything else."""
    if not is_rating(text):
        raise InputError(
            _("{where}: {text} is no rating; {how}.").format(
                where=where, text=f"{text!r}", how=retold(_HOW)
            )
        )
    return float(text)


def is_rating(text: str) -> bool:
    """Whether `text` is a number of 0 or more, in plain digits."""
    return _NUMBER.fullmatch(text) is not None


def parse_score(text: str, *, where: str) -> float:
    """1, ½ or 0 from any of the signs for it; InputError for anything else."""
    score = _SCORES.get(text.casefold())
    if score is None:
        raise InputError(
            _("{where}: {text} is no result; {how}.").format(
                where=where, text=f"{text!r}", how=retold(_HOW)
            )
        )
    return score


def _split(entry: str, where: str) -> tuple[str, str]:
    parts = _SEPARATOR.split(entry.strip(), maxsplit=1)
    if len(parts) != 2 or not all(parts):
        raise InputError(
            _("{where}: {entry} is no game; {how}.").format(
                where=where, entry=f"{entry.strip()!r}", how=retold(_HOW)
            )
        )
    return parts[0], parts[1]


def _entries(line: str) -> Iterator[str]:
    """The games of one line; the byte order mark of a file from Windows is no part of one."""
    games, _, _ = line.lstrip("\ufeff").partition("#")
    return (entry for entry in games.split(",") if entry.strip())
