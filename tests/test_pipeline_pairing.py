"""`--with-pairing` in a run: off unless asked for, for rated games, and named in every output."""

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from made_games import random_export_game
from made_maia import write_made_model
from made_reports import made_game_report, made_player_report, made_strength
from made_workshop import SELECTION, CountingMoves, games, made_workshop
from rich.console import Console
from test_strength_pairing_fit import PAIRING, shipped, with_pairing
from typer.testing import CliRunner, Result

from config.errors import ModelError, UnreadableFile
from engines.maia_install import installed_model_path
from pipeline.cli.app import app
from pipeline.records import Evidence, Game, GameReport, NoEstimate, PlayerReport, StrengthRange
from pipeline.run import report_on, report_on_game
from pipeline.store import Store
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.train import Trained
from pipeline.workshop import Workshop
from reports.terminal import render_report
from reports.terminal_game import render_game
from reports.to_csv import games_to_csv
from reports.to_html import report_to_html
from reports.to_json import game_to_json, report_to_json
from reports.words import WITH_PAIRING


class WithOpponents(CountingMoves):
    """Remembers how many games of each person it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.opponents: list[list[int]] = []

    def strength_range_with_pairing(
        self,
        evidences: Sequence[Evidence],
        opponents: Sequence[Sequence[Evidence]],
        *,
        speed: str,
    ) -> StrengthRange | NoEstimate:
        self.opponents.append(sorted(len(person) for person in opponents))
        found = self.strength_range(evidences, speed=speed)
        return replace(found, with_pairing=True) if isinstance(found, StrengthRange) else found


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    with Store(tmp_path / "store.sqlite") as store:
        yield replace(
            made_workshop(store), estimator=WithOpponents(), pairing_speeds=("blitz", "rapid")
        )


def asked_with(workshop: Workshop) -> list[list[int]]:
    assert isinstance(workshop.estimator, WithOpponents)
    return workshop.estimator.opponents


def against(names: Sequence[str | None], *, rated: bool = True) -> list[Game]:
    """Games of Quillfeather, each against one of these."""
    made = []
    for game, name in zip(games(len(names), analysed=True), names, strict=True):
        own_is_white = game.white.name == SELECTION.player
        side = "black" if own_is_white else "white"
        opponent = replace(game.opponent("white" if own_is_white else "black"), name=name)
        made.append(replace(game, rated=rated, **{side: opponent}))  # type: ignore[arg-type]
    return made


def test_it_is_never_the_default(tmp_path: Path) -> None:
    with Store(tmp_path / "other.sqlite") as store:
        report = report_on(against(["Bob"]), SELECTION, made_workshop(store))
    ranges = [speed.strength for speed in report.speeds]
    assert [r.with_pairing for r in ranges if isinstance(r, StrengthRange)] == [False]


def test_each_opponent_is_one_person_however_often_met(workshop: Workshop) -> None:
    report = report_on(against(["Bob", "bob", "Carol", None, None]), SELECTION, workshop)
    assert asked_with(workshop)[-1] == [1, 1, 1, 2]
    assert isinstance(report.speeds[0].strength, StrengthRange)
    assert report.speeds[0].strength.with_pairing


def test_casual_games_pair_anybody_so_their_opponents_do_not_count(workshop: Workshop) -> None:
    report_on(against(["Bob", "Carol"], rated=False), replace(SELECTION, casual=True), workshop)
    assert asked_with(workshop)[-1] == []


def test_of_one_game_each_side_is_the_other_ones_opponent(workshop: Workshop) -> None:
    report_on_game(against(["Bob"])[0], workshop)
    assert asked_with(workshop) == [[1], [1]]


def test_a_speed_without_a_pairing_keeps_to_the_own_moves(workshop: Workshop) -> None:
    report_on_game(against(["Bob"])[0], replace(workshop, pairing_speeds=("rapid",)))
    assert asked_with(workshop) == []


# --- what readers see ----------------------------------------------------------------------


def paired_game() -> GameReport:
    strength = made_strength(with_pairing=True)
    game = made_game_report(1)
    white, black = (replace(side, strength=strength) for side in (game.white, game.black))
    return replace(game, white=white, black=black)


def paired_report() -> PlayerReport:
    report = made_player_report(0, games=(paired_game(),))
    speeds = [
        replace(speed, strength=replace(speed.strength, with_pairing=True))
        for speed in report.speeds
        if isinstance(speed.strength, StrengthRange)
    ]
    return replace(report, speeds=tuple(speeds))


def shown(report: PlayerReport | GameReport) -> str:
    console = Console(width=300, file=io.StringIO(), record=True)
    if isinstance(report, PlayerReport):
        render_report(report, console)
    else:
        render_game(report, console)
    return console.export_text()


def test_every_output_names_it() -> None:
    report, game = paired_report(), paired_game()
    assert shown(report).count(WITH_PAIRING) >= 2
    assert WITH_PAIRING in shown(game)
    assert WITH_PAIRING.replace("'", "&#39;") in report_to_html(report)
    assert '"with_pairing": true' in report_to_json(report)
    assert '"with_pairing": true' in game_to_json(game)
    assert "own_strength_with_pairing" in games_to_csv(report)


def test_no_output_names_it_without() -> None:
    report = made_player_report(0, games=(made_game_report(1),))
    assert WITH_PAIRING not in shown(report)
    assert "pairing: also" not in report_to_html(report)
    assert '"with_pairing": true' not in report_to_json(report)


# --- the terminal door ---------------------------------------------------------------------


@pytest.fixture
def game_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MOVELO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("MOVELO_CONFIG", str(tmp_path / "movelo.toml"))
    file = tmp_path / "game.ndjson"
    record = random_export_game(1, plies=60, analysed=True)
    file.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return file


def movelo(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def loaded(pairing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    model = with_pairing(PAIRING if pairing else None)
    monkeypatch.setattr(StrengthModel, "load", lambda: model)


@pytest.fixture
def _installed(tmp_path: Path) -> None:
    path = installed_model_path(tmp_path / "data")
    path.parent.mkdir(parents=True)
    write_made_model(path)


@pytest.mark.usefixtures("_installed")
def test_a_game_can_be_looked_at_with_the_pairing(
    game_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded(True, monkeypatch)
    asked = movelo("game", game_file, "--with-pairing", "--json").stdout
    assert asked.count('"with_pairing": true') == 2
    assert '"with_pairing": true' not in movelo("game", game_file, "--json").stdout


@pytest.mark.usefixtures("_installed")
def test_a_report_can_be_made_with_the_pairing(
    game_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded(True, monkeypatch)
    player = json.loads(game_file.read_text(encoding="utf-8"))["players"]["white"]["user"]["name"]
    asked = movelo("report", player, "--from", game_file, "--with-pairing", "--json").stdout
    assert asked.count('"with_pairing": true') == 3


@pytest.mark.usefixtures("_installed")
def test_measuring_shows_it_beside_the_own_moves(
    game_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded(True, monkeypatch)
    assert "– with the pairing" in movelo("evaluate", game_file, "--with-pairing").stdout
    assert "with the pairing" not in movelo("evaluate", game_file).stdout


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize("command", ["game", "evaluate"])
def test_without_a_fitted_pairing_it_is_refused_in_one_sentence(
    command: str, game_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded(False, monkeypatch)
    with pytest.raises(ModelError, match="was fitted without a pairing; leave --with-pairing out"):
        movelo(command, game_file, "--with-pairing")


@pytest.mark.parametrize("command", ["game", "evaluate"])
def test_without_the_human_move_model_it_is_refused_in_one_sentence(
    command: str, game_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded(True, monkeypatch)
    with pytest.raises(ModelError, match="needs the human-move model; leave --with-pairing out"):
        movelo(command, game_file, "--with-pairing")


def test_fitting_needs_the_files_of_pairs_that_it_is_given(game_file: Path, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="nowhere"):
        movelo("train", game_file, "--out", tmp_path / "m.npz", "--pairing", tmp_path / "nowhere")


def test_fitting_says_of_which_speeds_it_knows_who_plays_whom(
    game_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted = shipped().fitted
    speeds = (replace(fitted.speeds[0], pairing=None), replace(fitted.speeds[1], pairing=PAIRING))
    made = Trained(model=replace(fitted, speeds=speeds), left_out=())
    monkeypatch.setattr("pipeline.strength.train.train", lambda *_, **__: made)
    said = movelo("train", game_file, "--out", tmp_path / "m.npz", "--pairing", game_file).stdout
    assert f"{speeds[0].speed}: no pairing: it takes 500 rated games" in said
    assert f"{speeds[1].speed}: pairing from 10000 rated games" in said
