"""A process's name, by which others tell whether it is still there."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.cli.this_process import has_ended, holder_name, machine_and_process

ROOT = Path(__file__).parent.parent
NAMED = "from pipeline.cli.this_process import holder_name; print(holder_name(), flush=True)"

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody can tell")


def test_no_two_names_are_the_same() -> None:
    names = {holder_name() for _ in range(10)}
    assert len(names) == 10
    assert len({machine_and_process(name) for name in names}) == 1


def test_whoever_asks_has_not_ended() -> None:
    assert not has_ended(holder_name())


@on_linux
@pytest.mark.parametrize("is_waited_for", [True, False])
def test_who_has_ended_has_ended(is_waited_for: bool) -> None:
    """Also when its parent has not heard of it."""
    process = subprocess.Popen(
        [sys.executable, "-c", NAMED], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    with process:
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        if is_waited_for:
            process.wait()
            assert has_ended(name)
        else:
            wait_until_ended(name)


def wait_until_ended(name: str) -> None:
    end = time.monotonic() + 30
    while not has_ended(name):
        assert time.monotonic() < end
        time.sleep(0.01)


@on_linux
def test_a_number_that_another_process_has_now_is_no_sign_of_life() -> None:
    machine, process, rest = holder_name().split(" ")
    system, started_at, random = rest.split(".")
    assert has_ended(f"{machine} {process} {system}.{int(started_at) - 1}.{random}")


@pytest.mark.parametrize(
    "change",
    [
        lambda machine, process, _rest: f"{machine} {process} 0123456789ab.1.5ab3c9d1",
        lambda machine, process, _rest: f"{machine} {process} ..5ab3c9d1",
        lambda machine, process, _rest: f"{machine} {process} 5ab3c9d1",
        lambda machine, _process, rest: f"{machine} x {rest}",
        lambda _machine, _process, _rest: "somebody",
        lambda _machine, _process, _rest: "",
    ],
    ids=["other machine", "not told", "older movelo", "no number", "a word", "nothing"],
)
def test_of_anybody_else_nobody_can_tell(change: Callable[[str, str, str], str]) -> None:
    assert not has_ended(change(*holder_name().split(" ")))
