"""Lichess's endgame tablebase: the exact result of every position of up to seven men.

Source: lichess-org/api, schemas/TablebaseJson.yaml; lila-tablebase, src/response.rs and
src/gaviota.rs. A category is the mover's, and dtm counts plies (up to five men only): positive
where the mover mates. A move's category is that of the position after it.
"""

from __future__ import annotations

from collections.abc import Callable

import chess
import requests

from config.language import _
from engines.evals import COLORS, Centipawns, Color, Eval, KnownEval, Mate
from pipeline.fetch.answers import Record
from pipeline.fetch.fields import Fields
from pipeline.fetch.position_lookup import PositionLookup

TABLEBASE = "https://tablebase.lichess.ovh"

MOST_MEN = 7

PAUSE_SECONDS = 1.0
"""Between two requests: "should be safe", says its maintainer (lila-tablebase, issue 158)."""

MOST_REQUESTS = 600
"""Ten minutes of pauses, beyond which an engine is the better choice."""

WON_CENTIPAWNS = 10_000
"""A win whose distance to mate nobody knows. Far above what Lichess's formulas tell apart
(±1,000), and yet no `Mate`, which would have to state a number of moves."""

_DRAWN = frozenset({"draw", "cursed-win", "blessed-loss"})
"""With a cursed win or a blessed loss, the fifty-move rule comes before the mate."""

_UNDECIDED = frozenset({"unknown", "maybe-win", "maybe-loss", "syzygy-win", "syzygy-loss"})
"""The fifty-move rule may come first, or not: the table's own distance is rounded."""

_AFTERWARDS = {"win": "loss", "loss": "win"}
"""What the opponent then has, after the best move."""


def is_tablebase_position(board: chess.Board) -> bool:
    """Whether there is a table for it: up to seven men, kings included, and no castling."""
    return chess.popcount(board.occupied) <= MOST_MEN and not board.clean_castling_rights()


class Tablebase:
    """What Lichess's tablebase knows of positions. For one thread.

    Give it a session without a token: the tablebase is on another host and needs none. One
    request at a time, with a second in between. `sleep` takes seconds; `on_notice` gets a
    sentence before a longer wait, and one when the tablebase is asked no more in this run
    (refusals, no connection, an answer that is not as documented): then every further
    position is unknown.
    """

    def __init__(
        self,
        session: requests.Session,
        *,
        base_url: str = TABLEBASE,
        sleep: Callable[[float], None],
        on_notice: Callable[[str], None],
        most_requests: int = MOST_REQUESTS,
    ) -> None:
        self._lookup = PositionLookup(
            session,
            base_url=base_url,
            name="Lichess's tablebase",
            pause_seconds=PAUSE_SECONDS,
            most_requests=most_requests,
            sleep=sleep,
            on_notice=on_notice,
        )

    def known(self, board: chess.Board) -> KnownEval | None:
        """The result and a best move of a position that is not finished, if there is a table.

        Only the position and its count of moves without progress matter; which moves came
        before (repetitions) is all the same. A mate counts full moves; a win without a known
        distance is ±WON_CENTIPAWNS; a draw, also one by the fifty-move rule, is 0; where that
        rule leaves the result open, it is unknown. Of several moves that keep a draw, the best
        one is the tablebase's choice. Raises nothing but what `sleep` and `on_notice` do.
        """
        if not is_tablebase_position(board):
            return None
        return self._lookup.known(
            f"{board.chess960} {board.epd()} {board.halfmove_clock}",
            "/standard",
            {"fen": board.fen()},
            lambda record: _known_eval(record, board),
        )


def _known_eval(record: Record, board: chess.Board) -> KnownEval | None:
    answer = Fields(record, _("a tablebase's answer"))
    category = answer.text("category")
    if category in _UNDECIDED:
        return None
    return KnownEval(
        eval=_evaluation(category, answer.optional_integer("dtm"), board.turn),
        best_move_uci=_best_move(category, answer.children("moves"), board),
    )


def _evaluation(category: str, dtm_plies: int | None, turn: chess.Color) -> Eval:
    if category in _DRAWN:
        return Centipawns(0)
    if category not in _AFTERWARDS:
        raise ValueError(_("a category that is not documented"))
    mover_wins = category == "win"
    winner: Color = COLORS[0] if turn == mover_wins else COLORS[1]  # chess.WHITE is True
    if dtm_plies is None:
        return Centipawns(WON_CENTIPAWNS if winner == "white" else -WON_CENTIPAWNS)
    if dtm_plies == 0 or mover_wins != (dtm_plies > 0):
        raise ValueError(_("the distance to mate is not the mover's"))
    return Mate(winner, (abs(dtm_plies) + 1) // 2)


def _best_move(category: str, moves: tuple[Fields, ...], board: chess.Board) -> str:
    """The first of `moves`, which come best first; ValueError where it belongs elsewhere."""
    if not moves:
        raise ValueError(_("no move"))
    if category in _AFTERWARDS and moves[0].text("category") != _AFTERWARDS[category]:
        raise ValueError(_("a move's category is not the opponent's"))
    move = board.parse_uci(moves[0].text("uci"))
    if not move:
        raise ValueError(_("a null move"))
    return board.uci(move)
