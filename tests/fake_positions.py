"""What a Lichess on this machine knows of positions: a cloud, and a tablebase.

Records have the fields that lichess-org/api documents (tags/analysis/api-cloud-eval.yaml,
schemas/TablebaseJson.yaml). As there, a position is known whatever its counters of moves.
"""

from __future__ import annotations

from typing import Any

import chess

Record = dict[str, Any]

_OPPOSITES = {
    "win": "loss",
    "unknown": "unknown",
    "syzygy-win": "syzygy-loss",
    "maybe-win": "maybe-loss",
    "cursed-win": "blessed-loss",
    "draw": "draw",
}
OPPOSITES = _OPPOSITES | {loss: win for win, loss in _OPPOSITES.items()}
CATEGORIES = tuple(OPPOSITES)


class FakePositions:
    """What is known, by the first four fields of a FEN."""

    def __init__(self) -> None:
        self._cloud: dict[str, Record] = {}
        self._tablebase: dict[str, Record] = {}

    def add_cloud_eval(
        self, fen: str, moves: str, *, cp: int | None = None, mate: int | None = None
    ) -> None:
        """A line and its score, as the server would send them: cp and mate are White's."""
        score = {"cp": cp} if mate is None else {"mate": mate}
        record = {"fen": fen, "knodes": 13683, "depth": 22, "pvs": [{"moves": moves} | score]}
        self.add_cloud_record(fen, record)

    def add_cloud_record(self, fen: str, record: Record) -> None:
        """Any answer about a position, sound or not."""
        self._cloud[_place(fen)] = record

    def add_result(
        self, fen: str, category: str, best_move_uci: str, *, dtm: int | None = None
    ) -> None:
        """The mover's result, and its best move; the move's own result is the opponent's."""
        afterwards = None if dtm is None else 1 - dtm if dtm > 0 else -1 - dtm
        move = _result(OPPOSITES[category], afterwards) | {"uci": best_move_uci, "zeroing": False}
        self.add_tablebase_record(fen, _result(category, dtm) | {"moves": [move]})

    def add_tablebase_record(self, fen: str, record: Record) -> None:
        """Any answer about a position, sound or not."""
        self._tablebase[_place(fen)] = record

    def cloud_eval(self, query: dict[str, str]) -> Record | None:
        """The answer to /api/cloud-eval; None where it is 404."""
        if query.get("variant", "standard") not in ("standard", "chess960"):
            return None
        return self._cloud.get(_place(query["fen"]))

    def tablebase(self, query: dict[str, str]) -> Record | None:
        """The answer to /standard of the tablebase; None where it is 404."""
        return self._tablebase.get(_place(query["fen"]))


def _result(category: str, dtm: int | None) -> Record:
    return {
        "category": category,
        "dtz": None,
        "precise_dtz": None,
        "dtc": None,
        "dtm": dtm,
        "dtw": None,
        "checkmate": False,
        "stalemate": False,
        "variant_win": False,
        "variant_loss": False,
        "insufficient_material": False,
    }


def _place(fen: str) -> str:
    return chess.Board(fen, chess960=True).epd()
