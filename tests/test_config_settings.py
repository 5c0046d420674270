import os
from pathlib import Path

import pytest

from config.errors import SettingsError
from config.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("MOVELO_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MOVELO_CONFIG", str(tmp_path / "movelo.toml"))


def settings_of(tmp_path: Path, toml: str) -> Settings:
    (tmp_path / "movelo.toml").write_text(toml)
    return load_settings()


# --- how long the engine thinks --------------------------------------------------------------


def test_a_budget_is_a_number_of_nodes(tmp_path: Path) -> None:
    shipped = load_settings().engine
    assert shipped.nodes() == shipped.budgets.standard
    assert shipped.budgets.fast < shipped.budgets.standard < shipped.budgets.deep
    deep = settings_of(tmp_path, '[engine]\nbudget = "deep"\n').engine
    assert deep.nodes() == deep.budgets.deep


def test_what_a_budget_means_can_be_set(tmp_path: Path) -> None:
    engine = settings_of(tmp_path, "[engine.budgets]\nstandard = 1234\n").engine
    assert engine.nodes() == 1234


def test_a_number_of_nodes_goes_before_the_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOVELO_ENGINE__NODES_PER_POSITION", "777")
    assert settings_of(tmp_path, '[engine]\nbudget = "deep"\n').engine.nodes() == 777


@pytest.mark.parametrize(
    ("toml", "setting"),
    [
        ('[engine]\nbudget = "quick"\n', "engine.budget"),
        ("[engine]\nnodes_per_position = 99\n", "engine.nodes_per_position"),
        ("[engine.budgets]\nfast = 0\n", "engine.budgets.fast"),
        ("[engine.budgets]\nslow = 5000\n", "engine.budgets.slow"),
    ],
)
def test_a_budget_that_means_nothing_is_refused(tmp_path: Path, toml: str, setting: str) -> None:
    with pytest.raises(SettingsError, match=f"Setting {setting}: "):
        settings_of(tmp_path, toml)


# --- the engine's own options ----------------------------------------------------------------


def test_engine_options_come_from_the_file_and_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_settings().engine.uci_options() == ()
    monkeypatch.setenv("MOVELO_ENGINE__OPTIONS", '{"Move Overhead": 20}')
    toml = '[engine.options]\nEvalFile = "net.nnue"\n"Use NNUE" = true\n'
    assert settings_of(tmp_path, toml).engine.uci_options() == (
        ("EvalFile", "net.nnue"),
        ("Move Overhead", 20),
        ("Use NNUE", True),
    )


def test_endgame_tables_are_an_option_of_the_engine(tmp_path: Path) -> None:
    folders = f"{tmp_path}{os.pathsep}{tmp_path.parent}"
    engine = settings_of(tmp_path, f"[engine]\nsyzygy_path = '{folders}'\n").engine
    assert engine.uci_options() == (("SyzygyPath", folders),)


@pytest.mark.parametrize(
    ("toml", "sentence"),
    [
        ("[engine]\nsyzygy_path = '/no/such/tables'\n", "/no/such/tables, which is no folder"),
        (
            "[engine]\nsyzygy_path = '/'\n[engine.options]\nsyzygypath = '/'\n",
            "name the same tables: remove one",
        ),
    ],
)
def test_endgame_tables_that_are_not_there_are_refused(
    tmp_path: Path, toml: str, sentence: str
) -> None:
    with pytest.raises(SettingsError, match=sentence):
        settings_of(tmp_path, toml).engine.uci_options()
