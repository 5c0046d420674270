"""Players whose true strength moves in known ways, seen through results and through moves.

Results are drawn from the logistic expected score (draws by Davidson), evidence from the shipped
model's own likelihood of readings, with a style that is the same in all games of a player.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache

import numpy as np
import numpy.typing as npt

from pipeline.elo.draws import outcome_chances
from pipeline.elo.expected import expected_score
from pipeline.evidence import Played
from pipeline.records import Evidence, Game, GamePlayer
from pipeline.strength.aggregate import Pooling
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.grid import RATINGS
from pipeline.strength.likelihood import Circumstances, Likelihood

Floats = npt.NDArray[np.floating]

FIRST_DAY = datetime(2025, 1, 1, 18, tzinfo=UTC)
DAYS = 365
SHARED_VARIANCE = 0.2
SCALE = "lichess_blitz"
_DRAW_PARAMETER = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """`strengths` are the truth of each game, on `days` from the first."""

    played: tuple[Played, ...]
    days: npt.NDArray[np.int64]
    strengths: Floats
    moves_above: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Career:
    """How strength goes over days 0 to 365, from the level at the start; which days are free."""

    name: str
    change: Callable[[Floats, np.random.Generator], Floats]
    free_days: tuple[int, int] = (0, 0)


def _wander(days: Floats, rng: np.random.Generator) -> Floats:
    steps = rng.normal(0, 150 / np.sqrt(DAYS), size=DAYS + 1)
    return np.asarray(np.cumsum(steps)[days.astype(int)])


CAREERS = (
    Career(name="constant", change=lambda days, rng: np.zeros(len(days))),
    Career(name="rises 300", change=lambda days, rng: 300 * days / DAYS),
    Career(name="jumps 200", change=lambda days, rng: 200.0 * (days >= 180)),
    Career(
        name="falls 200 in a gap",
        change=lambda days, rng: -200.0 * (days >= 150),
        free_days=(90, 270),
    ),
    Career(name="wanders 150", change=_wander),
)


def pooling(*, shared_variance: float = SHARED_VARIANCE) -> Pooling:
    """As it would be for evidence that is just as the likelihood says; every level alike."""
    return Pooling(
        log_prior=np.zeros(len(RATINGS)), evidence_weight=1.0, shared_variance=shared_variance
    )


def simulated(
    career: Career,
    rng: np.random.Generator,
    *,
    games: int = 150,
    moves_above: float = 0.0,
    shared_variance: float = SHARED_VARIANCE,
) -> Simulated:
    """A player who starts somewhere between 1300 and 1900, and plays whom the level brings.

    The moves are `moves_above` points stronger than the results.
    """
    days = np.sort(_playing_days(career, rng, games))
    strengths = rng.uniform(1300, 1900) + career.change(days.astype(float), rng)
    style = rng.normal() * np.sqrt(shared_variance)
    opponents = np.round(strengths + rng.normal(0, 120, size=games))
    rows = evidence_rows(strengths + moves_above, rng, style=style, shared_variance=shared_variance)
    played = [
        _played(number, day, opponent, strength, row, rng)
        for number, (day, opponent, strength, row) in enumerate(
            zip(days.tolist(), opponents.tolist(), strengths.tolist(), rows, strict=True)
        )
    ]
    return Simulated(played=tuple(played), days=days, strengths=strengths, moves_above=moves_above)


def evidence_rows(
    strengths: Floats, rng: np.random.Generator, *, style: float, shared_variance: float
) -> Floats:
    """A row a game over the model's ratings, from readings that scatter as the model says."""
    likelihood, games = _likelihood(), len(strengths)
    mean, spread = likelihood.mean_and_spread(
        np.asarray(strengths, np.float64), _circumstances(games)
    )
    own = rng.normal(0, np.sqrt(1 - shared_variance), size=games)
    readings = mean + spread * (style + own)
    means, spreads = likelihood.mean_and_spread(RATINGS, _circumstances(len(RATINGS)))
    return np.asarray(-0.5 * ((readings[:, None] - means) / spreads) ** 2 - np.log(spreads))


@cache
def _likelihood() -> Likelihood:
    model = StrengthModel.load().fitted.speed("blitz")
    assert model is not None
    human = model.channel(False).human
    assert human is not None
    return human.likelihood


def _circumstances(games: int) -> Circumstances:
    return Circumstances(
        moves=np.full(games, 35.0),
        thinking_seconds=np.full(games, 300.0),
        shallowness=np.zeros(games),
    )


def _playing_days(career: Career, rng: np.random.Generator, games: int) -> npt.NDArray[np.int64]:
    first, end = career.free_days
    days = np.array([day for day in range(DAYS + 1) if not first < day < end])
    evenings = rng.choice(days, size=max(3, games // 3), replace=False) if games < 900 else days
    return rng.choice(evenings, size=games)


def _played(
    number: int,
    day: int,
    opponent: float,
    strength: float,
    row: Floats,
    rng: np.random.Generator,
) -> Played:
    chances = outcome_chances([expected_score(strength, opponent)], _DRAW_PARAMETER)
    place = rng.random()
    won, drawn = place < chances.win[0], place < chances.win[0] + chances.draw[0]
    game = Game(
        id=f"game{number:05d}",
        variant="standard",
        speed="blitz",
        rated=True,
        created_at=FIRST_DAY + timedelta(days=day, minutes=number % 200),
        white=GamePlayer(name="Quillfeather", rating=round(strength)),
        black=GamePlayer(name=f"Opponent{number}", rating=round(opponent)),
        winner="white" if won else None if drawn else "black",
    )
    evidence = Evidence(
        game_id=game.id, color="white", scale=SCALE, moves=35, log_likelihoods=tuple(row.tolist())
    )
    return Played(game=game, color="white", evidence={"white": evidence})
