"""The text of a PGN file -> games as written: tags, moves of the main line, comments.

python-chess's own reader finds moves with a search: it reads the German "Sf3" as the pawn
move f3, takes a blank line for the end of a game, and drops what follows a slip. Here each
word of the main line counts, and whatever cannot be read is named with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from config.language import english

LONGEST_GAME_CHARACTERS = 4 * 1024 * 1024
LONGEST_TAG_CHARACTERS = 16 * 1024

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9_][\w+#=:-]*)\s+"(.*)"\s*\]\s*$')
_BETWEEN_TAGS = re.compile(r'(?<="\])\s*(?=\[)')
_ESCAPED = re.compile(r"\\([\"\\])")
_FIRST_TAG = re.compile(r'\s*\[Event\s+"')
_TOKEN = re.compile(
    r"""
    (?P<comment>\{)
    | (?P<rest_of_line>;.*)
    | (?P<open>\() | (?P<close>\))
    | (?P<result>(?:1-0|0-1|1/2-1/2|1/2|½-½|\*)(?=[\s({;)]|$))
    | (?P<mark>\$\d+|[!?]+|\d+\.+|\d+(?=\s|$)|\.+
        |(?:e\.p\.|ep|[=+]/?[=+-]|-/?\+|[=N±∓⩲⩱∞□])(?=[\s({;)]|$))
    | (?P<word>[^\s(){};$!?]+)
    | (?P<junk>\S)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenMove:
    """A word where a move should stand, its line, and the comments right after it."""

    text: str
    line: int
    comment: str


@dataclass(slots=True)
class WrittenGame:
    """One game as written. `problem` says why it cannot be trusted, `result` how it ended.

    `is_last` marks the game that the end of the text ended, rather than its own result or
    the next game's tags: the text may have been cut there.
    """

    number: int
    line: int = 0
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[WrittenMove] = field(default_factory=list)
    result: str | None = None
    problem: str | None = None
    is_last: bool = False

    @property
    def is_begun(self) -> bool:
        """Whether anything of the game was there."""
        return bool(self.tags or self.moves or self.problem or self.result)


def written_games(lines: Iterable[str]) -> Iterator[WrittenGame]:
    """The games in `lines`, in order. A game ends at its result or at the next one's tags."""
    reader = GameReader()
    for number, line in enumerate(lines, start=1):
        yield from reader.read(line.rstrip("\r\n"), number)
    yield from reader.close()


class GameReader:
    """Where the reading stands: in which game, comment and variation.

    Lines come one by one; between two games, others that are read elsewhere may be passed over.
    """

    def __init__(self) -> None:
        self.game = WrittenGame(number=1)
        self.characters = 0
        self.comment: list[str] | None = None
        self.comment_line = 0
        self.open_variations: list[int] = []

    def read(self, line: str, number: int) -> Iterator[WrittenGame]:
        """Take in one line, and give the games that it ends."""
        if number == 1:
            line = line.removeprefix("\ufeff")
        if self._starts_a_game(line):
            yield from self._finish()
        self._measure(len(line), number)
        if "\0" in line:
            self._problem(
                english("line {line} has NUL bytes: the file is damaged there").format(line=number),
                number,
            )
        if self.comment is None and line.startswith("%"):
            return
        if self.comment is None and line.lstrip().startswith("["):
            self._tags(line, number)
        else:
            yield from self._movetext(line, number)

    def read_too_long(self, number: int) -> None:
        """Take in a line that nobody keeps, for it is longer than a game may be."""
        self._measure(LONGEST_GAME_CHARACTERS + 1, number)

    def end_before_first_tag(self) -> Iterator[WrittenGame]:
        """Give the game that the tag [Event "…"] in the next line ends, if it does end one."""
        if self._starts_a_game('[Event "'):
            yield from self._finish()

    def pass_over(self, games: int) -> None:
        """So many games were read elsewhere; they count in the numbers of the next."""
        self.game.number += games

    def close(self) -> Iterator[WrittenGame]:
        """Give the game that the end of the text ends."""
        self.game.is_last = True
        yield from self._finish()

    def _starts_a_game(self, line: str) -> bool:
        if self.comment is not None:  # never closed, if the next game's tags are in it
            return bool(_FIRST_TAG.match(line))
        if "Event" in self.game.tags and _FIRST_TAG.match(line):
            return True
        return line.lstrip().startswith("[") and bool(self.game.moves or self.open_variations)

    def _measure(self, characters: int, number: int) -> None:
        self.characters += characters
        if self.characters > LONGEST_GAME_CHARACTERS:
            self._problem(
                english("it is longer than {most} characters").format(most=LONGEST_GAME_CHARACTERS),
                number,
            )
            self.game.moves.clear()
            self.comment = None if self.comment is None else []

    def _tags(self, line: str, number: int) -> None:
        self.game.line = self.game.line or number
        if self.characters > LONGEST_GAME_CHARACTERS:
            return
        if len(line) > LONGEST_TAG_CHARACTERS:
            problem = english("the tag in line {line} is longer than {most} characters")
            self._problem(problem.format(line=number, most=LONGEST_TAG_CHARACTERS), number)
            return
        for written in _BETWEEN_TAGS.split(line):
            tag = _TAG.match(written)
            if tag:
                self.game.tags[tag[1]] = _ESCAPED.sub(r"\1", tag[2])
            else:
                problem = english('line {line} is not a tag like [White "name"]')
                self._problem(problem.format(line=number), number)

    def _movetext(self, line: str, number: int) -> Iterator[WrittenGame]:
        position = 0
        while position < len(line):
            if self.comment is not None:
                position = self._comment_text(line, position)
                continue
            token = _TOKEN.search(line, position)
            if token is None:
                return
            position = token.end()
            yield from self._token(str(token.lastgroup), token[0], number)

    def _comment_text(self, line: str, position: int) -> int:
        end = line.find("}", position)
        text = line[position:] if end < 0 else line[position:end]
        if self.comment is not None:
            self.comment.append(text)
        if end < 0:
            return len(line)
        self._end_comment()
        return end + 1

    def _end_comment(self) -> None:
        text = " ".join(self.comment or ())
        self.comment = None
        # Only what programs write ([%clk …]) is of use; prose would only fill the memory.
        if "[%" in text and self.game.moves and not self.open_variations:
            move = self.game.moves[-1]
            comment = f"{move.comment} {text}"
            self.game.moves[-1] = WrittenMove(text=move.text, line=move.line, comment=comment)

    def _token(self, kind: str, text: str, number: int) -> Iterator[WrittenGame]:
        match kind:
            case "comment":
                self.comment, self.comment_line = [], number
            case "open":
                self.open_variations.append(number)
            case "close" if self.open_variations:
                self.open_variations.pop()
            case "close" | "junk":
                problem = english("there is a stray {text} in line {line}")
                self._problem(problem.format(text=f"{text!r}", line=number), number)
            case "word" if not self.open_variations:
                self.game.line = self.game.line or number
                self.game.moves.append(WrittenMove(text=text, line=number, comment=""))
            case "result" if not self.open_variations:
                self.game.line = self.game.line or number
                self.game.result = _plain_result(text)
                yield from self._finish()

    def _problem(self, problem: str, number: int) -> None:
        self.game.line = self.game.line or number
        self.game.problem = self.game.problem or problem

    def _finish(self) -> Iterator[WrittenGame]:
        game = self.game
        if self.comment is not None and game.is_begun:
            line = self.comment_line
            problem = english("the comment that opens in line {line} is never closed")
            self._problem(problem.format(line=line), line)
        if self.open_variations:
            line = self.open_variations[0]
            problem = english("the variation that opens in line {line} is never closed")
            self._problem(problem.format(line=line), line)
        self.comment, self.open_variations, self.characters = None, [], 0
        if game.is_begun:
            yield game
            self.game = WrittenGame(number=game.number + 1)


def _plain_result(text: str) -> str:
    return text if text in RESULTS else "1/2-1/2"
