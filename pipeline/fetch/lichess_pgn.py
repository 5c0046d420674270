"""A game in exactly the form of Lichess's database dumps -> Game, without a board.

That form has one tag a line, a blank line, and all moves in one line, each with at most one
comment that holds an evaluation, a clock, or both. The moves are taken on trust, as those of
Lichess's NDJSON are: `pipeline.replay` checks them where they are used.
Source: database.lichess.org; lila, modules/game/src/main/PgnDump.scala.
"""

from __future__ import annotations

import re
from functools import lru_cache
from sys import intern

from pipeline.fetch.pgn import game_of
from pipeline.fetch.pgn_comments import clock_in, evaluation_in, trimmed
from pipeline.fetch.pgn_tags import lichess_id_of
from pipeline.fetch.pgn_text import LONGEST_TAG_CHARACTERS, RESULTS
from pipeline.records import Game, SourceEval

_TAG = re.compile(r'^\[(\w+) "([^"\\\n\r\0]*)"\]$', re.MULTILINE | re.ASCII)
_SAN = r"(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=[QRBN])?|O-O(?:-O)?)[+#]?"
_MOVE = re.compile(
    rf"((?:\d+\.+ )?({_SAN})[?!]{{0,2}} "
    r"(?:\{ (?:\[%eval ([^\]{}#]+|#-?[1-9]\d*)\] )?(?:\[%clk ([^\]{}]+)\] )?\} )?)",
    re.ASCII,
)


def game_in_dump_form(tag_section: bytes, movetext: bytes) -> Game | None:
    """The game, or None where anything is not in the form: then it is another reader's.

    `tag_section` ends before the blank line, `movetext` has no line end but at its very end.
    """
    try:
        tag_text, moves_text = tag_section.decode(), movetext.decode("ascii").strip()
    except UnicodeDecodeError:
        return None
    tags = _tags(tag_text)
    game_id = lichess_id_of(tags) if tags else None
    result = moves_text.rpartition(" ")[2]
    if game_id is None or result not in RESULTS or not _is_standard(tags):
        return None
    columns = _move_columns(moves_text.removesuffix(result))
    if columns is None:
        return None
    moves_san, evals, clocks = columns
    return game_of(
        tags,
        game_id=game_id,
        variant="standard",
        result=result,
        moves_san=tuple(map(intern, moves_san)),
        clocks_centiseconds=_clocks(clocks),
        source_evals=trimmed(list(map(_source_eval, evals))) if any(evals) else (),
    )


_NO_CLOCK = -1

_Columns = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def _tags(text: str) -> dict[str, str]:
    """None at all, if one line is not a plain tag or the lines are longer than tags are."""
    found = _TAG.findall(text)
    if len(found) != text.count("\n") + 1 or len(text) > LONGEST_TAG_CHARACTERS:
        return {}
    return dict(found)


def _is_standard(tags: dict[str, str]) -> bool:
    return tags.get("Variant", "Standard") == "Standard" and "FEN" not in tags


def _move_columns(text: str) -> _Columns | None:
    """SAN, evaluation and clock of each move; None unless `text` is nothing but moves."""
    found = _MOVE.findall(text)
    if not found:
        return None if text else ((), (), ())
    whole, moves_san, evals, clocks = zip(*found, strict=True)
    if sum(map(len, whole)) != len(text):
        return None
    return moves_san, evals, clocks


def _clocks(texts: tuple[str, ...]) -> tuple[int, ...]:
    """As far as every move has one."""
    clocks = list(map(_clock, texts))
    known = clocks.index(_NO_CLOCK) if _NO_CLOCK in clocks else len(clocks)
    return tuple(clocks[:known])


@lru_cache(maxsize=65536)
def _clock(text: str) -> int:
    centiseconds = clock_in(f"[%clk {text}]")
    return _NO_CLOCK if centiseconds is None else centiseconds


@lru_cache(maxsize=16384)
def _source_eval(text: str) -> SourceEval:
    # A mate on the board, of which only the mover is sure, is not in the form.
    return SourceEval(evaluation=evaluation_in(f"[%eval {text}]", "white"))
