"""Searches that spend more on some positions than on others, composed from whole passes.

A policy says of every position with how many nodes it is searched, once or twice, from what
the cheaper searches found. Here the searches are taken from evaluations that were made apart,
a whole game at each number of nodes. A real staged search comes out a little different, for
better or worse: its deeper search would find the hash table full of the shallow pass, and a
position's neighbours in it searched with fewer nodes than here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp, fsum, log
from typing import TypeAlias

from engines.evals import Color, Eval, GameEvals, SearchLimit
from pipeline.formulas.win_percent import mover_win_percent, win_percent
from pipeline.replay import Replay

Levels: TypeAlias = Mapping[int, GameEvals]
"""One game's evaluations by nodes a position."""

Searches: TypeAlias = tuple[tuple[int, ...], ...]
"""For each position the nodes of its searches in order, of which the last one counts.

Empty where it is not searched: then it is what the position after it is.
"""

STAGED = "staged"
_DECIDED_WIN_PERCENT = 45


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """`nodes` are the levels that `searches` looks at, in nodes a position; `name` says how."""

    name: str
    nodes: tuple[int, ...]
    searches: Callable[[Replay, Levels], Searches]
    is_staged: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """One game as a policy evaluates it, and the nodes which that takes in all."""

    evals: GameEvals
    nodes: int


def searched(policy: Policy, replay: Replay, levels: Levels) -> Searched:
    """`levels` has every level of the policy.

    The nodes a position that `evals` states are the geometric mean of those that count: the
    model takes the logarithm for how deep was searched.
    """
    searches = policy.searches(replay, levels)
    sources = _sources(searches)
    counting = [searches[source][-1] for source in sources]
    passes = [levels[nodes] for nodes in counting]
    limit = SearchLimit(
        nodes_per_position=round(exp(fsum(map(log, counting)) / len(counting))),
        policy=passes[0].limit.policy if len(set(counting)) == 1 and passes[0].limit else STAGED,
    )
    evals = replace(
        passes[0],
        limit=limit,
        evals=tuple(p.evals[s] for p, s in zip(passes, sources, strict=True)),
        best_moves_uci=_best_moves(replay, passes, sources),
    )
    return Searched(evals=evals, nodes=_nodes(replay, searches))


def _sources(searches: Searches) -> list[int]:
    """The position whose search each takes its evaluation from: itself, or the next searched."""
    sources: list[int] = []
    for position in reversed(range(len(searches))):
        sources.append(position if searches[position] else sources[-1])
    return sources[::-1]


def _best_moves(
    replay: Replay, passes: list[GameEvals], sources: list[int]
) -> tuple[str | None, ...]:
    """Where nothing was searched there was one move only, and it was played."""
    return tuple(
        passes[position].best_moves_uci[position]
        if source == position
        else replay.moves_uci[position]
        for position, source in enumerate(sources)
    )


def _nodes(replay: Replay, searches: Searches) -> int:
    """A position without a legal move, which only the last one can be, takes none."""
    over = not any(replay.final_board().legal_moves)
    return sum(map(sum, searches[:-1] if over else searches))


# --- the policies --------------------------------------------------------------------------


def everywhere(nodes: int) -> Policy:
    """Each position alike: what movelo does."""
    return Policy(
        name=f"{nodes:,}",
        nodes=(nodes,),
        searches=lambda replay, _levels: ((nodes,),) * (replay.plies + 1),
        is_staged=False,
    )


def deeper_after_losses(shallow: int, deep: int, *, win_percent_lost: float) -> Policy:
    """Deep at both ends of a move that by the shallow pass lost so much (0 to 100) or more."""

    def searches(replay: Replay, levels: Levels) -> Searches:
        losses = _losses(replay, levels[shallow].evals)
        # The first and the last position are the end of one move only.
        ends = zip([0.0, *losses], [*losses, 0.0], strict=True)
        return tuple(
            (shallow, deep) if max(pair) >= win_percent_lost else (shallow,) for pair in ends
        )

    return Policy(
        name=f"{shallow:,}, then {deep:,} where {win_percent_lost:g} % are lost",
        nodes=(shallow, deep),
        searches=searches,
    )


def quick_where_decided(quick: int, usual: int) -> Policy:
    """Quick where the next position is won or lost (win% beyond 95), unless this one is not.

    Positions are searched from the last to the first, so that the next one is known.
    """

    def searches(replay: Replay, levels: Levels) -> Searches:
        found: list[tuple[int, ...]] = []
        decided = False
        for position in reversed(range(replay.plies + 1)):
            nodes: tuple[int, ...] = (quick,) if decided else (usual,)
            if decided and not _is_decided(levels[quick].evals[position]):
                nodes = (quick, usual)
            decided = _is_decided(levels[nodes[-1]].evals[position])
            found.append(nodes)
        return tuple(reversed(found))

    return Policy(
        name=f"{usual:,}, or {quick:,} where decided",
        nodes=(quick, usual),
        searches=searches,
    )


def nothing_where_forced(usual: int) -> Policy:
    """No search of a position with one legal move: the next position says what it is worth."""

    def searches(replay: Replay, _levels: Levels) -> Searches:
        choices = [board.legal_moves.count() for board in replay.boards()]
        return (*(() if count == 1 else (usual,) for count in choices[:-1]), (usual,))

    return Policy(name=f"{usual:,}, or none where forced", nodes=(usual,), searches=searches)


def quick_in_the_opening(quick: int, usual: int, *, plies: int) -> Policy:
    """Quick for the positions in which the first so many plies are played."""

    def searches(replay: Replay, _levels: Levels) -> Searches:
        return tuple((quick if at < plies else usual,) for at in range(replay.plies + 1))

    return Policy(
        name=f"{usual:,}, or {quick:,} for {plies} plies", nodes=(quick, usual), searches=searches
    )


def _losses(replay: Replay, evals: tuple[Eval | None, ...]) -> list[float]:
    """Win percent that each move lost, 0 or more; 0 where an evaluation is not known."""
    mover: Color = replay.start_color
    losses = []
    for before, after in pairwise(evals):
        losses.append(_loss(before, after, mover))
        mover = "black" if mover == "white" else "white"
    return losses


def _loss(before: Eval | None, after: Eval | None, mover: Color) -> float:
    if before is None or after is None:
        return 0.0
    return max(0.0, mover_win_percent(before, mover) - mover_win_percent(after, mover))


def _is_decided(evaluation: Eval | None) -> bool:
    return evaluation is not None and abs(win_percent(evaluation) - 50) > _DECIDED_WIN_PERCENT


STAGED_SEARCHES = (
    deeper_after_losses(5_000, 20_000, win_percent_lost=5),
    quick_where_decided(2_000, 10_000),
)
"""Those worth showing."""
