"""Games as they come, each checked once, and at the end those that the report is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from config.errors import InputError
from config.language import speaking
from pipeline.assessment import ReadableGame
from pipeline.records import Game, SetAside
from pipeline.replay import replay
from pipeline.selection import SelectedGames, Selection, color_of, select


class Listing:
    """`arriving` are games that are likely to be reported on; `found` gives all there are.

    `found` is called when nothing arrives any more. `expect` is told how many games there will
    be, None as long as nobody knows.
    """

    def __init__(
        self,
        selection: Selection,
        *,
        arriving: Iterable[Game],
        found: Callable[[], Iterable[Game | SetAside]],
        expect: Callable[[int | None], None],
    ) -> None:
        self._selection = selection
        self._arriving = arriving
        self._found = found
        self._expect = expect
        self._selected: SelectedGames | None = None
        self._unreadable: dict[str, SetAside] = {}

    def games(self) -> Iterator[ReadableGame]:
        """Each game that can be read, once."""
        begun: set[str] = set()
        for game in self._arriving:
            if game.id not in begun:
                if not begun:
                    self._expect(None)
                begun.add(game.id)
                yield from self._readable(game)
        chosen = select(self._found(), self._selection)
        to_come = [game for game, _ in reversed(chosen.games) if game.id not in begun]
        headlines = tuple((game.without_moves(), color) for game, color in chosen.games)
        self._selected = chosen = replace(chosen, games=headlines)
        self._expect(len(begun) + len(to_come))
        while to_come:  # each is let go of once it has been worked on
            yield from self._readable(to_come.pop())

    @property
    def selected(self) -> SelectedGames:
        """What the report is about, without the moves; known once all of `games` have come."""
        if self._selected is None:
            raise RuntimeError("the selection is known once all games have come")
        return self._selected

    @property
    def unreadable(self) -> tuple[SetAside, ...]:
        """Selected games with moves that cannot be played."""
        ids = (game.id for game, _ in self.selected.games)
        return tuple(self._unreadable[i] for i in ids if i in self._unreadable)

    def _readable(self, game: Game) -> Iterator[ReadableGame]:
        color = color_of(game, self._selection.player) or "white"
        try:
            with speaking("en"):  # the sentence is kept
                checked = replay(game)
        except InputError as error:
            self._unreadable[game.id] = SetAside(where=game.where, reason=str(error))
        else:
            yield ReadableGame(game=game, color=color, replay=checked)
