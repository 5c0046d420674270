"""Evaluations that lie beside the games: JSON Lines, plain, .gz or .zst.

One game a line, `{"id": …, "ev": [["c", centipawns] | ["m", moves] | null, …],
"best": [uci | null, …]}`: `ev[i]` is position i (0 = start) from White's point of view,
`["m", 0]` a mate on the board; `best[i]` the engine's move there. `best` may be left out, and
so may `"nodes"`, how many were searched a position, which is then taken for 10,000, and
`"policy"`, how hash and order were handled (`SearchLimit.policy`).
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import zstandard

from config.errors import InputError, UnreadableFile
from config.language import _
from engines.evals import Centipawns, Color, EngineId, Eval, GameEvals, Mate, SearchLimit
from pipeline.replay import Replay
from pipeline.strength.depth import SHALLOW_NODES
from pipeline.strength.digest import file_sha256

UNKNOWN_POLICY = "unknown"


class EvaluationsFile:
    """The evaluations of many games, by game id.

    The lines are kept as text and read when their game comes: a database's evaluations as
    objects would fill the memory.
    """

    def __init__(self, name: str, sha256: str, lines: dict[str, tuple[int, str]]) -> None:
        self.name = name
        self.sha256 = sha256
        self._engine = EngineId(name=f"evaluations in {name}")
        self._lines = lines

    def __contains__(self, game_id: str) -> bool:
        """Whether it has evaluations of that game."""
        return game_id in self._lines

    def __len__(self) -> int:
        """How many games it has evaluations of."""
        return len(self._lines)

    def of(self, replay: Replay) -> GameEvals | None:
        """The game's evaluations; None when the file has none.

        InputError, with file and line, when they do not fit the game.
        """
        if replay.game_id not in self._lines:
            return None
        number, line = self._lines[replay.game_id]
        record, where = json.loads(line), f"{self.name}, line {number}"
        evals = record.get("ev")
        if not isinstance(evals, list) or len(evals) != replay.plies + 1:
            raise InputError(
                _(
                    "{where}: game {game_id} needs {plies} evaluations, one for each "
                    "position; compute them again for these moves."
                ).format(where=where, game_id=replay.game_id, plies=replay.plies + 1)
            )
        best = record.get("best") or [None] * len(evals)
        mated = _side_to_move_at_the_end(replay)
        return GameEvals(
            game_id=replay.game_id,
            engine=self._engine,
            limit=SearchLimit(
                nodes_per_position=record.get("nodes", SHALLOW_NODES),
                policy=record.get("policy", UNKNOWN_POLICY),
            ),
            evals=tuple(_evaluation(entry, mated, where) for entry in evals),
            best_moves_uci=tuple(best[: len(evals)]) + (None,) * (len(evals) - len(best)),
        )


def read_evaluations(path: Path) -> EvaluationsFile:
    """UnreadableFile when it is missing or not such a file, with the line that is not."""
    lines: dict[str, tuple[int, str]] = {}
    try:
        with _opened(path) as stream:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    lines[_game_id(line, f"{path}, line {number}")] = (number, line)
    except (OSError, EOFError, UnicodeDecodeError, zstandard.ZstdError) as error:
        raise UnreadableFile(
            _("The evaluations in {path} cannot be read ({error}); check the file.").format(
                path=path, error=error
            )
        ) from error
    return EvaluationsFile(path.name, file_sha256(path), lines)


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    with path.open("rb") as file:
        if path.suffix == ".zst":
            reader: Any = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        else:
            reader = gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file
        with io.TextIOWrapper(reader, encoding="utf-8") as text:
            yield text


def _game_id(line: str, where: str) -> str:
    try:
        return str(json.loads(line)["id"])
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableFile(
            _(
                '{where} is no record of evaluations ({{"id", "ev", "best"}}); check the file.'
            ).format(where=where)
        ) from error


def evaluations_line(evals: GameEvals) -> str:
    """A game's evaluations as one line of such a file, without its end."""
    record: dict[str, object] = {
        "id": evals.game_id,
        "ev": [_entry(evaluation) for evaluation in evals.evals],
        "best": list(evals.best_moves_uci),
    }
    if evals.limit is not None:
        record |= {"nodes": evals.limit.nodes_per_position, "policy": evals.limit.policy}
    return json.dumps(record, separators=(",", ":"))


def _entry(evaluation: Eval | None) -> list[str | int] | None:
    match evaluation:
        case Centipawns(value):
            return ["c", value]
        case Mate(winner, moves):
            return ["m", moves if winner == "white" else -moves]
        case None:
            return None


def _evaluation(entry: Any, mated: Color, where: str) -> Eval | None:
    match entry:
        case None:
            return None
        case ["c", int(centipawns)]:
            return Centipawns(centipawns)
        case ["m", 0]:
            return Mate("black" if mated == "white" else "white", 0)
        case ["m", int(moves)]:
            return Mate("white" if moves > 0 else "black", abs(moves))
    raise InputError(
        _('{where}: {entry} is neither ["c", centipawns] nor ["m", moves].').format(
            where=where, entry=f"{entry!r}"
        )
    )


def _side_to_move_at_the_end(replay: Replay) -> Color:
    """Who is mated, if anyone is."""
    starter = replay.start_color
    other: Color = "black" if starter == "white" else "white"
    return starter if replay.plies % 2 == 0 else other
