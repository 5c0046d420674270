"""One player of a record of Lichess's game export -> GamePlayer, and back."""

from __future__ import annotations

from pipeline.fetch.fields import Fields
from pipeline.records import GamePlayer, LichessSummary

_RATINGS = (0, 9999)
"""What a PGN's tags could say too; Lichess's own lie from 400 to 4000."""


def player_from_export(player: Fields) -> GamePlayer:
    """The player; without a name for the computer and for anonymous players."""
    user = player.optional_child("user")
    # Imported games name players who have no account.
    named = user or player
    return GamePlayer(
        name=named.optional_text("name") or None,
        title=user.optional_text("title") if user else None,
        rating=player.optional_integer_from(*_RATINGS, "rating"),
        rating_diff=player.optional_integer_from(-_RATINGS[1], _RATINGS[1], "ratingDiff"),
        provisional=player.optional_flag("provisional"),
        computer_level=player.optional_integer("aiLevel"),
        berserk=player.optional_flag("berserk"),
        lichess_summary=_summary(player.optional_child("analysis")),
    )


def player_to_export(player: GamePlayer) -> dict[str, object]:
    """The object that `player_from_export` reads as `player`."""
    fields: dict[str, object | None] = {
        "user": _user(player),
        "rating": player.rating,
        "ratingDiff": player.rating_diff,
        "provisional": player.provisional or None,
        "aiLevel": player.computer_level,
        "berserk": player.berserk or None,
        "analysis": _summary_to_export(player.lichess_summary),
    }
    return {key: value for key, value in fields.items() if value is not None}


def _user(player: GamePlayer) -> dict[str, object] | None:
    if player.name is None:
        return None
    user: dict[str, object] = {"name": player.name, "id": player.name.lower()}
    return user if player.title is None else {**user, "title": player.title}


def _summary(summary: Fields | None) -> LichessSummary | None:
    if summary is None:
        return None
    return LichessSummary(
        inaccuracies=summary.integer("inaccuracy"),
        mistakes=summary.integer("mistake"),
        blunders=summary.integer("blunder"),
        average_centipawn_loss=summary.optional_integer("acpl"),
        accuracy_percent=summary.optional_integer("accuracy"),
    )


def _summary_to_export(summary: LichessSummary | None) -> dict[str, object] | None:
    if summary is None:
        return None
    fields: dict[str, object | None] = {
        "inaccuracy": summary.inaccuracies,
        "mistake": summary.mistakes,
        "blunder": summary.blunders,
        "acpl": summary.average_centipawn_loss,
        "accuracy": summary.accuracy_percent,
    }
    return {key: value for key, value in fields.items() if value is not None}
