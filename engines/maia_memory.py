"""What the human-move model said of positions that several games go through."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TypeAlias

from engines.human_likelihoods import Floats
from engines.maia_tokens import Choice

LAST_SHARED_PLY = 30
"""Later on no two games are alike."""

MOST_REMEMBERED = 5_000
"""1.5 kB each."""

Answer: TypeAlias = tuple[Floats, Floats]
"""For each of R ratings: [R, moves] log-probabilities of the legal moves, [R] expected scores."""


@dataclass(frozen=True, slots=True)
class AnswerMemory:
    """The newest answers; use it from several threads at once if you like.

    The network sees nothing but the tokens: where these and the legal moves are the same, the
    answer is, to the last bit.
    """

    _answers: OrderedDict[bytes, Answer] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(
        self, choice: Choice, ratings: tuple[int, ...], compute: Callable[[], Answer]
    ) -> Answer:
        """What was said of the same position at the same ratings; computed where nothing was."""
        if choice.ply > LAST_SHARED_PLY:
            return compute()
        key = _key(choice, ratings)
        with self._lock:
            known = self._answers.get(key)
        return self._remembered(key, compute()) if known is None else known

    def _remembered(self, key: bytes, answer: Answer) -> Answer:
        with self._lock:
            self._answers[key] = answer
            if len(self._answers) > MOST_REMEMBERED:
                self._answers.popitem(last=False)
        return answer


def _key(choice: Choice, ratings: tuple[int, ...]) -> bytes:
    words = repr((ratings, choice.move_indices)).encode()
    return blake2b(choice.tokens.tobytes() + words, digest_size=16).digest()
