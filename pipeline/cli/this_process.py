"""Which process this is, for whoever finds that it holds a batch, a schedule or a job."""

from __future__ import annotations

import os
import platform
import secrets


def holder_name() -> str:
    """`MACHINE PROCESS RANDOM`: no two processes, and no two calls, have the same."""
    return f"{platform.node()} {os.getpid()} {secrets.token_hex(4)}"


def machine_and_process(holder: str) -> tuple[str, str]:
    """Where a holder is and its process number; empty where a name does not say."""
    machine, process, _rest = [*holder.split(" "), "", ""][:3]
    return machine, process
