"""A thing that one process does at a time, on however many machines with the same store."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from config.errors import StoreError
from pipeline.epoch import epoch_ms
from pipeline.store import Store
from pipeline.store.runs import Lease

LEASE_SECONDS = 60.0
"""Who is silent for so long is taken for dead: what another machine did is taken over then."""

_BEAT_SECONDS = LEASE_SECONDS / 6

_log = logging.getLogger(__name__)


class HeldLease:
    """Held by this process for as long as `is_lost` is not set."""

    def __init__(self) -> None:
        self.is_lost = threading.Event()
        self.is_over = threading.Event()


class TakenLease(Exception):
    """Somebody else is at it."""

    def __init__(self, lease: Lease) -> None:
        super().__init__(lease.holder)
        self.lease = lease


@contextmanager
def held(
    store: Store,
    name: str,
    holder: str,
    *,
    clock: Callable[[], datetime],
    has_ended: Callable[[str], bool] = lambda _holder: False,
    beat_seconds: float = _BEAT_SECONDS,
) -> Iterator[HeldLease]:
    """Be alone at `name`; TakenLease when somebody else is who not certainly `has_ended`.

    `clock` gives UTC. A thread says every few seconds that this process is alive. While the store
    cannot be reached the lease counts as held until its time is over, then as lost.
    """
    taken = _taken(store, name, holder, clock)
    if taken is not None and has_ended(taken.holder):
        store.runs.let_go(name, taken.holder)
        taken = _taken(store, name, holder, clock)
    if taken is not None:
        raise TakenLease(taken)
    lease = HeldLease()
    beats = threading.Thread(
        target=_beat,
        args=(store, name, holder, lease, clock, beat_seconds),
        name="lease",
        daemon=True,
    )
    beats.start()
    try:
        yield lease
    finally:
        lease.is_over.set()
        beats.join()
        _let_go(store, name, holder)


def _taken(store: Store, name: str, holder: str, clock: Callable[[], datetime]) -> Lease | None:
    now = clock()
    return store.runs.take(name, holder, now_ms=epoch_ms(now), until_ms=_until_ms(now))


def _beat(
    store: Store,
    name: str,
    holder: str,
    lease: HeldLease,
    clock: Callable[[], datetime],
    beat_seconds: float,
) -> None:
    held_until = time.monotonic() + LEASE_SECONDS
    while not lease.is_over.wait(beat_seconds):
        try:
            is_held = store.runs.hold(name, holder, until_ms=_until_ms(clock()))
        except StoreError as error:
            _log.warning("%s: %s", name, error)
            is_held = time.monotonic() < held_until
        else:
            held_until = time.monotonic() + LEASE_SECONDS
        if not is_held:
            lease.is_lost.set()
            return


def _let_go(store: Store, name: str, holder: str) -> None:
    try:
        store.runs.let_go(name, holder)
    except StoreError as error:
        _log.warning("%s: %s", name, error)  # it runs out by itself


def _until_ms(now: datetime) -> int:
    return epoch_ms(now + timedelta(seconds=LEASE_SECONDS))
