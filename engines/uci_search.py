"""A position and a running engine: what is asked with how many nodes, and what comes back."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from config.language import _
from engines.effort import forced_answer, is_enough, is_quick, quick_nodes
from engines.evals import Eval, SearchLimit
from engines.positions import Position
from engines.uci_answers import best_move_in, is_exact_score, score_in
from engines.uci_process import UciProcess

_NODES = re.compile(r" nodes (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The engine's answer; `nodes` are those that it counted, which are seldom those asked for."""

    eval: Eval
    best_move_uci: str
    nodes: int


def answer(
    process: UciProcess, position: Position, following: Eval | None, limit: SearchLimit
) -> Found:
    """Evaluate a position that is not finished, with no more nodes than it takes.

    `following` is the evaluation of the game's next position; None after the last move.
    ValueError, with the reason, when the engine makes no sense; EOFError when it ends.
    """
    forced = forced_answer(position.board, following) if limit.spares_nodes else None
    if forced is not None:
        return Found(eval=forced[0], best_move_uci=forced[1], nodes=0)
    if not is_quick(limit, position, following):
        return _searched(process, position, limit.nodes_per_position)
    quick = _searched(process, position, quick_nodes(limit))
    if is_enough(position, quick.eval):
        return quick
    thorough = _searched(process, position, limit.nodes_per_position)
    return replace(thorough, nodes=quick.nodes + thorough.nodes)


def _searched(process: UciProcess, position: Position, nodes: int) -> Found:
    process.send(f"{position.command}\ngo nodes {nodes}\n")
    score_line = info_line = ""
    while not (line := process.read_line()).startswith("bestmove"):
        if is_exact_score(line):
            score_line = line
        if line.startswith("info ") and " nodes " in line:
            info_line = line
    if not score_line:
        raise ValueError(_("it answered without a score"))
    counted = _NODES.search(info_line)
    return Found(
        eval=score_in(score_line, position.board.turn),
        best_move_uci=best_move_in(line, position.board),
        nodes=int(counted[1]) if counted else 0,
    )
