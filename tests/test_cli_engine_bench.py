"""`movelo engine bench`, with an engine that is quick to answer, and with a real one."""

import io
import json
import os
import shutil
from pathlib import Path

import pytest
from fake_uci_engine import processes_of, write_fake_engine
from rich.console import Console
from typer.testing import CliRunner, Result

from config.errors import EngineError, EngineNotFound
from engines.alone import Searched
from engines.bench import BenchResult, BudgetFigures
from engines.evals import EngineId, SearchLimit
from pipeline.cli.app import app
from reports.terminal_bench import render_bench

STOCKFISH = shutil.which("stockfish", path=os.pathsep.join(["/usr/games", os.environ["PATH"]]))
FIGURES = {
    "budget",
    "nodes_per_position_asked",
    "nodes_per_position_searched",
    "nodes_counted_in_games",
    "games",
    "positions",
    "wall_seconds",
    "games_per_minute",
    "positions_per_second",
    "nodes_per_second",
    "share_of_engines_alone",
    "engines_busy_share",
    "idle_at_end_share",
    "engine_start_seconds",
    "main_process_cpu_milliseconds_per_position",
}


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOVELO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("MOVELO_CONFIG", str(tmp_path / "movelo.toml"))
    monkeypatch.setenv("MOVELO_ENGINE__HASH_MEBIBYTES", "1")
    monkeypatch.setenv("MOVELO_ENGINE__BUDGETS__FAST", "100")
    monkeypatch.setenv("COLUMNS", "120")


def benched(engine: Path, *arguments: str) -> Result:
    command = ["engine", "bench", "--engine", str(engine), "--games", "1", *arguments]
    return CliRunner().invoke(app, command, catch_exceptions=False)


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    return write_fake_engine(tmp_path)


def test_the_json_has_every_figure_of_every_budget(fake: Path) -> None:
    done = benched(fake, "--workers", "1", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert set(found) == {
        "engine",
        "network",
        "cores",
        "workers",
        "hash_mebibytes",
        "one_engine_alone_nodes_per_second",
        "engines_alone_at_once_nodes_per_second",
        "main_process_peak_mebibytes",
        "budgets",
    }
    assert (found["engine"], found["network"]) == ("Fake 1.0", "nn-fake.nnue")
    assert (found["workers"], found["hash_mebibytes"]) == (1, 1)
    assert [figures["budget"] for figures in found["budgets"]] == ["fast", "standard", "deep"]
    assert all(set(figures) == FIGURES for figures in found["budgets"])
    assert found["budgets"][0]["nodes_per_position_asked"] == 100
    assert found["budgets"][0]["games"] == 1
    assert processes_of(fake) == []


def test_an_engine_without_stockfish_s_bench_command_is_measured_without_it(fake: Path) -> None:
    printed = " ".join(benched(fake, "--budget", "fast").stdout.split())
    assert "this engine does not know Stockfish's bench command" in printed
    assert "÷ own bench" not in printed
    assert "games a minute" in printed
    found = json.loads(benched(fake, "--budget", "fast", "--json").stdout)
    assert found["one_engine_alone_nodes_per_second"] is None
    assert found["engines_alone_at_once_nodes_per_second"] is None
    assert found["budgets"][0]["share_of_engines_alone"] is None


def test_progress_goes_to_standard_error_alone(fake: Path) -> None:
    done = benched(fake, "--budget", "fast", "--json")
    assert "Budget fast: games (1)" in done.stderr
    json.loads(done.stdout)


def test_budgets_are_measured_once_each_in_the_order_given(fake: Path) -> None:
    wanted = ("--budget", "standard", "--budget", "fast", "--budget", "standard")
    found = json.loads(benched(fake, *wanted, "--json").stdout)
    assert [figures["budget"] for figures in found["budgets"]] == ["standard", "fast"]


def test_help_says_how_long_it_takes() -> None:
    shown = CliRunner().invoke(app, ["engine", "bench", "--help"]).stdout
    assert "about a minute" in shown


def test_an_engine_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineNotFound, match="none"):
        benched(tmp_path / "none")


def test_an_engine_that_fails_while_it_is_measured_is_named(tmp_path: Path) -> None:
    engine = write_fake_engine(tmp_path, "--exit-at", "3")
    with pytest.raises(EngineError, match="fake-engine"):
        benched(engine, "--budget", "fast")
    assert processes_of(engine) == []


@pytest.mark.stockfish
@pytest.mark.skipif(STOCKFISH is None, reason="no Stockfish on this machine")
def test_a_stockfish_is_held_against_its_own_bench() -> None:
    done = benched(Path(STOCKFISH or ""), "--workers", "1", "--budget", "fast", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    (figures,) = found["budgets"]
    reached = figures["nodes_per_second"] / found["engines_alone_at_once_nodes_per_second"]
    assert figures["share_of_engines_alone"] == pytest.approx(reached)
    assert 50 < figures["nodes_per_position_searched"] < 200


def rendered(*, engines_cpu_seconds: float | None, peak_mebibytes: float | None) -> str:
    """Of two workers that search 100 positions of 1,000 nodes in ten seconds."""
    figures = BudgetFigures(
        limit=SearchLimit(nodes_per_position=990),
        workers=2,
        games=2,
        positions=100,
        wall_seconds=10.0,
        engines_cpu_seconds=engines_cpu_seconds,
        own_cpu_seconds=0.05,
        idle_at_end_seconds=1.0,
        alone=Searched(games=1, positions=50, nodes=50_000, seconds=9.0, start_seconds=0.25),
    )
    result = BenchResult(
        engine=EngineId(name="Stockfish 99"),
        cores=2,
        workers=2,
        hash_mebibytes=64,
        alone_nodes_per_second=7000,
        together_nodes_per_second=12_500,
        budgets=(("fast", figures),),
        peak_mebibytes=peak_mebibytes,
    )
    console = Console(width=150, file=io.StringIO())
    with console.capture() as printed:
        render_bench(result, console)
    return " ".join(printed.get().split())


def test_the_terminal_shows_what_the_pool_reaches_and_where_its_time_goes() -> None:
    text = rendered(engines_cpu_seconds=19.5, peak_mebibytes=50.2)
    assert "one engine 7,000 nodes/s, 2 engines at once 12,500 nodes/s" in text
    assert "games a minute 12.0" in text
    assert "nodes a second 10,000 ÷ own bench, all at once 0.80 engines busy 97.5%" in text
    assert "idle at the end 5.0% main process, ms a position 0.50" in text
    assert "their starts (0.25 s each)" in text
    assert "peak memory: 50 MiB" in text


def test_where_the_system_does_not_tell_those_rows_are_left_out() -> None:
    text = rendered(engines_cpu_seconds=None, peak_mebibytes=None)
    assert "engines busy" not in text
    assert "peak memory" not in text
    assert "games a minute 12.0" in text
