"""Ending engine processes, and explaining how they ended."""

from __future__ import annotations

import os
import signal
import sys

from config.language import english, retold

_WRONG_BUILD = english("this build is for another kind of processor, install another")
_UNKNOWN_REASON = english("start it in a terminal to see why")
_EXIT_HINTS = {
    -4: _WRONG_BUILD,
    0xC000001D: _WRONG_BUILD,
    -6: english("it gave up by itself, try another version of it"),
    -9: english(
        "something killed it, mostly for lack of memory: use fewer workers or a smaller hash"
    ),
    -11: english("it crashed, try another version or build of it"),
}


def exit_hint(exit_code: int | None) -> str:
    """What to do about an engine that ended with `exit_code`.

    A negative code is the signal that ended it; a shell between movelo and the engine reports
    that as 128 + signal; 0xC000001D is Windows' illegal instruction.
    """
    if exit_code is not None and 128 < exit_code < 160:
        exit_code = 128 - exit_code
    return retold(_EXIT_HINTS.get(exit_code or 0, _UNKNOWN_REASON))


def kill_group(leader_id: int) -> None:
    """Kill a process and whatever it started; one that is gone already is fine.

    Of one that has just ended, Windows and macOS say that it may not be killed.
    """
    try:
        if sys.platform == "win32":
            os.kill(leader_id, signal.SIGTERM)
        else:
            os.killpg(leader_id, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
