"""A made-up Lichess database dump: legal random games, every tag and comment of the real ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import zstandard
from made_games import random_export_game

FRAME_BYTES = 4 * 1024 * 1024
TIME_CONTROLS = ("60+0", "180+0", "180+2", "300+0", "300+3", "600+0", "600+5", "1800+20")
SPEED_WORDS = ("Bullet", "Blitz", "Blitz", "Blitz", "Blitz", "Rapid", "Rapid", "Classical")
PLAYERS = 20_000


def write_dump(dump: Path, games: int) -> None:
    """A file of many zstd frames, as Lichess's are."""
    compressor = zstandard.ZstdCompressor(level=7)
    waiting: list[bytes] = []
    size = 0
    with dump.open("wb") as file:
        for text in made_games(games):
            waiting.append(text.encode())
            size += len(waiting[-1])
            if size >= FRAME_BYTES:
                file.write(compressor.compress(b"".join(waiting)))
                waiting, size = [], 0
        file.write(compressor.compress(b"".join(waiting)))


def made_games(count: int, *, different: int = 300, seed: int = 1) -> Iterator[str]:
    """`different` games, again and again with other tags, clocks and evaluations."""
    chance = random.Random(seed)
    lengths = [chance.randint(20, 110) for _ in range(different)]
    moves = [random_export_game(n, plies=p)["moves"].split() for n, p in enumerate(lengths)]
    for number in range(count):
        yield made_game(number, chance.choice(moves), chance)


def made_game(number: int, moves: list[str], chance: random.Random) -> str:
    kind = chance.randrange(len(TIME_CONTROLS))
    white, black = (int(min(2700, max(700, chance.gauss(1650, 380)))) for _ in range(2))
    result = chance.choice(("1-0", "0-1", "1/2-1/2"))
    date = f"2026.10.{1 + number % 31:02}"
    minute, second = divmod(number % 3600, 60)
    site = f"https://lichess.org/{chance.randrange(36**8):08x}"[:28]
    return (
        f'[Event "Rated {SPEED_WORDS[kind]} game"]\n[Site "{site}"]\n[Date "{date}"]\n'
        f'[Round "-"]\n[White "Player_{chance.randrange(PLAYERS)}"]\n'
        f'[Black "Player_{chance.randrange(PLAYERS)}"]\n[Result "{result}"]\n'
        f'[UTCDate "{date}"]\n[UTCTime "{number % 24:02}:{minute:02}:{second:02}"]\n'
        f'[WhiteElo "{white}"]\n[BlackElo "{black}"]\n'
        f'[WhiteRatingDiff "{chance.randint(-12, 12):+}"]\n'
        f'[BlackRatingDiff "{chance.randint(-12, 12):+}"]\n[ECO "A00"]\n'
        f'[Opening "Invented Defense: Variation {number % 977}"]\n'
        f'[TimeControl "{TIME_CONTROLS[kind]}"]\n[Termination "Normal"]\n\n'
        f"{movetext(moves, int(TIME_CONTROLS[kind].split('+')[0]), chance)} {result}\n\n"
    )


def movetext(moves: list[str], initial_seconds: int, chance: random.Random) -> str:
    """One game in six has evaluations, all have clocks."""
    with_evals = chance.random() < 1 / 6
    left = [initial_seconds, initial_seconds]
    evaluation = 0.2
    words = []
    for ply, san in enumerate(moves):
        left[ply % 2] = max(0, left[ply % 2] - int(chance.random() * initial_seconds / 40))
        evaluation += chance.random() - 0.5
        seconds = left[ply % 2]
        clock = f"[%clk {seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}]"
        comment = f"[%eval {evaluation:.2f}] {clock}" if with_evals else clock
        words.append(f"{ply // 2 + 1}{'...' if ply % 2 else '.'} {san} {{ {comment} }}")
    return " ".join(words)
