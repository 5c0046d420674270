"""What a sync brought, as it stands in the terminal."""

import io

import pytest
from rich.console import Console

from pipeline.fetched import Fetched
from reports.terminal_sync import render_sync


@pytest.mark.parametrize("name", ["a[/x]", "[old]b", "{player}"])
@pytest.mark.parametrize("error", [None, "the stream was cut"])
def test_brackets_in_a_player_s_name_stand_as_they_are(name: str, error: str | None) -> None:
    out = io.StringIO()
    render_sync([Fetched(player=name, error=error)], Console(file=out, width=200))
    (row,) = [line for line in out.getvalue().splitlines() if line.startswith(f"  {name}")]
    assert ("(not all)" in row) == (error is not None)
