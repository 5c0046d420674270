"""Games in, assessed games out, as each is finished: evaluations, human likelihoods, evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property

from config.language import english
from engines.evals import COLORS, Color, EngineFailure, GameEvals
from pipeline.analysis import analyse, scored_move_count
from pipeline.evaluation import Evaluation
from pipeline.evidence import Played
from pipeline.human_moves import HumanMoves, HumanReading
from pipeline.records import Evidence, Game, GameAnalysis, NoEstimate
from pipeline.replay import Replay
from pipeline.report import AssessedGame
from pipeline.workshop import Workshop

EVALUATING = english("Evaluating games")
READING = english("Reading the moves as human moves")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadableGame:
    """A game whose moves were checked; `color` is the reported player's, None for nobody's."""

    game: Game
    color: Color | None
    replay: Replay


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedGame:
    """What is slow is done; `engine_failure` is why the engine's part is not, None if it is."""

    game_id: str
    engine_failure: str | None


class Assessment:
    """Stages 3 to 4 for games as they come; use as a context manager.

    Engines and the human-move model are started when the first game needs them, and are gone
    at the end. A few hundred games are worked on at once, no more: `games` may be endless.
    """

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._maker = workshop.evidence_maker()
        self._evaluation = Evaluation(
            store=workshop.store,
            limit=workshop.limit,
            open_evaluator=workshop.open_evaluator,
            ask_others=workshop.ask_others,
        )
        self._human_moves = HumanMoves(
            store=workshop.store,
            open_model=workshop.open_human_model,
            progress=workshop.progress,
        )
        self._stack = ExitStack()
        self._begun: dict[str, _Begun] = {}
        self._expected: int | None = None
        self._read = 0
        self._reads_any = False

    def __enter__(self) -> Assessment:
        self._stack.enter_context(self._evaluation)
        self._stack.enter_context(self._human_moves)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def expect(self, games: int | None) -> None:
        """Tell the progress how many games will come in all, as soon as that is known."""
        self._expected = games
        self._workshop.progress.begin(EVALUATING, games)
        if self._reads_any:
            self._workshop.progress.begin(READING, games)

    def assessed(self, games: Iterable[ReadableGame]) -> Iterator[AssessedGame]:
        """Each game once, in the order in which they are finished; ids must differ."""
        for begun, reading in self._read_games(games):
            yield self._assessed(begun, reading)

    def prepared(self, games: Iterable[ReadableGame]) -> Iterator[PreparedGame]:
        """The same without the evidence: whoever assesses them finds in the store what is slow."""
        for begun, reading in self._read_games(games):
            yield PreparedGame(game_id=reading.game_id, engine_failure=begun.failure)

    def give_up(self) -> None:
        """From another thread: whoever waits here for a game is told that none comes any more."""
        self._evaluation.give_up()
        self._human_moves.give_up()

    def _read_games(self, games: Iterable[ReadableGame]) -> Iterator[tuple[_Begun, HumanReading]]:
        evaluated = self._evaluation.of_games(self._noted(games))
        for reading in self._human_moves.of_games(self._analysed(evaluated)):
            self._tell_read()
            yield self._begun.pop(reading.game_id), reading

    def _noted(self, games: Iterable[ReadableGame]) -> Iterator[tuple[Game, Replay]]:
        for readable in games:
            self._begun[readable.game.id] = _Begun(readable)
            yield readable.game, readable.replay

    def _analysed(
        self, evaluated: Iterable[GameEvals | EngineFailure]
    ) -> Iterator[tuple[Replay, bool]]:
        """With a flag: whether the human-move model is to read it."""
        for outcome in evaluated:
            self._workshop.progress.advance(EVALUATING)
            begun = self._begun[outcome.game_id]
            if isinstance(outcome, EngineFailure):
                begun.failure = outcome.reason
            else:
                begun.evals = outcome
            wanted = self._wants_human_moves(begun)
            if wanted and not self._reads_any:
                self._begin_reading()
            yield begun.readable.replay, wanted

    def _wants_human_moves(self, begun: _Begun) -> bool:
        if self._workshop.open_human_model is None or begun.evals is None:
            return False
        return self._maker.wants_human_moves(begun.readable.game, begun.scored_moves())

    def _begin_reading(self) -> None:
        self._reads_any = True
        self._workshop.progress.begin(READING, self._expected)
        self._workshop.progress.advance(READING, self._read)

    def _tell_read(self) -> None:
        """Games that need no reading count too: all of them pass here."""
        self._read += 1
        if self._reads_any:
            self._workshop.progress.advance(READING)

    def _assessed(self, begun: _Begun, reading: HumanReading) -> AssessedGame:
        game, analysis = begun.readable.game, begun.analysis
        evidence: dict[Color, Evidence | NoEstimate]
        if analysis is None:
            evidence = dict.fromkeys(
                COLORS, NoEstimate(reason=english("the engine failed on this game"))
            )
        else:
            evidence = self._maker.evidence(game, analysis, reading)
        return AssessedGame(
            game=game,
            color=begun.readable.color,
            analysis=analysis,
            evidence=evidence,
            strength={
                color: self._maker.strength_range(
                    [Played(game=game, color=color, evidence=evidence)], speed=game.speed
                )
                for color in COLORS
            },
            human=reading.human,
            human_model_missing=reading.is_missing,
            engine_failure=begun.failure,
            human_failure=reading.failure,
        )


@dataclass
class _Begun:
    readable: ReadableGame
    evals: GameEvals | None = None
    failure: str | None = None

    def scored_moves(self) -> Iterator[int]:
        """Of each side, once the game is evaluated."""
        if self.evals is not None:
            for color in COLORS:
                yield scored_move_count(self.readable.replay, self.evals, color)

    @cached_property
    def analysis(self) -> GameAnalysis | None:
        """Made when somebody asks: to be asked for once the game is evaluated."""
        if self.evals is None:
            return None
        return analyse(self.readable.game, self.readable.replay, self.evals)
