"""Engines and the human-move model on a Dask cluster, as a command's workshop wants them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from config.errors import SettingsError
from config.language import _
from config.settings import Settings
from engines.crew import Deliver
from engines.evals import SearchLimit
from engines.maia_pool import network_id
from pipeline.cli.human_model_choice import wanted_human_model
from pipeline.evaluation import Evaluator
from pipeline.human_moves import HumanMoveReader

if TYPE_CHECKING:
    from engines.cluster import Cluster

_SCHEMES = ("tcp://", "tls://", "ws://", "wss://")


class ClusterRoom:
    """What a machine's own engines and human-move model are to a workshop, on a cluster."""

    def __init__(self, cluster: Cluster, settings: Settings, limit: SearchLimit) -> None:
        self._cluster = cluster
        self._settings = settings
        self._limit = limit

    def engines(self, path: Path | None, deliver: Deliver) -> AbstractContextManager[Evaluator]:
        """EngineError names the workers whose engines differ."""
        settings = self._settings.engine
        return self._cluster.evaluator(
            deliver,
            engine=_as_workers_find_it(path or (Path(settings.path) if settings.path else None)),
            limit=self._limit,
            hash_mebibytes=settings.hash_mebibytes,
            options=settings.uci_options(),
        )

    def noted_engine(self, _path: Path | None) -> None:
        """The workers have to be asked."""

    def human_model(self) -> HumanMoveReader | None:
        """None when it is neither installed here nor on the workers."""
        path = wanted_human_model(self._settings)
        return self._cluster.human_model(
            self._settings.strength.human_model_provider,
            network=None if path is None else network_id(path),
        )


@contextmanager
def cluster_room(
    address: str,
    settings: Settings,
    limit: SearchLimit,
    *,
    workers: int,
    say: Callable[[str], None],
) -> Iterator[ClusterRoom]:
    """`address` is a Dask scheduler's, or `local`; nothing is connected before it is needed.

    SettingsError for an address that is none, or when Dask is not installed.
    """
    _check_address(address)
    if find_spec("distributed") is None:
        raise SettingsError(
            _(
                "--cluster needs Dask, which is not installed: install it with: "
                "pip install 'movelo[cluster]'"
            )
        )
    from engines.cluster import Cluster

    wait_seconds = settings.cluster.wait_seconds
    with Cluster(address, workers=workers, wait_seconds=wait_seconds, say=say) as cluster:
        yield ClusterRoom(cluster, settings, limit)


def _check_address(address: str) -> None:
    if address != "local" and not address.startswith(_SCHEMES):
        raise SettingsError(
            _(
                "--cluster {address}: that is no Dask scheduler's address; write it as "
                "tcp://HOST:8786, or local for a cluster on this machine"
            ).format(address=address)
        )


def _as_workers_find_it(path: Path | None) -> Path | None:
    """A path, not a mere name to be looked up, must not depend on where a worker was started."""
    if path is None or path.parent == Path():
        return path
    return path.expanduser().absolute()
