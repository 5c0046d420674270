"""One record of Lichess's game export (NDJSON) -> Game, and back.

Source: lichess-org/api, schemas/GameJson.yaml; lila, GameApiV2.toJson. Real records differ
from the schema: the computer has neither user nor rating, an anonymous player has no user,
evaluations may be empty objects, there may be one clock more than there are plies.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from sys import intern

from config.errors import InputError
from config.language import _, english
from engines.evals import LICHESS_ANALYSIS, PGN_COMMENTS, Color
from pipeline.fetch.export_evals import (
    analysis_by,
    analysis_by_to_export,
    evals_to_export,
    source_evals,
)
from pipeline.fetch.export_players import player_from_export, player_to_export
from pipeline.fetch.fields import Fields
from pipeline.fetch.speeds import SPEEDS, UNKNOWN_SPEED, speed_of_clock
from pipeline.fetch.statuses import is_result_known, status_of_termination
from pipeline.records import Clock, Game, Opening

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

MADE_ID = "pgn-"
"""Begins the ids of games that have none on Lichess; no id of Lichess's has a hyphen."""


def game_from_export(record: Mapping[str, object], *, where: str) -> Game:
    """The game in one record of the export.

    `createdAt` is in milliseconds since 1970, or a datetime (berserk converts). Fields that
    are unknown are ignored; id, rated, variant, createdAt and both players are required.
    Raises InputError naming the field and `where` ("games.ndjson, line 12").
    """
    fields = Fields(record, where)
    game_id = fields.text("id")
    moves = tuple(map(intern, (fields.optional_text("moves") or "").split()))
    initial_fen = fields.optional_text("initialFen")
    evals = source_evals(fields, plies=len(moves), initial_fen=initial_fen)
    clock = _clock(fields)
    winner = _winner(fields)
    status = fields.optional_text("status") or status_of_termination(
        fields.optional_text("termination")
    )
    players = fields.child("players")
    is_from_lichess = not game_id.startswith(MADE_ID)
    address = f"https://lichess.org/{game_id}" if is_from_lichess else fields.optional_text("url")
    engine, limit = analysis_by(fields, LICHESS_ANALYSIS if is_from_lichess else PGN_COMMENTS)
    return Game(
        id=game_id,
        variant=fields.text("variant"),
        speed=_speed(fields, clock),
        rated=fields.flag("rated"),
        created_at=_created_at(fields),
        white=player_from_export(players.child("white")),
        black=player_from_export(players.child("black")),
        winner=winner,
        result_known=is_result_known(status, winner),
        status=status,
        source=fields.optional_text("source"),
        url=address,
        clock=clock,
        opening=_opening(fields),
        initial_fen=initial_fen,
        moves_san=moves,
        clocks_centiseconds=_clocks(fields, plies=len(moves)),
        source_evals=evals,
        source_engine=engine if evals else None,
        source_limit=limit if evals else None,
    )


def game_to_export(game: Game) -> dict[str, object]:
    """The record that `game_from_export` reads as `game`, with createdAt in milliseconds.

    A game without a known result gets a status that says so. Fields of movelo's own: `url`, the
    address of a game that is not from Lichess, and `analysisBy`, where others evaluated it.
    """
    status = game.status
    if is_result_known(status, game.winner) and not game.result_known:
        status = "unknownFinish"
    record: dict[str, object | None] = {
        "id": game.id,
        "rated": game.rated,
        "variant": game.variant,
        "speed": game.speed,
        "perf": game.speed if game.variant in ("standard", "fromPosition") else game.variant,
        "createdAt": milliseconds(game.created_at),
        "status": status,
        "source": game.source,
        "players": {
            "white": player_to_export(game.white),
            "black": player_to_export(game.black),
        },
        "winner": game.winner,
        "initialFen": game.initial_fen,
        "opening": _opening_to_export(game.opening),
        "moves": " ".join(game.moves_san),
        "clocks": list(game.clocks_centiseconds) or None,
        "analysis": evals_to_export(game.source_evals) or None,
        "analysisBy": analysis_by_to_export(game),
        "clock": _clock_to_export(game.clock),
        "url": game.url if game.id.startswith(MADE_ID) else None,
    }
    return {key: value for key, value in record.items() if value is not None}


def milliseconds(moment: datetime) -> int:
    """Milliseconds since 1970, as Lichess counts; ValueError for a time without a zone."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment} has no time zone")
    return (moment - EPOCH) // timedelta(milliseconds=1)


def _created_at(fields: Fields) -> datetime:
    value = fields.values.get("createdAt")
    if isinstance(value, datetime):
        return value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC)
    try:
        return EPOCH + timedelta(milliseconds=fields.integer("createdAt"))
    except OverflowError:
        raise fields.wrong("createdAt", english("a time in milliseconds since 1970")) from None


def _winner(fields: Fields) -> Color | None:
    match fields.values.get("winner"):
        case None:
            return None
        case "white":
            return "white"
        case "black":
            return "black"
        case _:
            raise fields.wrong("winner", english("white or black"))


def _speed(fields: Fields, clock: Clock | None) -> str:
    stated = fields.optional_text("speed") or fields.optional_text("perf")
    if stated in (*SPEEDS, UNKNOWN_SPEED):
        return stated
    if fields.optional_text("speed"):
        raise fields.wrong("speed", english("one of {speeds}").format(speeds=", ".join(SPEEDS)))
    if clock is None:  # Lichess plays without a clock only by correspondence.
        return "correspondence"
    return speed_of_clock(clock.initial_seconds, clock.increment_seconds)


def _clock(fields: Fields) -> Clock | None:
    clock = fields.optional_child("clock")
    if clock is None:
        return None
    initial, increment = clock.integer("initial"), clock.integer("increment")
    if initial < 0 or increment < 0:
        raise fields.wrong("clock", english("a time control"))
    return Clock(initial_seconds=initial, increment_seconds=increment)


def _opening(fields: Fields) -> Opening | None:
    opening = fields.optional_child("opening")
    if opening is None:
        return None
    return Opening(
        eco=opening.optional_text("eco") or "",
        name=opening.optional_text("name") or "",
        ply=opening.optional_integer("ply"),
    )


def _clocks(fields: Fields, *, plies: int) -> tuple[int, ...]:
    clocks = fields.integers("clocks")
    # A last clock beyond the moves is that of the player who lost on time or resigned.
    if plies and len(clocks) > plies + 1:
        raise InputError(
            _(
                "{where}: there are {number} clocks for {plies} moves, so they cannot be "
                "told apart; export this game again or take it out"
            ).format(where=fields.where, number=len(clocks), plies=plies)
        )
    return clocks[:plies]


def _opening_to_export(opening: Opening | None) -> dict[str, object] | None:
    if opening is None:
        return None
    named: dict[str, object] = {"eco": opening.eco, "name": opening.name}
    return named if opening.ply is None else {**named, "ply": opening.ply}


def _clock_to_export(clock: Clock | None) -> dict[str, object] | None:
    if clock is None:
        return None
    total = clock.initial_seconds + 40 * clock.increment_seconds
    return {
        "initial": clock.initial_seconds,
        "increment": clock.increment_seconds,
        "totalTime": total,
    }
