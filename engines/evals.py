"""What an engine says about positions, and what was asked of it.

An `Eval` always speaks for White. A game of n plies has n + 1 positions, numbered from 0
(the starting position) to n, and one evaluation for each.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Literal, TypeAlias

from config.language import english

Color: TypeAlias = Literal["white", "black"]

COLORS: tuple[Color, Color] = ("white", "black")


@dataclass(frozen=True, slots=True)
class Centipawns:
    """An advantage in hundredths of a pawn; positive is good for White. Not clamped."""

    value: int


@dataclass(frozen=True, slots=True)
class Mate:
    """`winner` mates in `moves` full moves (as UCI counts); 0 is a mate on the board."""

    winner: Color
    moves: int


Eval: TypeAlias = Centipawns | Mate


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineId:
    """Who evaluated: `name` as the engine states it, `network` its NNUE file if it tells."""

    name: str
    network: str | None = None


LICHESS_ANALYSIS = EngineId(name=english("Lichess server analysis"))
PGN_COMMENTS = EngineId(name=english("evaluations in the PGN"))


USUAL_HASH_MEBIBYTES = 16
"""More is slower: what lies further apart than the processor's own memory is waited for."""

_EVEN_POLICY = "backwards-warm-hash"
_SPARING_POLICY = f"{_EVEN_POLICY}, fewer nodes where forced, decided or in the opening"
_EARLIER_HASH_MEBIBYTES = 64
_USUAL_HASH = f", {USUAL_HASH_MEBIBYTES} MiB"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchLimit:
    """How much thought a position gets. `policy` names how hash and order are handled.

    It says, too, whether each position gets `nodes_per_position`, or fewer where more would
    change nothing; without either all do.
    """

    nodes_per_position: int
    policy: str = _SPARING_POLICY + _USUAL_HASH

    @property
    def spares_nodes(self) -> bool:
        """Whether some positions get fewer nodes."""
        return self.policy.startswith(_SPARING_POLICY)

    def with_all_nodes(self) -> SearchLimit:
        """The same search, but that each position gets all nodes: as before nodes were spared."""
        return replace(self, policy=self.policy.replace(_SPARING_POLICY, _EVEN_POLICY, 1))

    def as_good(self) -> tuple[SearchLimit, ...]:
        """Itself, and the searches of earlier versions of movelo that are as good.

        They had more hash, and before that no nodes were spared.
        """
        earlier = replace(self, policy=self.policy.replace(_USUAL_HASH, "", 1))
        return tuple(dict.fromkeys((self, earlier, earlier.with_all_nodes())))


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEval:
    """What somebody else found of a position: an engine need not be asked."""

    eval: Eval
    best_move_uci: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionSequence:
    """A game as an engine needs it: where it starts, and the moves from there (UCI).

    `known` are positions (0 = start) that need not be searched.
    """

    game_id: str
    start_fen: str
    moves_uci: tuple[str, ...]
    chess960: bool = False
    known: tuple[tuple[int, KnownEval], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEvals:
    """Every position of one game, evaluated.

    `evals[i]` is position i (0 = start), n + 1 in all; None where there is no evaluation.
    `best_moves_uci[i]` is the engine's choice in position i, n + 1 in all; None where it is
    not known (a finished position, or a source that does not tell).
    `limit` is None where somebody else chose it (Lichess, a PGN).
    """

    game_id: str
    engine: EngineId
    limit: SearchLimit | None
    evals: tuple[Eval | None, ...]
    best_moves_uci: tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFailure:
    """A game without evaluations, and why: one sentence for a person."""

    game_id: str
    reason: str


def policy_with(
    options: Iterable[tuple[str, str | int | bool]], *, hash_mebibytes: int = USUAL_HASH_MEBIBYTES
) -> str:
    """The `policy` of searches with these UCI options and this hash: they change the numbers.

    Options are told apart by a digest of their names (their case does not matter) and values.
    """
    told = {
        name.lower(): str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in options
    }
    if hash_mebibytes not in (USUAL_HASH_MEBIBYTES, _EARLIER_HASH_MEBIBYTES):
        told["hash"] = str(hash_mebibytes)
    policy = _SPARING_POLICY + (_USUAL_HASH if hash_mebibytes == USUAL_HASH_MEBIBYTES else "")
    if not told:
        return policy
    digest = sha256(json.dumps(sorted(told.items())).encode()).hexdigest()
    return f"{policy}, options {digest[:12]}"


def eval_to_text(evaluation: Eval) -> str:
    """`35`, `-120`; `#3`, `#-3` for a mate by White, by Black; `#+0`, `#-0` once mated."""
    if isinstance(evaluation, Centipawns):
        return str(evaluation.value)
    if evaluation.moves == 0:
        return "#+0" if evaluation.winner == "white" else "#-0"
    return f"#{evaluation.moves}" if evaluation.winner == "white" else f"#-{evaluation.moves}"


def eval_from_text(text: str) -> Eval:
    """The inverse of `eval_to_text`; ValueError when `text` is neither form."""
    if not text.startswith("#"):
        return Centipawns(int(text))
    moves = int(text[1:])
    return Mate("black" if text[1] == "-" else "white", abs(moves))
