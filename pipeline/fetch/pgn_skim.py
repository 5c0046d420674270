"""The bytes of a PGN -> games, with no more work on each than it takes.

The text is cut before every line that begins with [Event "…: whatever stood open there, a game
begins (`pgn_text.GameReader` says the same). Where such a piece is plainly one game, its tags
alone may say that it is not wanted, and its moves are never looked at. What is not plain goes
line by line to the reader that copes with everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pipeline.fetch.game_filter import GameFilter, LeftOut
from pipeline.fetch.lichess_pgn import game_in_dump_form
from pipeline.fetch.pgn import game_or_reason
from pipeline.fetch.pgn_text import (
    LONGEST_GAME_CHARACTERS,
    LONGEST_TAG_CHARACTERS,
    GameReader,
    WrittenGame,
)
from pipeline.fetch.tag_filter import FIRST_TAG, TagFilter
from pipeline.fetch.text_bytes import text_of
from pipeline.records import Game, SetAside

_BETWEEN = b"\n" + FIRST_TAG
_BLOCK_BYTES = 512 * 1024


class Wanted:
    """What is taken from a text; `left_out` counts what is not, as it is read."""

    def __init__(self, games: GameFilter, left_out: Counter[LeftOut]) -> None:
        self.games = games
        self.left_out = left_out
        self.by_tags = TagFilter(games)


class PgnSkimmer:
    """Reads one text; `line` is the last that was read.

    With `wanted`, games in the form of Lichess's dumps are taken without following their moves
    on a board. Without, every game is checked and none left out.
    """

    def __init__(self, *, where: str, first_line: int, wanted: Wanted | None) -> None:
        self._where = where
        self._wanted = wanted
        self._reader = GameReader()
        # What is read and not used yet: the text after a first tag, or loose text. It begins
        # with the end of a line before the first, so that a first tag may open the text.
        self._pending, self._next_line = b"\n", first_line - 1
        self._is_loose = True
        self._is_inside_overlong_line = False

    @property
    def line(self) -> int:
        """How far the reading is."""
        return self._next_line - 1

    def games(self, chunks: Iterable[bytes]) -> Iterator[Game | SetAside]:
        """The wanted games in order, and what cannot be read, each with its place."""
        for block in _blocks(chunks):
            *pieces, self._pending = (self._pending + self._plain(block)).split(_BETWEEN)
            if pieces:
                yield from self._pieces(pieces)
            if len(self._pending) > LONGEST_GAME_CHARACTERS:
                yield from self._part_of_overlong_game()
        yield from self._pieces([self._pending])
        yield from self._games_of(self._reader.close())

    def _plain(self, block: bytes) -> bytes:
        """The block with plain line ends, and without the rest of a line that nobody keeps."""
        if self._is_inside_overlong_line:
            end = block.find(b"\n")
            self._is_inside_overlong_line = end < 0
            block = block[end:] if end >= 0 else b""
        return block.replace(b"\r\n", b"\n") if b"\r" in block else block

    def _pieces(self, pieces: Sequence[bytes]) -> Iterator[Game | SetAside]:
        """What stood before, between and after first tags."""
        if self._is_loose:
            self._is_loose = False
            yield from self._lines(pieces[0])
            pieces = pieces[1:]
        why_left_out = self._wanted.by_tags.why_left_out if self._wanted else _never
        left_out = self._wanted.left_out if self._wanted else Counter[LeftOut]()
        done, reader = 0, self._reader
        is_between_games = not reader.game.is_begun
        for index, piece in enumerate(pieces):
            tags_end = _end_of_tags(piece)
            if tags_end and is_between_games and (reason := why_left_out(piece, tags_end)):
                left_out[reason] += 1
                continue
            self._count(pieces[done:index])
            done = index + 1
            yield from self._piece(piece, tags_end)
            is_between_games = not reader.game.is_begun
        self._count(pieces[done:])

    def _count(self, passed_over: Sequence[bytes]) -> None:
        self._next_line += len(passed_over) + sum(piece.count(b"\n") for piece in passed_over)
        self._reader.pass_over(len(passed_over))

    def _piece(self, piece: bytes, tags_end: int) -> Iterator[Game | SetAside]:
        yield from self._games_of(self._reader.end_before_first_tag())
        if tags_end and self._wanted is not None and not self._reader.game.is_begun:
            tag_section, movetext = FIRST_TAG + piece[:tags_end], piece[tags_end + 2 :]
            if (game := game_in_dump_form(tag_section, movetext)) is not None:
                self._count([piece])
                yield from self._chosen(game)
                return
        yield from self._lines(FIRST_TAG + piece)

    def _lines(self, text: bytes) -> Iterator[Game | SetAside]:
        for line in text.split(b"\n"):
            yield from self._games_of(self._reader.read(text_of(line), self._next_line))
            self._next_line += 1

    def _part_of_overlong_game(self) -> Iterator[Game | SetAside]:
        """Hand on what is there, so that memory stays bounded; the reader says what it is."""
        text = self._pending if self._is_loose else FIRST_TAG + self._pending
        self._is_loose = True
        lines, end, self._pending = text.rpartition(b"\n")
        if end:
            yield from self._lines(lines)
        if len(self._pending) > LONGEST_GAME_CHARACTERS:
            self._reader.read_too_long(self._next_line)
            self._pending, self._is_inside_overlong_line = b"", True

    def _games_of(self, written_games: Iterable[WrittenGame]) -> Iterator[Game | SetAside]:
        for written in written_games:
            yield from self._chosen(game_or_reason(written, where=self._where))

    def _chosen(self, game: Game | SetAside) -> Iterator[Game | SetAside]:
        if self._wanted is not None and isinstance(game, Game):
            reason = self._wanted.games.why_left_out(game)
            if reason is not None:
                self._wanted.left_out[reason] += 1
                return
        yield game


def _never(_piece: bytes, _tags_end: int) -> None:
    """Leaves nothing out."""


def _end_of_tags(piece: bytes) -> int:
    """Where the tags of a piece end that is plainly one game; 0 for any other."""
    tags_end = piece.find(b'"]\n\n') + 2
    moves_start = tags_end + 2
    if not 2 <= tags_end <= LONGEST_TAG_CHARACTERS or piece.startswith(b"[", moves_start):
        return 0
    line_end = piece.find(b"\n", moves_start)
    if line_end < 0 or piece[line_end:].isspace():
        return tags_end
    moves = piece[moves_start:].rstrip()
    return 0 if b"\n[" in moves or b"\n\n" in moves else tags_end


def _blocks(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in larger pieces."""
    waiting: list[bytes] = []
    size = 0
    for chunk in chunks:
        waiting.append(chunk)
        size += len(chunk)
        if size >= _BLOCK_BYTES:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)
