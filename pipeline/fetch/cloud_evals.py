"""Lichess's cloud evaluations: what its users' browsers found of well-known positions.

Source: lichess-org/api, tags/analysis/api-cloud-eval.yaml. A score is White's, a mate counts
full moves, and castling is written as the king taking its rook.
"""

from __future__ import annotations

from collections.abc import Callable

import chess
import requests

from config.language import _
from engines.evals import Centipawns, Eval, KnownEval, Mate
from pipeline.fetch.answers import Record
from pipeline.fetch.export_evals import mate_from_white
from pipeline.fetch.fields import Fields
from pipeline.fetch.lichess import LICHESS
from pipeline.fetch.position_lookup import PositionLookup

MOST_REQUESTS = 1000
"""A run's share: the API is for "a few positions here and there" (its documentation), and
Lichess answers one address 3,000 times a day (guidopetri/chess-pipeline, pull request 85)."""


class CloudEvals:
    """What Lichess's cloud knows of positions. For one thread.

    Lichess allows one request at a time: nothing else may be asked of it meanwhile, and no
    stream of games be open. `sleep` takes seconds; `on_notice` gets a sentence before a wait,
    and one when the cloud is asked no more in this run (refusals, no connection, an answer
    that is not as documented): then every further position is unknown.
    """

    def __init__(
        self,
        session: requests.Session,
        *,
        base_url: str = LICHESS,
        sleep: Callable[[float], None],
        on_notice: Callable[[str], None],
        most_requests: int = MOST_REQUESTS,
    ) -> None:
        self._lookup = PositionLookup(
            session,
            base_url=base_url,
            name="Lichess's cloud evaluations",
            pause_seconds=0.0,
            most_requests=most_requests,
            sleep=sleep,
            on_notice=on_notice,
        )

    def known(self, board: chess.Board) -> KnownEval | None:
        """The cloud's evaluation and best move of a position that is not finished, if any.

        Only the position counts: the moves before it (repetitions) and the counters of moves
        are all the same to the cloud. The best move is written as `board.uci` writes it.
        Raises nothing but what `sleep` and `on_notice` do.
        """
        variant = "chess960" if board.chess960 else "standard"
        return self._lookup.known(
            f"{variant} {board.epd()}",
            "/api/cloud-eval",
            {"fen": board.fen(), "multiPv": 1, "variant": variant},
            lambda record: _known_eval(record, board),
        )


def _known_eval(record: Record, board: chess.Board) -> KnownEval:
    lines = Fields(record, _("a cloud evaluation")).children("pvs")
    if not lines:
        raise ValueError(_("no line"))
    evaluation = _evaluation(lines[0])
    moves = lines[0].text("moves").split()
    _check_line(moves, board, evaluation)
    return KnownEval(eval=evaluation, best_move_uci=board.uci(board.parse_uci(moves[0])))


def _evaluation(line: Fields) -> Eval:
    mate = line.optional_integer("mate")
    if mate is None:
        return Centipawns(line.integer("cp"))
    if mate == 0:
        raise ValueError("a finished position was not asked for")
    return mate_from_white(mate, "white")


def _check_line(moves_uci: list[str], board: chess.Board, evaluation: Eval) -> None:
    """ValueError for a line of another position, or one whose mate is the other side's."""
    after = board.copy(stack=False)
    for move_uci in moves_uci:
        move = after.parse_uci(move_uci)
        if not move:
            raise ValueError(_("a null move"))
        after.push(move)
    if after.is_checkmate():
        winner = "black" if after.turn == chess.WHITE else "white"
        if not isinstance(evaluation, Mate) or evaluation.winner != winner:
            raise ValueError(_("the score is not White's"))
