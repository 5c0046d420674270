"""Player-games with known ratings as arrays: what fitting works on, and how it is gathered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from config.language import english
from pipeline.records import Game
from pipeline.strength.centipawn_scale import centipawn_scale
from pipeline.strength.depth import evaluation_nodes
from pipeline.strength.evaluations_file import EvaluationsFile
from pipeline.strength.features import (
    FEATURES_VERSION,
    all_feature_names,
    feature_row,
    game_features,
)
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.human_features import HUMAN_FEATURE_NAMES
from pipeline.strength.human_rows import HumanRows
from pipeline.strength.labelled import (
    GameSource,
    Label,
    LeftOut,
    Progress,
    analyses_of,
    games_of,
    labels,
)
from pipeline.strength.likelihood import thinking_seconds
from pipeline.strength.own_moves import own_moves
from pipeline.strength.reasons import why_no_estimate
from pipeline.strength.split import Part, is_held_out, part_of

_GAMES_A_CHUNK = 1000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Examples:
    """One entry a player-game in every array; `rows` has a column for every feature.

    `nodes` is how deep the evaluations are. A game with two kinds of evaluations has two
    entries a player; `first` marks the kind that a report would use. `human_rows` has a
    column for each of `HUMAN_FEATURE_NAMES`, NaN where the human-move model was not asked.
    """

    rows: npt.NDArray[np.float64]
    players: npt.NDArray[np.str_]
    game_ids: npt.NDArray[np.str_]
    speeds: npt.NDArray[np.str_]
    ratings: npt.NDArray[np.float64]
    steady: npt.NDArray[np.bool_]
    have_clocks: npt.NDArray[np.bool_]
    moves: npt.NDArray[np.float64]
    thinking_seconds: npt.NDArray[np.float64]
    nodes: npt.NDArray[np.float64]
    first: npt.NDArray[np.bool_]
    human_rows: npt.NDArray[np.float64]

    @property
    def have_human(self) -> npt.NDArray[np.bool_]:
        """Whether the human-move model has been asked."""
        return np.asarray(~np.isnan(self.human_rows[:, 0]))  # the clock's columns may be empty

    def __len__(self) -> int:
        """How many player-games."""
        return len(self.players)

    def where(self, chosen: npt.NDArray[Any]) -> Examples:
        """Those that `chosen` (mask or indices) picks."""
        return Examples(**{f.name: getattr(self, f.name)[chosen] for f in fields(self)})

    @classmethod
    def joined(cls, parts: Sequence[Examples]) -> Examples:
        """One after another."""
        return cls(
            **{f.name: np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(cls)}
        )


def in_training(examples: Examples) -> npt.NDArray[np.bool_]:
    """Which are those of training players."""
    parts = [part_of(player) is Part.TRAIN for player in examples.players]
    return np.array(parts, dtype=np.bool_)


def gather_examples(
    sources: Sequence[GameSource],
    *,
    evaluations: Sequence[EvaluationsFile],
    human: HumanCache | None,
    cache_folder: Path | None,
    left_out: LeftOut,
    progress: Progress,
) -> Examples:
    """Every player-game with a rating that the model could read.

    Analysing takes nearly all the time, so that what is done is kept in `cache_folder`, a
    thousand games a file; the next call with the same games goes on from there. What the
    human-move model says has its own cache, `human`.
    """
    parts, seen = [_examples([])], 0
    asking = None if human is None else HumanRows(human)
    for source in sources:
        for chunk in _chunks(games_of(source.games, left_out)):
            parts.append(_cached(chunk, source, evaluations, cache_folder, left_out))
            if asking is not None:
                asking.offer(chunk, _worth_asking(parts[-1]))
            seen += len(chunk)
            progress(english("analysing {source}").format(source=source.name), seen)
    examples = Examples.joined(parts)
    if asking is None:
        return examples
    keys = zip(examples.game_ids.tolist(), examples.players.tolist(), strict=True)
    return replace(examples, human_rows=asking.rows(list(keys), progress))


def _chunks(games: Iterable[Game]) -> Iterator[list[Game]]:
    iterator = iter(games)
    while chunk := list(islice(iterator, _GAMES_A_CHUNK)):
        yield chunk


def _worth_asking(examples: Examples) -> list[tuple[str, str]]:
    """(game id, player) of those that something is fitted on."""
    return [
        (str(game_id), str(player))
        for game_id, player, steady in zip(
            examples.game_ids, examples.players, examples.steady, strict=True
        )
        if steady and not is_held_out(str(player))
    ]


def _cached(
    games: list[Game],
    source: GameSource,
    evaluations: Sequence[EvaluationsFile],
    cache_folder: Path | None,
    left_out: LeftOut,
) -> Examples:
    if cache_folder is None:
        return _analysed(games, evaluations, left_out)
    path = cache_folder / f"{_key(games, source, evaluations)}.npz"
    if path.exists():
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        for reason, count in zip(arrays.pop("reasons"), arrays.pop("counts"), strict=True):
            left_out.counts[str(reason)] += int(count)
        return Examples(**arrays, human_rows=_not_asked(len(arrays["players"])))
    own = LeftOut()
    examples = _analysed(games, evaluations, own)
    left_out.counts.update(own.counts)
    _keep(examples, own, path)
    return examples


def _keep(examples: Examples, left_out: LeftOut, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Any] = {f.name: getattr(examples, f.name) for f in fields(examples)}
    del arrays["human_rows"]  # they have a cache of their own
    arrays["reasons"] = np.array(list(left_out.counts.keys()), dtype=np.str_)
    arrays["counts"] = np.array(list(left_out.counts.values()), dtype=np.int64)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    unfinished.replace(path)


def _key(games: list[Game], source: GameSource, evaluations: Sequence[EvaluationsFile]) -> str:
    """Changes with the games, the file they came in, their evaluations and the features."""
    digest = sha256(source.sha256.encode())
    digest.update(f"{FEATURES_VERSION} {all_feature_names()}".encode())
    for file in evaluations:
        if any(game.id in file for game in games):
            digest.update(file.sha256.encode())
    for game in games:
        digest.update(game.id.encode() + b"\n")
    return digest.hexdigest()[:32]


def _analysed(
    games: list[Game], evaluations: Sequence[EvaluationsFile], left_out: LeftOut
) -> Examples:
    return _examples([entry for game in games for entry in _entries(game, evaluations, left_out)])


def _entries(
    game: Game, evaluations: Sequence[EvaluationsFile], left_out: LeftOut
) -> Iterator[tuple[Any, ...]]:
    known = labels(game, left_out)
    if not known:
        return
    for kind, analysis in enumerate(analyses_of(game, evaluations, left_out)):
        nodes, scale = evaluation_nodes(analysis), centipawn_scale(game, analysis)
        for label in known:
            scored = analysis.own_moves(label.color)
            if refusal := why_no_estimate(game, len(scored), (game.speed,)):
                left_out.add(refusal.reason)
                continue
            moves = own_moves(scored, centipawn_scale=scale)
            row = feature_row(game_features(moves, game.clock), all_feature_names())
            clocks = moves.have_clocks and game.clock is not None
            yield row, label, game, clocks, moves.count, nodes, kind == 0


def _examples(entries: Sequence[tuple[Any, ...]]) -> Examples:
    columns = list(zip(*entries, strict=True)) or [()] * 7
    rows, known, games, have_clocks, counts, nodes, first = columns
    typed_labels: Sequence[Label] = known
    typed_games: Sequence[Game] = games
    return Examples(
        rows=np.array(rows, dtype=np.float64).reshape(-1, len(all_feature_names())),
        players=np.array([label.player.lower() for label in typed_labels], dtype=np.str_),
        game_ids=np.array([game.id for game in typed_games], dtype=np.str_),
        speeds=np.array([game.speed for game in typed_games], dtype=np.str_),
        ratings=np.array([label.rating for label in typed_labels], dtype=np.float64),
        steady=np.array([label.steady for label in typed_labels], dtype=np.bool_),
        have_clocks=np.array(have_clocks, dtype=np.bool_),
        moves=np.array(counts, dtype=np.float64),
        thinking_seconds=np.array([thinking_seconds(game.clock) for game in typed_games]),
        nodes=np.array(nodes, dtype=np.float64),
        first=np.array(first, dtype=np.bool_),
        human_rows=_not_asked(len(typed_games)),
    )


def _not_asked(entries: int) -> npt.NDArray[np.float64]:
    return np.full((entries, len(HUMAN_FEATURE_NAMES)), np.nan)
