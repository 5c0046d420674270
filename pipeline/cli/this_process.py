"""Which process this is, for whoever finds that it holds a batch, a schedule or a job."""

from __future__ import annotations

import os
import platform
import secrets
from hashlib import sha256
from pathlib import Path


def holder_name() -> str:
    """`MACHINE PROCESS REST`: no two processes, and no two calls, have the same."""
    process = os.getpid()
    rest = (_system(), _started_at(process), secrets.token_hex(4))
    return f"{platform.node()} {process} {'.'.join(rest)}"


def machine_and_process(holder: str) -> tuple[str, str]:
    """Where a holder is and its process number; empty where a name does not say."""
    machine, process, _rest = [*holder.split(" "), "", ""][:3]
    return machine, process


def has_ended(holder: str) -> bool:
    """Whether it is certain that the process of this name is no more.

    It is not where it is another machine's, or another container's, or where processes cannot be
    told apart, as on anything but Linux.
    """
    _machine, process, rest = [*holder.split(" "), "", ""][:3]
    system, started_at, _random = [*rest.split("."), "", ""][:3]
    if not (process.isdecimal() and started_at and system and system == _system()):
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:  # somebody else's
        pass
    now = _started_at(int(process))
    return now not in ("", started_at)


def _system() -> str:
    """The machine since its start, and the container within it; "" where there is no telling."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii")
        processes = Path("/proc/self/ns/pid").readlink()
    except OSError:
        return ""
    return sha256(f"{boot} {processes}".encode()).hexdigest()[:12]


def _started_at(process: int) -> str:
    """In ticks since the machine was started: no two processes of one number have the same.

    "ended" for one that is over and that nobody has waited for; "" where it cannot be read. See
    proc_pid_stat(5).
    """
    try:
        stat = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
    except OSError:
        return ""
    state, *fields = stat.rpartition(")")[2].split()
    return "ended" if state in "ZX" else fields[18]
