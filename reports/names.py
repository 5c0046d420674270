"""Players, openings and links: whatever strangers wrote, made fit to be shown."""

from __future__ import annotations

from urllib.parse import urlsplit

from config.language import _
from pipeline.records import GamePlayer, Opening
from reports.lines import ABSENT, one_line
from reports.words import rating_text

_LONGEST_LINK = 200


def player_name(player: GamePlayer) -> str:
    """`GM Rosalind`, `Anonymous`, `Computer level 3`."""
    if player.computer_level is not None:
        return _("Computer level {computer_level}").format(computer_level=player.computer_level)
    if player.name is None:
        return _("Anonymous")
    name = one_line(player.name)
    return f"{one_line(player.title, 8)} {name}" if player.title else name


def player_rating(player: GamePlayer) -> str:
    """The rating before the game, `?` behind it while provisional; a dash when unknown."""
    return rating_text(player.rating, provisional=player.provisional)


def player_with_rating(player: GamePlayer) -> str:
    """`GM Rosalind (1,834?)`; the name alone when there is no rating."""
    if player.rating is None:
        return player_name(player)
    return f"{player_name(player)} ({player_rating(player)})"


def opening_name(opening: Opening | None) -> str:
    """`C52 Italian Game: Evans Gambit`, `C52` where it has no name; a dash when unknown."""
    if opening is None:
        return ABSENT
    eco, name = one_line(opening.eco, 8), one_line(opening.name, 100)
    return " ".join(part for part in (eco, name) if part != ABSENT) or ABSENT


def lichess_link(url: str | None) -> str | None:
    """`url` if it leads to lichess.org over http(s) and nowhere else, otherwise None."""
    if url is None or len(url) > _LONGEST_LINK or not _is_plain_ascii(url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    safe = parts.scheme in ("http", "https") and parts.netloc.lower() == "lichess.org"
    return url if safe else None


def _is_plain_ascii(url: str) -> bool:
    return url.isascii() and url.isprintable() and not any(char in url for char in " \"'<>\\`")
