"""Players whose games exist only as accounts, with the peculiarities that one asks for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from engines.evals import Color
from pipeline.differences.account import Account, Reached
from pipeline.differences.move_losses import BothLosses, Losses
from pipeline.differences.thresholds import foreseen_score
from pipeline.elo.expected import expected_score
from pipeline.records import Clock, Ending, Opening, Phase

FAMILIES = ("Italian Game", "Sicilian Defense", "French Defense", "Queen's Pawn Game", "Zukertort")
PHASE_LOSSES = {Phase.OPENING: 1.5, Phase.MIDDLEGAME: 4.0, Phase.ENDGAME: 3.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Peculiar:
    """What sets a player apart; the defaults are a player without any peculiarity.

    `flags_when_winning`: the share of the games won otherwise that are lost on time instead.
    `endgame_loss`, `pressure_loss`, `strength`: factors on the own losses there, and everywhere.
    `after_loss`: the share of games after a loss in the same session that is lost whatever
    happens. `resigns_early`: the share of resignations in about even positions.
    """

    flags_when_winning: float = 0.0
    endgame_loss: float = 1.0
    pressure_loss: float = 1.0
    after_loss: float = 0.0
    resigns_early: float = 0.0
    strength: float = 1.0


def simulated_accounts(
    games: int, seed: int, player: Peculiar = Peculiar(), *, evaluated: bool = True
) -> list[Account]:
    """Oldest first, in sessions of a few games; ratings move by a tenth of what Elo's would."""
    rng = np.random.default_rng(seed)
    accounts: list[Account] = []
    rating, when = 1600.0, datetime(2026, 1, 5, 12, tzinfo=UTC)
    for number in range(games):
        pause = 8 if rng.random() < 0.8 else rng.integers(90, 3000)
        follows_a_loss = pause == 8 and bool(accounts) and accounts[-1].score == 0
        when += timedelta(minutes=int(pause))
        account = _account(number, when, rating, follows_a_loss, player, rng, evaluated)
        rating += 10 * (account.score - (account.expected_score or 0.5))
        accounts.append(account)
    return accounts


def _account(
    number: int,
    when: datetime,
    rating: float,
    follows_a_loss: bool,
    player: Peculiar,
    rng: np.random.Generator,
    evaluated: bool,
) -> Account:
    color: Color = "white" if number % 2 else "black"
    opponent = round(rating + rng.normal(0, 90))
    expected = expected_score(round(rating), opponent)
    score = _score(foreseen_score(expected, color), rng)
    if follows_a_loss and rng.random() < player.after_loss:
        score = 0.0
    score, ending, worth = _ended(score, player, rng)
    best = max(worth, rng.beta(3, 2) if score < 1 else rng.beta(4, 1), 0.5)
    worst = min(worth, rng.beta(2, 3) if score > 0 else rng.beta(1, 4), 0.5)
    phases = {phase: _losses(phase, score, player, rng) for phase in Phase}
    return Account(
        game_id=f"made{number:04d}",
        url=None,
        created_at=when,
        color=color,
        opponent="Moorhenry",
        rating_difference=opponent - round(rating),
        opening=Opening(eco="A00", name=f"{FAMILIES[rng.integers(5)]}: Made Variation"),
        clock=Clock(initial_seconds=300, increment_seconds=0),
        score=score,
        expected_score=expected,
        ending=ending,
        start_worth=0.5,
        worth=worth if evaluated else None,
        best=Reached(ply=20, win_percent=100 * best) if evaluated else None,
        worst=Reached(ply=21, win_percent=100 * worst) if evaluated else None,
        changes=_changes(worth, rng) if evaluated else {},
        phases=phases if evaluated else {},
        by_clock=_by_clock(player, rng) if evaluated else None,
    )


def _score(expected: float, rng: np.random.Generator) -> float:
    drawn = 0.06
    chance = rng.random()
    if chance < drawn:
        return 0.5
    return float(chance < drawn + expected - drawn / 2)


def _ended(score: float, player: Peculiar, rng: np.random.Generator) -> tuple[float, Ending, float]:
    """Both sides end games alike, but for what makes the player peculiar."""
    if score == 1.0 and rng.random() < player.flags_when_winning:
        return 0.0, Ending.CLOCK, float(rng.uniform(0.75, 0.97))
    if score == 0.5:
        return score, Ending.DRAW, float(np.clip(rng.normal(0.5, 0.12), 0.03, 0.97))
    kind = rng.random()
    if kind < 0.15:
        return score, Ending.CLOCK, float(rng.uniform(0.03, 0.97))
    if kind < 0.45:
        return score, Ending.BOARD, score
    away = float(np.clip(rng.exponential(0.06), 0.025, 0.9))
    if score == 0 and rng.random() < player.resigns_early:
        away = float(rng.uniform(0.3, 0.6))
    return score, Ending.RESIGNATION, abs(score - away)


def _losses(phase: Phase, score: float, player: Peculiar, rng: np.random.Generator) -> BothLosses:
    """A few bad moves make most of it; who loses has lost more."""
    moves = int(rng.integers(8, 20))
    factor = player.strength * (player.endgame_loss if phase is Phase.ENDGAME else 1.0)
    own = factor * PHASE_LOSSES[phase] * moves * rng.gamma(1.5, 1 / 1.5) * (1.3 - 0.6 * score)
    theirs = PHASE_LOSSES[phase] * moves * rng.gamma(1.5, 1 / 1.5) * (0.7 + 0.6 * score)
    return BothLosses(
        own=Losses(moves=moves, win_percent=own, accuracy=85.0 * moves),
        theirs=Losses(moves=moves, win_percent=theirs, accuracy=85.0 * moves),
    )


def _by_clock(player: Peculiar, rng: np.random.Generator) -> tuple[BothLosses, BothLosses]:
    pressed = int(rng.integers(0, 12))
    return (
        _spent(pressed, 6.0 * player.pressure_loss, 6.0, rng),
        _spent(30, 3.0, 3.0, rng),
    )


def _spent(moves: int, own: float, theirs: float, rng: np.random.Generator) -> BothLosses:
    found = (
        Losses(
            moves=moves, win_percent=loss * moves * rng.gamma(1.5, 1 / 1.5), accuracy=80.0 * moves
        )
        for loss in (own, theirs)
    )
    return BothLosses(own=next(found), theirs=next(found))


def _changes(worth: float, rng: np.random.Generator) -> dict[Phase, float]:
    first, second = rng.dirichlet((1, 2, 2))[:2] * (worth - 0.5)
    return {
        Phase.OPENING: float(first),
        Phase.MIDDLEGAME: float(second),
        Phase.ENDGAME: float(worth - 0.5 - first - second),
    }
