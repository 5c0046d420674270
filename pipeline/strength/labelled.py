"""Games whose players' ratings are known: what the model is fitted on and measured by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from config.errors import InputError
from config.language import english
from engines.evals import COLORS, Color
from pipeline.analysis import analyse, source_evals
from pipeline.records import Game, GameAnalysis, SetAside
from pipeline.replay import replay
from pipeline.strength.evaluations_file import EvaluationsFile


class Progress(Protocol):
    """Called now and then."""

    def __call__(self, stage: str, games: int, total: int | None = None) -> None:
        """What is being done, to how many games that has been done, and of how many, if known."""


def silent(stage: str, games: int, total: int | None = None) -> None:
    """A `Progress` that nobody watches."""


MAX_STEADY_RATING_DIFFERENCE = 15
"""A rating that moves further in one game is still looking for its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSource:
    """The games of one file. `sha256` is of the file itself, as it lies on the disk."""

    name: str
    sha256: str
    games: Iterable[Game | SetAside]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One side of a game with the rating to compare with, the one before the game.

    `steady` is False for a provisional rating or one that moved by more than
    `MAX_STEADY_RATING_DIFFERENCE`: a noisy label.
    """

    color: Color
    player: str
    rating: int
    steady: bool


@dataclass(slots=True)
class LeftOut:
    """How many games, or sides of games, were not used, by reason."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, reason: str, count: int = 1) -> None:
        """That many more."""
        if count:
            self.counts[reason] += count

    def most_common(self) -> tuple[tuple[str, int], ...]:
        """(reason, how many), the most frequent first."""
        return tuple(self.counts.most_common())


def games_of(games: Iterable[Game | SetAside], left_out: LeftOut) -> Iterator[Game]:
    """The games alone; what was set aside while reading is counted."""
    for game in games:
        if isinstance(game, SetAside):
            reason = english("set aside while reading: {reason}")
            left_out.add(reason.format(reason=game.reason))
        else:
            yield game


def labels(game: Game, left_out: LeftOut) -> tuple[Label, ...]:
    """Both sides' labels; a side without a name or a rating is counted as left out."""
    found = [_label(game, color) for color in COLORS]
    left_out.add(english("player without a name or a rating"), found.count(None))
    return tuple(label for label in found if label is not None)


def analysis_of(
    game: Game, evaluations: Sequence[EvaluationsFile], left_out: LeftOut
) -> GameAnalysis | None:
    """As a report would analyse it: the game's own evaluations first, else those beside it."""
    return next(analyses_of(game, evaluations, left_out), None)


def analyses_of(
    game: Game, evaluations: Sequence[EvaluationsFile], left_out: LeftOut
) -> Iterator[GameAnalysis]:
    """By its own evaluations, if it has them, then by those beside it, if there are any."""
    beside = next((file for file in evaluations if game.id in file), None)
    if not game.source_evals and beside is None:
        left_out.add(english("no evaluations"))
        return
    try:
        checked = replay(game)
        found = [source_evals(game, checked), beside.of(checked) if beside else None]
    except InputError as error:
        reason = english("unusable moves or evaluations ({error})")
        left_out.add(reason.format(error=type(error).__name__))
        return
    if not any(found):
        left_out.add(english("too few evaluations"))
    for evals in found:
        if evals is not None:
            yield analyse(game, checked, evals)


def _label(game: Game, color: Color) -> Label | None:
    player = game.white if color == "white" else game.black
    if player.name is None or player.rating is None:
        return None
    moved = abs(player.rating_diff or 0)
    steady = not player.provisional and moved <= MAX_STEADY_RATING_DIFFERENCE
    return Label(color=color, player=player.name, rating=player.rating, steady=steady)
