"""Lichess's export as JSON text -> games: one record a line, or one document of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from config.errors import InputError, UnreadableFile
from config.language import _, english, retold, speaking
from pipeline.fetch.export import game_from_export
from pipeline.fetch.lines import LONGEST_LINE_BYTES, Line
from pipeline.records import Game, SetAside


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedGame:
    """A game and the record that it was read from, which may hold more than the game does."""

    game: Game
    record: Mapping[str, object]


def games_from_ndjson(lines: Iterable[Line], name: str) -> Iterator[ExportedGame | SetAside]:
    """The game in each line that is not blank, or why there is none."""
    for line in lines:
        if line.is_blank:
            continue
        where = english("{source}, line {number}").format(source=name, number=line.number)
        if line.is_too_long:
            reason = english(
                "the line is longer than {longest_line_bytes} bytes; no game is"
            ).format(longest_line_bytes=LONGEST_LINE_BYTES)
            yield SetAside(where=where, reason=reason)
            continue
        try:
            record = json.loads(line.text)
        except (ValueError, RecursionError):
            reason = english("the line is cut or not JSON; get the file again for this game")
            yield SetAside(where=where, reason=reason)
            continue
        yield _game(record, where)


def games_from_document(lines: Iterable[Line], name: str) -> Iterator[ExportedGame | SetAside]:
    """The records of one JSON array, or one record over many lines; read whole (to 16 MiB)."""
    try:
        document = json.loads("\n".join(_bounded(lines, name)))
    except (ValueError, RecursionError):
        raise UnreadableFile(
            _(
                "{name} is JSON that is cut or damaged, and not one game a line; get it "
                "again, as NDJSON"
            ).format(name=retold(name))
        ) from None
    records = document if isinstance(document, list) else [document]
    for number, record in enumerate(records, start=1):
        yield _game(record, english("{source}, record {number}").format(source=name, number=number))


def _bounded(lines: Iterable[Line], name: str) -> Iterator[str]:
    size = 0
    for line in lines:
        size += len(line.content)
        if size > LONGEST_LINE_BYTES or line.is_too_long:
            raise UnreadableFile(
                _(
                    "{name} is one JSON document of more than {longest_line_bytes} bytes; "
                    "write it one game a line (jq -c '.[]' does)"
                ).format(name=retold(name), longest_line_bytes=LONGEST_LINE_BYTES)
            )
        yield line.text


def _game(record: object, where: str) -> ExportedGame | SetAside:
    if not isinstance(record, dict):
        return SetAside(where=where, reason=english("this is JSON, but no game; take it out"))
    try:
        with speaking("en"):  # the sentence is kept
            return ExportedGame(game=game_from_export(record, where=where), record=record)
    except InputError as error:
        return SetAside(where=where, reason=str(error).removeprefix(f"{where}: "))
