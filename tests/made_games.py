"""Invented games, in the shape of Lichess's export: legal random moves, made-up everything."""

from __future__ import annotations

import random
from typing import Any

import chess

FIRST_GAME_AT_MS = 1_700_000_000_000

ENDINGS = ("resign", "outoftime", "draw")


def random_export_game(
    seed: int,
    *,
    white: str = "Quillfeather",
    black: str = "Moorhenry",
    plies: int = 40,
    created_at_ms: int | None = None,
    speed: str = "blitz",
    initial_seconds: int = 300,
    increment_seconds: int = 3,
    rated: bool = True,
    clocks: bool = True,
    analysed: bool = False,
) -> dict[str, Any]:
    """One finished game of at most `plies` random legal moves, the same for the same seed."""
    chance = random.Random(seed)
    board = chess.Board()
    moves = [_random_move(board, chance) for _ in range(plies) if not board.is_game_over()]
    created = FIRST_GAME_AT_MS + seed * 600_000 if created_at_ms is None else created_at_ms
    game: dict[str, Any] = {
        "id": game_id(seed),
        "rated": rated,
        "variant": "standard",
        "speed": speed,
        "perf": speed,
        "createdAt": created,
        "lastMoveAt": created + 4_000 * len(moves),
        "source": "pool",
        "players": {
            "white": _player(white, chance, rated=rated, analysed=analysed),
            "black": _player(black, chance, rated=rated, analysed=analysed),
        },
        "opening": {"eco": "A00", "name": "Défense Inventée", "ply": 2},
        "moves": " ".join(moves),
        "clock": {
            "initial": initial_seconds,
            "increment": increment_seconds,
            "totalTime": initial_seconds + 40 * increment_seconds,
        },
        **_ending(board, chance),
    }
    if clocks:
        game["clocks"] = _clocks(len(moves), initial_seconds, increment_seconds, chance)
    if analysed:
        game["analysis"] = _analysis(board, len(moves), chance)
    return game


def export_games(
    count: int, *, player: str = "Quillfeather", **options: Any
) -> list[dict[str, Any]]:
    """`count` games of one player, newest first, who has White in every other one."""
    opponents = ("Moorhenry", "Tobermolly", "Fennimore_7")
    games = []
    for seed in range(count):
        sides = (player, opponents[seed % 3])
        white, black = sides if seed % 2 == 0 else sides[::-1]
        games.append(random_export_game(seed, white=white, black=black, **options))
    return games[::-1]


def game_id(seed: int) -> str:
    """Eight letters and digits, one per seed."""
    return f"Made{seed:04d}"


def _random_move(board: chess.Board, chance: random.Random) -> str:
    move = chance.choice(sorted(board.legal_moves, key=str))
    san = board.san(move)
    board.push(move)
    return san


def _player(name: str, chance: random.Random, *, rated: bool, analysed: bool) -> dict[str, Any]:
    player: dict[str, Any] = {
        "user": {"name": name, "id": name.lower()},
        "rating": chance.randint(900, 2400),
    }
    if rated:
        player["ratingDiff"] = chance.randint(-8, 8)
    if analysed:
        player["analysis"] = {
            "inaccuracy": chance.randint(0, 6),
            "mistake": chance.randint(0, 4),
            "blunder": chance.randint(0, 3),
            "acpl": chance.randint(10, 90),
            "accuracy": chance.randint(60, 98),
        }
    return player


def _ending(board: chess.Board, chance: random.Random) -> dict[str, str]:
    if board.is_checkmate():
        return {"status": "mate", "winner": "black" if board.turn else "white"}
    if board.is_stalemate():
        return {"status": "stalemate"}
    status = "draw" if board.is_game_over() else chance.choice(ENDINGS)
    return {"status": status} | (
        {} if status == "draw" else {"winner": chance.choice(chess.COLOR_NAMES)}
    )


def _clocks(plies: int, initial: int, increment: int, chance: random.Random) -> list[int]:
    left = [initial * 100 + 3, initial * 100 + 3]
    clocks = []
    for ply in range(plies):
        if ply >= 2:
            spent = chance.randint(10, 900)
            left[ply % 2] = max(1, left[ply % 2] - spent + increment * 100)
        clocks.append(left[ply % 2])
    return clocks


def _analysis(board: chess.Board, plies: int, chance: random.Random) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    centipawns = 20
    for _ in range(plies):
        centipawns += chance.randint(-60, 60)
        entries.append({"eval": centipawns})
    return entries[:-1] if board.is_checkmate() else entries
