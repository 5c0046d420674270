"""A file or standard input -> games: PGN or NDJSON, plain or compressed, told by content."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO, cast

from config.errors import InputError, UnreadableFile
from pipeline.fetch.compression import CutShort, archive_kind, unpacked_chunks
from pipeline.fetch.export import game_from_export
from pipeline.fetch.file_kinds import FileKind, kind_of
from pipeline.fetch.lines import LONGEST_LINE_BYTES, Line, numbered_lines
from pipeline.fetch.pgn import games_from_pgn
from pipeline.records import Game, SetAside

_LOOK_AHEAD_LINES = 50
_LOOK_AHEAD_BYTES = 64 * 1024


def read_games(path_or_dash: str | Path, *, stdin: BinaryIO) -> Iterator[Game | SetAside]:
    """The games of a file in order, and what had to be left out, each with its place.

    "-" reads `stdin`. Reads as it goes, one game in memory at a time; only a JSON document
    that is not one record a line is read whole (up to 16 MiB). Raises UnreadableFile, at the
    first `next`, for what cannot be opened, is empty, or is neither PGN nor NDJSON.
    """
    name = "standard input" if str(path_or_dash) == "-" else str(path_or_dash)
    with _opened(path_or_dash, name, stdin) as stream:
        try:
            yield from _games(stream, name)
        except OSError as error:
            reason = error.strerror or "reading failed"
            raise UnreadableFile(
                f"{name} cannot be read to its end ({reason}); check the disk and try again"
            ) from error


@contextmanager
def _opened(path_or_dash: str | Path, name: str, stdin: BinaryIO) -> Iterator[io.BufferedReader]:
    if str(path_or_dash) == "-":
        reader: io.BufferedReader = io.BufferedReader(cast(io.RawIOBase, stdin))
        try:
            yield reader
        finally:
            reader.detach()  # or closing `reader` would close `stdin`
        return
    with _open_file(Path(path_or_dash), name) as stream:
        yield stream


def _open_file(path: Path, name: str) -> io.BufferedReader:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise UnreadableFile(f"there is no file {name}; check the path") from None
    except IsADirectoryError:
        raise UnreadableFile(f"{name} is a directory; name a file in it") from None
    except PermissionError:
        raise UnreadableFile(f"{name} may not be read; change its permissions") from None
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{name} cannot be opened ({error}); check the path") from error


def _games(stream: io.BufferedReader, name: str) -> Iterator[Game | SetAside]:
    _refuse_archives(stream, name)
    reading = _Reading(numbered_lines(unpacked_chunks(stream)))
    ahead = _look_ahead(reading)
    if not ahead:
        raise UnreadableFile(
            f"{name} is cut at its very start; get the file again"
            if reading.is_cut
            else f"{name} is empty; give a file with games"
        )
    try:
        yield from _games_of_kind(kind_of(ahead), reading.from_start(ahead), name)
    except CutShort:
        yield SetAside(
            where=f"{name}, after line {reading.line}",
            reason="the compressed file is cut or damaged here; the games before were read,"
            " get the file again for the rest",
        )


class _Reading:
    """Lines as they are read: how far, and whether they end in a cut."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self.lines = lines
        self.line = 0
        self.is_cut = False

    def __iter__(self) -> Iterator[Line]:
        try:
            for line in self.lines:
                self.line = line.number
                yield line
        except CutShort:
            self.is_cut = True

    def from_start(self, ahead: Iterable[Line]) -> Iterator[Line]:
        """The lines that were looked at before, then the rest; CutShort where they are cut."""
        yield from chain(ahead, self)
        if self.is_cut:
            raise CutShort


def _refuse_archives(stream: io.BufferedReader, name: str) -> None:
    head = stream.peek(8)
    if kind := archive_kind(head):
        raise UnreadableFile(f"{name} is a {kind} archive; unpack it and give the file inside")
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableFile(f"{name} is UTF-16 text; save it as UTF-8 and give it again")


def _look_ahead(lines: Iterable[Line]) -> list[Line]:
    """The first lines, from the first that is not blank."""
    ahead: list[Line] = []
    size = 0
    for line in lines:
        if ahead or not line.is_blank:
            ahead.append(line)
            size += len(line.content)
        if len(ahead) >= _LOOK_AHEAD_LINES or size >= _LOOK_AHEAD_BYTES:
            break
    return ahead


def _games_of_kind(kind: FileKind, lines: Iterable[Line], name: str) -> Iterator[Game | SetAside]:
    match kind:
        case FileKind.NDJSON:
            return _games_from_ndjson(lines, name)
        case FileKind.JSON_DOCUMENT:
            return _games_from_document(lines, name)
        case FileKind.PGN:
            return games_from_pgn((line.text for line in lines), where=name)
        case FileKind.OTHER:
            raise UnreadableFile(
                f"{name} is neither PGN nor NDJSON as Lichess exports them; give such a file"
            )


def _games_from_ndjson(lines: Iterable[Line], name: str) -> Iterator[Game | SetAside]:
    for line in lines:
        if line.is_blank:
            continue
        where = f"{name}, line {line.number}"
        if line.is_too_long:
            reason = f"the line is longer than {LONGEST_LINE_BYTES} bytes; no game is"
            yield SetAside(where=where, reason=reason)
            continue
        try:
            record = json.loads(line.text)
        except (ValueError, RecursionError):
            reason = "the line is cut or not JSON; get the file again for this game"
            yield SetAside(where=where, reason=reason)
            continue
        yield _game(record, where)


def _games_from_document(lines: Iterable[Line], name: str) -> Iterator[Game | SetAside]:
    """The records of one JSON array, or one record over many lines."""
    try:
        document = json.loads("\n".join(_bounded(lines, name)))
    except (ValueError, RecursionError):
        raise UnreadableFile(
            f"{name} is JSON that is cut or damaged, and not one game a line; get it again,"
            " as NDJSON"
        ) from None
    records = document if isinstance(document, list) else [document]
    for number, record in enumerate(records, start=1):
        yield _game(record, f"{name}, record {number}")


def _bounded(lines: Iterable[Line], name: str) -> Iterator[str]:
    size = 0
    for line in lines:
        size += len(line.content)
        if size > LONGEST_LINE_BYTES or line.is_too_long:
            raise UnreadableFile(
                f"{name} is one JSON document of more than {LONGEST_LINE_BYTES} bytes;"
                " write it one game a line (jq -c '.[]' does)"
            )
        yield line.text


def _game(record: object, where: str) -> Game | SetAside:
    if not isinstance(record, dict):
        return SetAside(where=where, reason="this is JSON, but no game; take it out")
    try:
        return game_from_export(record, where=where)
    except InputError as error:
        return SetAside(where=where, reason=str(error).removeprefix(f"{where}: "))
