"""How a game ended, in Lichess's words, and whether that is a result."""

from __future__ import annotations

from engines.evals import Color

STATUSES = (
    "created",
    "started",
    "aborted",
    "mate",
    "resign",
    "stalemate",
    "timeout",
    "draw",
    "outoftime",
    "cheat",
    "noStart",
    "unknownFinish",
    "insufficientMaterialClaim",
    "variantEnd",
)
"""Source: scalachess, core/src/main/scala/Status.scala."""

_WITHOUT_RESULT = frozenset({"created", "started", "aborted", "noStart", "unknownFinish"})
_WITH_A_WINNER = frozenset({"mate", "resign", "cheat"})

_STATUS_OF_TERMINATION = {
    "time forfeit": "outoftime",
    "insufficient material": "insufficientMaterialClaim",
    "abandoned": "aborted",
    "rules infraction": "cheat",
    "unterminated": "started",
    "unknown": "unknownFinish",
}


def status_of_termination(termination: str | None) -> str | None:
    """Lichess's status for the word in a PGN's Termination tag, or for a status itself.

    None where the word does not say how the game ended ("Normal", free text).
    """
    word = (termination or "").strip()
    if word in STATUSES:
        return word
    return _STATUS_OF_TERMINATION.get(word.lower())


def is_result_known(status: str | None, winner: Color | None) -> bool:
    """Whether `winner` (None for a draw) is a result, rather than the lack of one.

    A game without a winner is a draw, unless it never took place, or its status names an
    ending that has a winner.
    """
    return winner is not None or status not in _WITHOUT_RESULT | _WITH_A_WINNER
