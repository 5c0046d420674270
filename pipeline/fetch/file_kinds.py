"""What a file is, told by its first lines."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from enum import Enum, auto

from pipeline.fetch.lines import Line

_TAG = re.compile(r'\s*\[\s*\w+\s+"')
_FIRST_MOVE = re.compile(r"\s*1\s*\.+\s*(?:[A-Z]?[a-h]?[1-8]?x?[a-h][1-8]|O-O|$)")


class FileKind(Enum):
    """The shapes in which games come."""

    NDJSON = auto()
    JSON_DOCUMENT = auto()
    PGN = auto()
    OTHER = auto()


def kind_of(first_lines: Sequence[Line]) -> FileKind:
    """The kind of a file that starts with `first_lines`, the first of which is not blank."""
    texts = [line.text for line in first_lines if not line.is_blank]
    if "\0" in texts[0] or texts[0].lstrip().startswith("<"):
        return FileKind.OTHER
    for text in texts:
        if _TAG.match(text) or _FIRST_MOVE.match(text):
            return FileKind.PGN
        if _is_json_object(text):
            return FileKind.NDJSON
        if _is_json_array(text) or _is_spread_out(texts):
            return FileKind.JSON_DOCUMENT
        if text.lstrip().startswith("{") and '"' in text:  # a record cut in half
            return FileKind.NDJSON
    if any(line.is_too_long for line in first_lines):
        return FileKind.JSON_DOCUMENT
    return FileKind.OTHER


def _is_json_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _is_json_array(text: str) -> bool:
    opened = text.lstrip()
    return opened.startswith("[") and opened[1:].lstrip()[:1] in ("", "{", "]")


def _is_spread_out(texts: Sequence[str]) -> bool:
    """A record over several lines: what follows its brace is a name, not another record."""
    if not texts[0].lstrip().startswith("{"):
        return False
    opened = " ".join(text.strip() for text in texts[:2])[1:].lstrip()
    return len(texts) > 1 and opened.startswith('"') and not texts[1].lstrip().startswith("{")
