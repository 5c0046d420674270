"""Whatever a file may hold, read and taken all the way: the report, the store, PGN again.

    python tests/fuzz_games.py --seconds 600

See `fuzz_driver` for what else it can be told.
"""

import gzip
import io
import itertools
import json
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any
from zlib import crc32

import zstandard
from fuzz_driver import NASTY, broken, main
from made_games import random_export_game
from made_workshop import SELECTION, LevelEngine, made_workshop
from rich.console import Console

from config.choices import Speed
from config.errors import MoveloError
from config.language import retold, speaking
from pipeline.fetch.export import game_from_export, game_to_export
from pipeline.fetch.files import read_games, read_wanted_games
from pipeline.fetch.game_filter import GameFilter
from pipeline.fetch.pgn_skim import Wanted
from pipeline.importing import import_games
from pipeline.records import Game, GameReport, PlayerReport, SetAside
from pipeline.replay import replay
from pipeline.run import report_from_store, report_on, report_on_game
from pipeline.selection import Selection
from pipeline.store import Store
from pipeline.workshop import Workshop
from reports.game_page import game_to_html
from reports.terminal import render_report
from reports.terminal_game import render_game
from reports.to_csv import games_to_csv
from reports.to_html import report_to_html
from reports.to_json import game_to_json, report_to_json

ALL_SPEEDS: tuple[Speed, ...] = (
    *("ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", "unknown"),
)

PGN = """\
[Event "Rated Blitz game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2024.01.01"]
[White "Quillfeather"]
[Black "Moorhenry"]
[Result "1-0"]
[UTCDate "2024.01.01"]
[UTCTime "10:00:00"]
[WhiteElo "1500"]
[BlackElo "1512"]
[WhiteRatingDiff "+5"]
[BlackTitle "FM"]
[Variant "Standard"]
[TimeControl "300+3"]
[ECO "C60"]
[Opening "Ruy Lopez"]
[Termination "Time forfeit"]

1. e4 { [%eval 0.2] [%clk 0:05:00] } 1... e5 { [%eval 0.3] [%clk 0:05:00] } \
2. Nf3 { [%eval #3] [%clk 0:04:59] } 2... Nc6 { [%clk 0:04:58] } 3. Bb5 a6 4. Ba4 Nf6 1-0

"""
OTHER_PGN = """\
[Event "Club (round 3)"]
[Site "?"]
[Date "1998.??.??"]
[White "Quillfeather"]
[Black "Nováková, Zoë"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"]
[TimeControl "40/7200:1800+30"]

40... Kd7 $1 {a word} ( 40... Kf7 41. e4 ( 41. Kd2 ) ; the rest
) 41. e4! Ke6 1/2-1/2

"""
KEPT = (
    *("id", "variant", "speed", "created_at", "winner", "result_known", "clock", "initial_fen"),
    *("moves_san", "clocks_centiseconds", "source_evals"),
)


def seeds() -> tuple[bytes, ...]:
    """A whole file of each kind."""
    record = random_export_game(1, plies=12, analysed=True)
    lines = "\n".join(json.dumps(random_export_game(n, plies=12)) for n in range(2))
    pgn, ndjson = PGN.encode(), json.dumps(record).encode()
    return (
        *(pgn, PGN.replace("\n", "\r\n").encode(), OTHER_PGN.encode(), OTHER_PGN.encode("utf-16")),
        *(pgn + OTHER_PGN.encode("cp1252"), OTHER_PGN.encode() + pgn, ndjson, lines.encode()),
        *(f"[{json.dumps(record)}]".encode(), json.dumps(record, indent=1).encode()),
        *(gzip.compress(pgn), zstandard.compress(ndjson), zstandard.compress(b"") * 3),
    )


def changed(seed: bytes, chance: random.Random) -> bytes:
    """A field of a record, or a tag, gets a value that nobody foresaw; or anything is broken."""
    if chance.random() < 0.5:
        return broken(seed, chance)
    try:
        record = json.loads(seed)
        _spoil(record, chance)
        return json.dumps(record).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError, TypeError):
        return _with_a_changed_tag(seed, chance)


def _spoil(record: Any, chance: random.Random) -> None:
    by_name: dict[str, list[tuple[Any, Any]]] = {}
    for holder, key in _places(record):
        by_name.setdefault(key if isinstance(key, str) else "an item", []).append((holder, key))
    for name in chance.sample(sorted(by_name), min(len(by_name), chance.choice((1, 1, 2, 5)))):
        holder, key = chance.choice(by_name[name])
        holder[key] = _value(chance)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(pairs):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


def _value(chance: random.Random) -> Any:
    numbers = (0, -1, 1, 2**31, 2**63, 10**9, 10**30, 1.5, 1e308, float("nan"), 253402300799999)
    word = chance.choice(NASTY).decode("utf-8", "surrogatepass")
    return chance.choice((*numbers, word, word * 30, None, True, [], {}, [word], {"a": word}))


def _with_a_changed_tag(seed: bytes, chance: random.Random) -> bytes:
    start = seed.find(b' "', chance.randint(0, len(seed))) + 2
    end = seed.find(b'"]', start)
    if start < 2 or end < 0:
        return broken(seed, chance)
    return seed[:start] + chance.choice(NASTY) + seed[end:]


def check_file(data: bytes) -> None:
    """Read it as `movelo report`, `movelo game` and `movelo import` do.

    One in four goes all the way: reading breaks most, and takes a twentieth of the time.
    """
    found = _read(data)
    for one in found:
        if isinstance(one, SetAside):
            _check_sentence(one.where, one.reason)
        else:
            _check_game(one)
    if crc32(data) % 4:
        return
    with _workshop() as tools:
        _check_report(found, tools)
        _check_games([one for one in found if isinstance(one, Game)][:2], tools)
        _check_import(data, tools)


def _read(data: bytes) -> list[Game | SetAside]:
    try:
        return list(itertools.islice(read_games("-", stdin=io.BytesIO(data)), 1000))
    except MoveloError as error:
        _check_sentence(str(error))
        return []


def _check_sentence(*sentences: str) -> None:
    for sentence in sentences:
        assert sentence.strip()
        assert len(sentence) < 5000, f"{len(sentence)} letters: {sentence[:200]}"
        with speaking("fr"):
            retold(sentence)


def _check_game(game: Game) -> None:
    """Written as Lichess would have, it is the same game; its moves can be followed, or not."""
    record = json.loads(json.dumps(game_to_export(game)))
    again = game_from_export(record, where="its own export")
    differing = [
        (name, getattr(again, name), getattr(game, name))
        for name in KEPT
        if getattr(again, name) != getattr(game, name)
    ]
    assert not differing, str(differing)[:400]
    try:
        replay(game)
    except MoveloError as error:
        _check_sentence(str(error))


def _check_report(found: list[Game | SetAside], tools: Workshop) -> None:
    selection = Selection(player=SELECTION.player, speeds=ALL_SPEEDS, casual=True)
    try:
        report = report_on(found, selection, tools)
    except MoveloError as error:
        _check_sentence(str(error))
        return
    for text in _shown(report):
        text.encode()


def _shown(report: PlayerReport) -> Iterator[str]:
    yield report_to_html(report, zone=UTC)
    json_text = report_to_json(report)
    json.loads(json_text, parse_constant=_refuse)
    yield json_text
    yield games_to_csv(report)
    console = Console(file=io.StringIO(), width=100)
    render_report(report, console, zone=UTC)
    yield console.file.getvalue()  # type: ignore[attr-defined]


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def _check_games(games: list[Game], tools: Workshop) -> None:
    for game in games:
        try:
            report = report_on_game(game, tools)
        except MoveloError as error:
            _check_sentence(str(error))
            continue
        for text in _shown_game(report):
            text.encode()


def _shown_game(report: GameReport) -> Iterator[str]:
    yield game_to_html(report, zone=UTC)
    json_text = game_to_json(report)
    json.loads(json_text, parse_constant=_refuse)
    yield json_text
    console = Console(file=io.StringIO(), width=100)
    render_game(report, console, zone=UTC)
    yield console.file.getvalue()  # type: ignore[attr-defined]


def _check_import(data: bytes, tools: Workshop) -> None:
    """What is put into the store comes out of it again."""
    wanted = Wanted(GameFilter(casual=True), Counter())
    try:
        imported = import_games(
            itertools.islice(read_wanted_games("-", stdin=io.BytesIO(data), wanted=wanted), 1000),
            tools.store,
        )
        _check_sentence(*(one.reason for one in imported.unreadable))
        report_from_store(Selection(player="Quillfeather", speeds=ALL_SPEEDS, casual=True), tools)
    except MoveloError as error:
        _check_sentence(str(error))


@contextmanager
def _workshop() -> Iterator[Workshop]:
    """A store of its own, empty, and an engine that finds everything level."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "movelo.sqlite"
        file.write_bytes(_empty_store())
        with Store(file) as store:
            yield replace(made_workshop(store), open_evaluator=LevelEngine().crew)


_made: list[bytes] = []


def _empty_store() -> bytes:
    """Making one takes longer than all the rest."""
    if not _made:
        with tempfile.TemporaryDirectory() as folder:
            with Store(Path(folder) / "movelo.sqlite"):
                pass
            _made.append((Path(folder) / "movelo.sqlite").read_bytes())
    return _made[0]


if __name__ == "__main__":
    main(check_file, seeds(), change=changed)
