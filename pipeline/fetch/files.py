"""A file or standard input -> games: PGN or NDJSON, plain or compressed, told by content."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from config.errors import UnreadableFile
from config.language import _, english, retold
from pipeline.fetch.compression import CutShort, WindowTooLong, archive_kind, unpacked_chunks
from pipeline.fetch.export import game_to_export
from pipeline.fetch.file_kinds import FileKind, kind_of
from pipeline.fetch.json_games import ExportedGame, games_from_document, games_from_ndjson
from pipeline.fetch.lines import Line, numbered_lines
from pipeline.fetch.opened import OnRead, name_of, opened
from pipeline.fetch.pgn_skim import PgnSkimmer, Wanted
from pipeline.fetch.text_bytes import without_utf_16
from pipeline.records import Game, SetAside

_LOOK_AHEAD_LINES = 50
_LOOK_AHEAD_BYTES = 64 * 1024


def read_games(path_or_dash: str | Path, *, stdin: BinaryIO) -> Iterator[Game | SetAside]:
    """The games of a file in order, and what had to be left out, each with its place.

    "-" reads `stdin`. Reads as it goes, one game in memory at a time; only a JSON document
    that is not one record a line is read whole (up to 16 MiB). Raises UnreadableFile, at the
    first `next`, for what cannot be opened, is empty, or is neither PGN nor NDJSON.
    """
    for item in _read(path_or_dash, stdin, wanted=None, on_read=None):
        yield item.game if isinstance(item, ExportedGame) else item


def read_wanted_games(
    path_or_dash: str | Path,
    *,
    stdin: BinaryIO,
    wanted: Wanted,
    on_read: OnRead | None = None,
) -> Iterator[ExportedGame | SetAside]:
    """As `read_games`, only the wanted games, fast, each as a record of Lichess's export.

    The moves of a PGN in the form of Lichess's dumps are taken as they stand, as those of its
    NDJSON are. `wanted.left_out` counts the others as it goes.
    """
    for item in _read(path_or_dash, stdin, wanted=wanted, on_read=on_read):
        if isinstance(item, Game):
            yield ExportedGame(game=item, record=game_to_export(item))
        elif isinstance(item, SetAside):
            yield item
        elif (reason := wanted.games.why_left_out(item.game)) is not None:
            wanted.left_out[reason] += 1
        else:
            yield item


_Item = Game | ExportedGame | SetAside


def _read(
    path_or_dash: str | Path, stdin: BinaryIO, *, wanted: Wanted | None, on_read: OnRead | None
) -> Iterator[_Item]:
    name = name_of(path_or_dash)
    with opened(path_or_dash, stdin=stdin, on_read=on_read) as stream, _bounded_memory(name):
        _refuse_archives(stream, name)
        text = _Text(without_utf_16(unpacked_chunks(stream)))
        ahead = text.look_ahead()
        if not ahead:
            raise UnreadableFile(
                _("{name} is cut at its very start; get the file again").format(name=retold(name))
                if text.is_cut
                else _("{name} is empty; give a file with games").format(name=retold(name))
            )
        games, line = _games_of_kind(kind_of(ahead), text, name, wanted)
        yield from games
        if text.is_cut:
            yield SetAside(
                where=english("{source}, after line {number}").format(source=name, number=line()),
                reason=english(
                    "the compressed file is cut or damaged here; the games before were read, "
                    "get the file again for the rest"
                ),
            )


def _refuse_archives(stream: io.BufferedReader, name: str) -> None:
    if kind := archive_kind(stream.peek(8)):
        raise UnreadableFile(
            _("{name} is a {kind} archive; unpack it and give the file inside").format(
                name=retold(name), kind=kind
            )
        )


@contextmanager
def _bounded_memory(name: str) -> Iterator[None]:
    try:
        yield
    except WindowTooLong:
        raise UnreadableFile(
            _(
                "{name} is packed in a way that takes more than 128 MiB of memory to read; unpack "
                "it with zstd -d --long=31 and give the file inside"
            ).format(name=retold(name))
        ) from None


class _Text:
    """The chunks of a text, from its first line that is not blank to its end or its cut."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._head = b""
        self.first_line = 1
        self.is_cut = False

    def __iter__(self) -> Iterator[bytes]:
        return chain([self._head], self._rest())

    def look_ahead(self) -> list[Line]:
        """The first lines; the last of them may not be whole."""
        for chunk in self._rest():
            self._head += chunk
            if not (begun := self._head.lstrip()):
                self.first_line += self._head.count(b"\n")
                self._head = b""
            elif _is_enough(begun):
                break
        self._drop_blank_lines()
        lines = numbered_lines([self._head[: 2 * _LOOK_AHEAD_BYTES]], first=self.first_line)
        return [line for line in lines if not line.is_blank][:_LOOK_AHEAD_LINES]

    def _drop_blank_lines(self) -> None:
        blank = len(self._head) - len(self._head.lstrip())
        start = self._head.rfind(b"\n", 0, blank) + 1
        self.first_line += self._head.count(b"\n", 0, start)
        self._head = self._head[start:]

    def _rest(self) -> Iterator[bytes]:
        try:
            # Not "yield from", which would close the chunks after the look ahead.
            for chunk in self._chunks:  # noqa: UP028
                yield chunk
        except CutShort:
            self.is_cut = True


def _is_enough(head: bytes) -> bool:
    return len(head) >= _LOOK_AHEAD_BYTES or head.count(b"\n") >= _LOOK_AHEAD_LINES


def _games_of_kind(
    kind: FileKind, text: _Text, name: str, wanted: Wanted | None
) -> tuple[Iterator[_Item], Callable[[], int]]:
    """The games, and how to ask for the line that was read last."""
    lines = _Lines(numbered_lines(text, first=text.first_line))
    match kind:
        case FileKind.NDJSON:
            return games_from_ndjson(lines, name), lambda: lines.line
        case FileKind.JSON_DOCUMENT:
            return games_from_document(lines, name), lambda: lines.line
        case FileKind.PGN:
            skimmer = PgnSkimmer(where=name, first_line=text.first_line, wanted=wanted)
            return skimmer.games(text), lambda: skimmer.line
        case FileKind.OTHER:
            raise UnreadableFile(
                _(
                    "{name} is neither PGN nor NDJSON as Lichess exports them; give such a file"
                ).format(name=retold(name))
            )


class _Lines:
    """Lines as they are read, and which was the last."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = lines
        self.line = 0

    def __iter__(self) -> Iterator[Line]:
        for line in self._lines:
            self.line = line.number
            yield line
