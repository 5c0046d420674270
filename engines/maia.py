"""Maia-3, the human-move model: how probable a move is for a player of a given rating.

Trained on Lichess games of January 2023 to July 2025.

Source: Monroe et al., Chessformer, ICLR 2026; https://huggingface.co/UofTCSSLab/Maia3-5M,
AGPL-3.0, which is why movelo is AGPL-3.0-or-later.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from config.errors import InputError
from config.language import _
from engines.evals import COLORS, Color, PositionSequence
from engines.human_likelihoods import (
    FIRST_PLY,
    RATINGS,
    Floats,
    HumanLikelihoods,
    NextMove,
    nothing_expected,
)
from engines.maia_memory import Answer, AnswerMemory
from engines.maia_session import CPU, LoadedNetwork, Session
from engines.maia_tokens import Choice, choices, open_choice

Logits: TypeAlias = npt.NDArray[np.float32]

BATCH_POSITIONS = 64
"""A guess for a GPU; a CPU is not quicker with more than one."""


class MaiaModel:
    """The network, loaded; use it from several threads at once if you like.

    With the network of 7 bits a batch is one position at all `ratings`, never more: the numbers
    of a ply are the same whatever else is evaluated. They depend, in the second decimal, on the
    set of ratings. Those of the float32 network depend on neither, within 0.0001.
    """

    def __init__(self, path: Path, *, threads: int = 1, provider: str = CPU) -> None:
        """Load the file that `install_model` made; ModelError when it cannot be used.

        `provider` is `cpu`, `auto` or a GPU's: see `LoadedNetwork`.
        """
        self._network = LoadedNetwork(path, threads=threads, provider=provider)
        self._memory = AnswerMemory()

    @property
    def reads_in_batches(self) -> bool:
        """Whether `likelihoods_of_many` is the better way: with the float32 network."""
        return self._network.takes_many_positions

    def likelihoods(
        self,
        sequence: PositionSequence,
        *,
        ratings: tuple[int, ...] = RATINGS,
        first_ply: int = FIRST_PLY,
        colors: Collection[Color] = COLORS,
    ) -> HumanLikelihoods:
        """Every ply from `first_ply` on that one of `colors` played; some 16 ms each.

        Positions that another game went through are not computed again.

        Raises InputError for a start that is no legal position, IllegalMove for a move that
        does not follow.
        """
        asked = list(choices(sequence, first_ply, colors))
        result = nothing_expected(sequence.game_id, ratings, asked)
        with self._network.session() as session:
            for question in _questions(result, asked):
                compute = partial(_one_answer, session, question, ratings)
                _fill(question, self._memory.answer(question.choice, ratings, compute))
        return result

    def likelihoods_of_many(
        self,
        sequences: Iterable[PositionSequence],
        *,
        ratings: tuple[int, ...] = RATINGS,
        first_ply: int = FIRST_PLY,
        batch_positions: int = BATCH_POSITIONS,
    ) -> Iterator[HumanLikelihoods | InputError]:
        """For each game, in order, what `likelihoods` gives or raises: for a GPU.

        Positions of a game and of the next ones are evaluated `batch_positions` at a time; one
        at a time with the network of 7 bits. Never run on a GPU, see `LoadedNetwork`.
        """
        size = batch_positions if self._network.takes_many_positions else 1
        unfinished: deque[HumanLikelihoods | InputError] = deque()
        waiting: list[_Question] = []
        with self._network.session() as session:
            for sequence in sequences:
                outcome, questions = _asked(sequence, ratings, first_ply)
                unfinished.append(outcome)
                waiting += questions
                while len(waiting) >= size:
                    _answer_and_fill(session, waiting[:size], ratings)
                    del waiting[:size]
                while unfinished and not (waiting and waiting[0].result is unfinished[0]):
                    yield unfinished.popleft()
            if waiting:
                _answer_and_fill(session, waiting, ratings)
        yield from unfinished

    def next_move(
        self, sequence: PositionSequence, *, self_rating: int, opponent_rating: int
    ) -> NextMove:
        """What a player of `self_rating`, to move after `sequence`, would play; some 5 ms.

        Raises what `likelihoods` does, and InputError where there is no move left.
        """
        choice = open_choice(sequence)
        if not choice.moves_uci:
            raise InputError(
                _(
                    "game {game_id} is over after ply {number}, so that there is no next "
                    "move; ask about an earlier position"
                ).format(game_id=sequence.game_id, number=len(sequence.moves_uci))
            )
        with self._network.session() as session:
            moves, values = _logits(session, choice.tokens, (self_rating,), (opponent_rating,))
        log_p, expected = _expectations(moves, values, choice.move_indices)
        return NextMove(
            moves_uci=choice.moves_uci,
            probabilities=tuple(np.exp(log_p[0]).tolist()),
            expected_score=float(expected[0]),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Question:
    """A choice that was not forced, and the row of `result` where its answer belongs."""

    result: HumanLikelihoods
    row: int
    choice: Choice


def _asked(
    sequence: PositionSequence, ratings: tuple[int, ...], first_ply: int
) -> tuple[HumanLikelihoods | InputError, list[_Question]]:
    """The answers, still to be filled in, or why there can be none."""
    try:
        asked = list(choices(sequence, first_ply, COLORS))
    except InputError as error:
        return error, []
    result = nothing_expected(sequence.game_id, ratings, asked)
    return result, _questions(result, asked)


def _questions(result: HumanLikelihoods, asked: list[Choice]) -> list[_Question]:
    return [
        _Question(result=result, row=row, choice=choice)
        for row, choice in enumerate(asked)
        if not choice.is_forced
    ]


def _answer_and_fill(
    session: Session, questions: list[_Question], ratings: tuple[int, ...]
) -> None:
    for question, answer in zip(questions, _answers(session, questions, ratings), strict=True):
        _fill(question, answer)


def _one_answer(session: Session, question: _Question, ratings: tuple[int, ...]) -> Answer:
    (answer,) = _answers(session, [question], ratings)
    return answer


def _answers(
    session: Session, questions: list[_Question], ratings: tuple[int, ...]
) -> Iterator[Answer]:
    """One batch: of one position, which stands there once, or of each at each rating."""
    tokens = [question.choice.tokens for question in questions]
    rows = tokens[0] if len(tokens) == 1 else np.repeat(np.concatenate(tokens), len(ratings), 0)
    moves, values = _logits(session, rows, ratings * len(questions), ratings * len(questions))
    shape = (len(questions), len(ratings), -1)
    by_position = zip(questions, moves.reshape(shape), values.reshape(shape), strict=True)
    for question, position_moves, position_values in by_position:
        yield _expectations(position_moves, position_values, question.choice.move_indices)


def _fill(question: _Question, answer: Answer) -> None:
    result, row, choice = question.result, question.row, question.choice
    log_p, expected = answer
    p = np.exp(log_p)
    result.log_probabilities[row] = log_p[:, choice.played]
    result.expected_log_probabilities[row] = p @ log_p.T
    result.expected_squares[row] = (p * log_p**2).sum(axis=1)
    result.best_log_probabilities[row] = log_p.max(axis=1)
    result.expected_scores[row] = expected


def _logits(
    session: Session,
    tokens: Logits,
    self_ratings: tuple[int, ...],
    opponent_ratings: tuple[int, ...],
) -> tuple[Logits, Logits]:
    """Of moves [rows, 4352] and values [rows, 3], one row a pair of ratings."""
    feed = {
        "tokens": tokens,
        "self_elo": np.array(self_ratings, dtype=np.int64),
        "oppo_elo": np.array(opponent_ratings, dtype=np.int64),
    }
    move_logits, value_logits = session.run(["logits_move", "logits_value"], feed)
    return move_logits, value_logits


def _expectations(
    moves: Logits, values: Logits, move_indices: tuple[int, ...]
) -> tuple[Floats, Floats]:
    """For each row: log p of every legal move, and the mover's expected score."""
    return _log_softmax(moves[:, move_indices]), np.exp(_log_softmax(values)) @ _SCORES


_SCORES = np.array([0.0, 0.5, 1.0])
"""Of loss, draw and win, the order of `logits_value`."""


def _log_softmax(logits: Logits) -> Floats:
    shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))
