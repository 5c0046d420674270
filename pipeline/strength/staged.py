"""Searches that spend more on some positions than on others, composed from whole passes.

A policy says of every position with how many nodes it is searched, once or twice, from what
the cheaper searches found. Here the searches are taken from evaluations that were made apart,
a whole game at each number of nodes. A real staged search comes out a little different, for
better or worse: its deeper search would find the hash table full of the shallow pass, and a
position's neighbours in it searched with fewer nodes than here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
"""For each position the nodes of its searches in order, of which the last one counts."""

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
    counting = [of_position[-1] for of_position in searches]
    passes = [levels[nodes] for nodes in counting]
    evals = replace(
        passes[0],
        limit=_limit(counting, passes[0]),
        evals=tuple(one.evals[at] for at, one in enumerate(passes)),
        best_moves_uci=tuple(one.best_moves_uci[at] for at, one in enumerate(passes)),
    )
    return Searched(evals=evals, nodes=_nodes(replay, searches))


def _limit(counting: Sequence[int], first: GameEvals) -> SearchLimit | None:
    if len(set(counting)) == 1:
        return first.limit
    mean = exp(fsum(map(log, counting)) / len(counting))
    return SearchLimit(nodes_per_position=round(mean), policy=STAGED)


def _nodes(replay: Replay, searches: Searches) -> int:
    """A position without a legal move, which only the last one can be, takes none."""
    over = not any(replay.final_board().legal_moves)
    return sum(map(sum, searches[:-1] if over else searches))


# --- the policies --------------------------------------------------------------------------


def everywhere(nodes: int) -> Policy:
    """As the evaluations come, each position alike: movelo spares nodes in each by itself."""
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
    deeper_after_losses(2_000, 20_000, win_percent_lost=5),
    deeper_after_losses(10_000, 100_000, win_percent_lost=5),
    quick_where_decided(2_000, 10_000),
    quick_in_the_opening(2_000, 10_000, plies=8),
)
"""Those worth showing.

The first costs what ten thousand nodes everywhere cost, the second half of a hundred thousand.
A threshold of 3 or 10 %, and no search at all where a move is forced, make no other point.
"""
