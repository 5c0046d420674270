"""One game's account: what its result, its end and its moves gave and took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter

from engines.evals import Color
from pipeline.differences.ending import ending_of, final_worth
from pipeline.differences.move_losses import (
    BothLosses,
    changes_by_phase,
    losses_by_clock,
    losses_by_phase,
    own_win_percent,
)
from pipeline.records import Clock, Ending, GameReport, Opening, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A player's best or worst moment: win percent (0 to 100) after `ply`."""

    ply: int
    win_percent: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A finished game in the player's eyes.

    Scores, expectation and worth are 0 to 1. `worth` is what the last position was worth, the
    score itself after checkmate and stalemate; None without evaluations up to the end.
    `changes` is what each phase did to the player's prospects, in points, from `start_worth`
    to `worth`. `by_clock`: moves under time pressure and the others, None without clocks.
    `rating_difference` is the opponent's rating less the player's.
    """

    game_id: str
    url: str | None
    created_at: datetime
    color: Color
    opponent: str | None
    rating_difference: int | None
    opening: Opening | None
    clock: Clock | None
    score: float
    expected_score: float | None
    ending: Ending
    start_worth: float
    worth: float | None
    best: Reached | None
    worst: Reached | None
    changes: Mapping[Phase, float]
    phases: Mapping[Phase, BothLosses]
    by_clock: tuple[BothLosses, BothLosses] | None

    @property
    def is_counted(self) -> bool:
        """Whether the ratings and the evaluations of the game are known."""
        return self.worth is not None and self.expected_score is not None


def account_of(game: GameReport) -> Account | None:
    """None for a game that is nobody's own, has no result, or was decided by Lichess."""
    color = game.color
    if color is None or game.side(color).score is None or game.status == "cheat":
        return None
    own = game.side(color)
    opponent = game.opponent(color)
    score = own.score or 0.0
    start, worth = _start_worth(game, color), final_worth(game, color)
    changes = {} if worth is None else changes_by_phase(game.moves, color, start=start, end=worth)
    best, worst = _extremes(game, color)
    return Account(
        game_id=game.id,
        url=game.url,
        created_at=game.created_at,
        color=color,
        opponent=opponent.player.name,
        rating_difference=_difference(own.player.rating, opponent.player.rating),
        opening=game.opening,
        clock=game.clock,
        score=score,
        expected_score=own.expected_score,
        ending=ending_of(game),
        start_worth=start,
        worth=worth,
        best=best,
        worst=worst,
        changes=changes,
        phases=losses_by_phase(game.moves, color),
        by_clock=losses_by_clock(game.moves, game.clock, color),
    )


def _difference(own: int | None, opponent: int | None) -> int | None:
    return None if own is None or opponent is None else opponent - own


def _start_worth(game: GameReport, color: Color) -> float:
    """Of the first position that is evaluated, unless too much came before it."""
    if not game.moves or game.moves[0].ply > 2:
        return 0.5
    first = game.moves[0]
    before = first.win_percent_before
    return (before if first.color == color else 100 - before) / 100


def _extremes(game: GameReport, color: Color) -> tuple[Reached | None, Reached | None]:
    if not game.moves:
        return None, None
    reached = [(own_win_percent(move, color), move.ply) for move in game.moves]
    best, worst = max(reached, key=itemgetter(0)), min(reached, key=itemgetter(0))
    return (
        Reached(ply=best[1], win_percent=best[0]),
        Reached(ply=worst[1], win_percent=worst[0]),
    )
