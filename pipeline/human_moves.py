"""What the human-move model says of each game's moves: from the store, or computed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol

from config.errors import ModelError
from engines.evals import PositionSequence
from engines.maia import HumanLikelihoods
from engines.maia_pool import HumanMoveFailure
from pipeline.progress import Progress
from pipeline.replay import Replay
from pipeline.store import Store


class HumanMoveReader(Protocol):
    """What a `MaiaPool` is to this stage: many games in, each once out, as they finish.

    It reads within a `with` block, whose beginning takes time; which network it is, is known
    before.
    """

    @property
    def network(self) -> str:
        """Which network reads."""
        ...

    def __enter__(self) -> HumanMoveReader: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

    def likelihoods(
        self, sequences: Sequence[PositionSequence]
    ) -> Iterator[HumanLikelihoods | HumanMoveFailure]:
        """Every game's likelihoods, or why there are none."""
        ...


OpenHumanModel = Callable[[], HumanMoveReader | None]
"""None when it is not installed; called only if some game is to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanMoves:
    """What `network` says of each game, by game id, and the games on which it failed.

    `is_missing` when there was something to read and no model that could: movelo works
    without it, less precisely.
    """

    network: str = ""
    by_game: Mapping[str, HumanLikelihoods] = field(default_factory=dict)
    failures: tuple[HumanMoveFailure, ...] = ()
    is_missing: bool = False


def read_human_moves(
    replays: Sequence[Replay],
    *,
    store: Store,
    open_model: OpenHumanModel | None,
    progress: Progress,
) -> HumanMoves:
    """Of all these games; what is computed is kept at once, whatever comes after.

    `open_model` is None when nobody wants the human-move model. A model that is installed and
    cannot be used is said, and missing.
    """
    if not replays or open_model is None:
        return HumanMoves()
    model = open_model()
    if model is None:
        return HumanMoves(is_missing=True)
    try:
        return _read(replays, model, store, progress)
    except ModelError as error:
        progress.say(f"Going on without the human-move model: {error}.")
        return HumanMoves(is_missing=True)


def _read(
    replays: Sequence[Replay], reader: HumanMoveReader, store: Store, progress: Progress
) -> HumanMoves:
    progress.begin("Reading the moves as human moves", len(replays))
    network = reader.network
    found: dict[str, HumanLikelihoods] = {}
    missing: dict[str, PositionSequence] = {}
    for replay in replays:
        positions = replay.positions()
        kept = store.human_likelihoods(positions, network)
        if kept is None:
            missing[replay.game_id] = positions
        else:
            found[replay.game_id] = kept
            progress.advance()
    failures: list[HumanMoveFailure] = []
    for outcome in _computed(list(missing.values()), reader):
        if isinstance(outcome, HumanMoveFailure):
            failures.append(outcome)
        else:
            positions = missing[outcome.game_id]
            found[outcome.game_id] = _kept(outcome, positions, network, store)
        progress.advance()
    return HumanMoves(network=network, by_game=found, failures=tuple(failures))


def _computed(
    sequences: Sequence[PositionSequence], reader: HumanMoveReader
) -> Iterator[HumanLikelihoods | HumanMoveFailure]:
    """Nothing is loaded when the store knows all games."""
    if sequences:
        with reader:
            yield from reader.likelihoods(sequences)


def _kept(
    human: HumanLikelihoods, positions: PositionSequence, network: str, store: Store
) -> HumanLikelihoods:
    """As the store gives it back, so that the first report is the same as the second."""
    store.add_human_likelihoods(positions, network, human)
    return store.human_likelihoods(positions, network) or human
