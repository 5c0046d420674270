"""A run without an engine, a fitted model or a network, in which everything can be counted."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import RLock
from types import TracebackType
from typing import Any

import numpy as np
from made_games import random_export_game
from simulated_humans import simulated_likelihoods

from config.errors import EngineNotFound
from engines.evals import (
    Centipawns,
    Color,
    EngineFailure,
    EngineId,
    GameEvals,
    PositionSequence,
    SearchLimit,
)
from engines.human_likelihoods import HumanLikelihoods
from engines.maia_pool import HumanMoveFailure
from pipeline.evaluation import Deliver as EngineDeliver
from pipeline.fetch.export import game_from_export
from pipeline.human_moves import Deliver as HumanDeliver
from pipeline.progress import Silent
from pipeline.records import Evidence, Game, GameAnalysis, NoEstimate, StrengthRange
from pipeline.selection import Selection
from pipeline.store import Store
from pipeline.strength.aggregate import Pooling
from pipeline.workshop import Workshop

LIMIT = SearchLimit(nodes_per_position=100)
SELECTION = Selection(player="Quillfeather", speeds=("blitz", "rapid"))


class CountingMoves:
    """An estimator that is easily foreseen: its range is the number of games and moves."""

    name = "counting"
    id = "counting 1"

    def __init__(self) -> None:
        self.asked: list[tuple[str, Color]] = []

    def reads_human_likelihoods(self, speed: str) -> bool:
        return speed != "rapid"

    def refusal(self, game: Game, own_moves: int) -> NoEstimate | None:
        return NoEstimate(reason="too few moves") if own_moves < 3 else None

    def evidence(
        self,
        game: Game,
        analysis: GameAnalysis,
        color: Color,
        human: HumanLikelihoods | None = None,
    ) -> Evidence | NoEstimate:
        self.asked.append((game.id, color))
        return self.refusal(game, len(analysis.own_moves(color))) or Evidence(
            game_id=game.id,
            color=color,
            scale=f"lichess_{game.speed}",
            moves=len(analysis.own_moves(color)),
            log_likelihoods=(0.0 if human is None else float(human.log_probabilities.sum()),),
            with_human_model=human is not None,
        )

    def strength_range(
        self, evidences: Sequence[Evidence], *, speed: str
    ) -> StrengthRange | NoEstimate:
        return StrengthRange(
            scale=f"lichess_{speed}",
            low=1000 + sum(e.log_likelihoods[0] for e in evidences),
            median=1500,
            high=2000,
            coverage=0.8,
            games=len(evidences),
            moves=sum(e.moves for e in evidences),
            games_with_human_model=sum(e.with_human_model for e in evidences),
        )

    def strength_range_with_pairing(
        self,
        evidences: Sequence[Evidence],
        opponents: Sequence[Sequence[Evidence]],
        *,
        speed: str,
    ) -> StrengthRange | NoEstimate:
        raise AssertionError("nobody asked for it")

    def pooling(self, evidences: Sequence[Evidence], *, speed: str) -> Pooling | NoEstimate:
        return NoEstimate(reason="a count is no likelihood")


@dataclass
class LevelEngine:
    """Finds every position level, and fails on the games that a test names."""

    failing: set[str] = field(default_factory=set)
    stop_after: int | None = None
    asked: list[str] = field(default_factory=list)
    deliver: EngineDeliver = print
    engine_id: EngineId = field(default_factory=lambda: EngineId(name="level"))
    limit: SearchLimit = LIMIT
    lock: AbstractContextManager[bool] = field(default_factory=RLock, repr=False)

    @contextmanager
    def crew(self, deliver: EngineDeliver) -> Iterator["_CrewOf"]:
        yield _CrewOf(self, deliver, self.engine_id)

    def submit(self, sequence: PositionSequence) -> None:
        if self.stop_after is not None and len(self.asked) >= self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(sequence.game_id)
        if sequence.game_id in self.failing:
            self.deliver(EngineFailure(game_id=sequence.game_id, reason="it died three times"))
            return
        positions = len(sequence.moves_uci) + 1
        self.deliver(
            GameEvals(
                game_id=sequence.game_id,
                engine=self.engine_id,
                limit=self.limit,
                evals=(Centipawns(0),) * positions,
                best_moves_uci=(None,) * positions,
            )
        )


@dataclass
class _AskedBy:
    """Several may be open at once: each game goes back to whoever asked."""

    made: "LevelEngine | MadeHumans"
    deliver: Any

    def submit(self, sequence: PositionSequence) -> None:
        with self.made.lock:
            self.made.deliver = self.deliver
            self.made.submit(sequence)


@dataclass
class _CrewOf(_AskedBy):
    """The same, with a name."""

    engine_id: EngineId


def no_engine(deliver: EngineDeliver) -> AbstractContextManager[LevelEngine]:
    raise EngineNotFound("no Stockfish was found")


@dataclass
class MadeHumans:
    """A human-move model that answers at once, and fails on the games that a test names."""

    network: str = "made humans"
    failing: set[str] = field(default_factory=set)
    stop_after: int | None = None
    asked: list[str] = field(default_factory=list)
    deliver: HumanDeliver = print
    lock: AbstractContextManager[bool] = field(default_factory=RLock, repr=False)

    def __enter__(self) -> "MadeHumans":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        pass

    @contextmanager
    def crew(self, deliver: HumanDeliver) -> Iterator["_AskedBy"]:
        yield _AskedBy(self, deliver)

    def submit(self, sequence: PositionSequence) -> None:
        if self.stop_after is not None and len(self.asked) >= self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(sequence.game_id)
        if sequence.game_id in self.failing:
            self.deliver(HumanMoveFailure(game_id=sequence.game_id, reason="it fell asleep"))
            return
        self.deliver(
            simulated_likelihoods(
                {"white": 1500.0, "black": 1500.0},
                np.random.default_rng(len(sequence.game_id)),
                plies=len(sequence.moves_uci),
                game_id=sequence.game_id,
            )
        )


def made_workshop(store: Store) -> Workshop:
    """Nobody but the store and the estimator is there."""
    return Workshop(
        store=store,
        estimator=CountingMoves(),
        limit=LIMIT,
        open_evaluator=no_engine,
        open_human_model=None,
        progress=Silent(),
        now=datetime(2026, 6, 1, tzinfo=UTC),
    )


def games(count: int, **fields: object) -> list[Game]:
    records = [random_export_game(seed, **fields) for seed in range(count)]  # type: ignore[arg-type]
    return [game_from_export(record, where="a test") for record in records]
