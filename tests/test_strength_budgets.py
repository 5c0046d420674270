"""The table of budgets: the right games, the right rows, and figures that can be told by hand."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from simulated_humans import SimulatedHumanModel, asking
from simulated_players import simulated_game

from config.errors import InputError, NoGames
from engines.evals import Centipawns, GameEvals, SearchLimit
from pipeline.analysis import source_evals
from pipeline.records import Evidence, Game, GamePlayer
from pipeline.replay import replay
from pipeline.strength.budget_table import BudgetTable, budgets_to_json
from pipeline.strength.budgets import measure_budgets
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluations_file import (
    EvaluationsFile,
    evaluations_line,
    read_evaluations,
)
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.labelled import GameSource, LeftOut, analysis_of, silent
from pipeline.strength.leveled_games import Players
from pipeline.strength.split import Part, part_of
from pipeline.strength.staged import deeper_after_losses

PLIES = 30
FRESH = "0" * 64
OWN_PART = [f"Carl{i}" for i in range(200) if part_of(f"Carl{i}") is Part.CALIBRATION]
HELD_OUT = [f"Carl{i}" for i in range(200) if part_of(f"Carl{i}") is Part.HELD_OUT]


@cache
def model() -> StrengthModel:
    return StrengthModel.load()


@cache
def games() -> tuple[Game, ...]:
    """Six, each of a validation player with White and a held-out player with Black."""
    return tuple(game(seed) for seed in range(6))


def game(seed: int) -> Game:
    names, rating = (OWN_PART[seed], HELD_OUT[seed]), 1300 + 60 * seed
    white, black = (GamePlayer(name=name, rating=rating) for name in names)
    return simulated_game(f"g{seed}", (white, black), (rating, rating), seed=seed, plies=PLIES)


def worse(game: Game, nodes: int, by: int) -> GameEvals:
    """The game's own evaluations, every other one of them higher by so many centipawns."""
    given = source_evals(game, replay(game))
    assert given is not None
    shifted = [
        Centipawns(e.value + by * (at % 2)) if isinstance(e, Centipawns) else e
        for at, e in enumerate(given.evals)
    ]
    return replace(given, limit=SearchLimit(nodes_per_position=nodes), evals=tuple(shifted))


@pytest.fixture
def evals(tmp_path: Path) -> "Evals":
    return Evals(tmp_path)


class Evals:
    """Writes evaluations files and reads them back."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def file(
        self, nodes: int, by: int, name: str = "", of: Sequence[Game] | None = None
    ) -> EvaluationsFile:
        path = self._folder / f"{name or nodes}.jsonl"
        lines = [evaluations_line(worse(game, nodes, by)) for game in of or games()]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return read_evaluations(path)


def source(*those: Game) -> GameSource:
    return GameSource(name="games.ndjson", sha256=FRESH, games=those or games())


def measured(
    *files: EvaluationsFile, of: Sequence[Game] = (), players: Players = "validation"
) -> BudgetTable:
    return measure_budgets(model(), [source(*of)], files, players=players)


def test_a_row_for_each_number_of_nodes_cheapest_first(evals: Evals) -> None:
    table = measured(evals.file(50_000, 0), evals.file(10_000, 40))
    (speed,) = table.speeds
    assert (speed.speed, speed.against) == ("rapid", 50_000)
    assert [row.nodes_per_position for row in speed.rows] == [10_000, 50_000]
    assert [row.nodes_per_game for row in speed.rows] == [31 * 10_000, 31 * 50_000]
    assert (speed.games, speed.player_games, speed.players) == (6, 6, 6)
    assert not speed.with_human_model


def test_the_errors_are_those_of_the_ranges_by_each_file(evals: Evals) -> None:
    files = evals.file(10_000, 40), evals.file(50_000, 0)
    (speed,) = measured(*files).speeds
    errors = np.array([[_error(game, file) for game in games()] for file in files])
    assert [row.ranges.mae.value for row in speed.rows] == pytest.approx(errors.mean(axis=1))
    excess = errors[0] - errors[1]
    assert speed.rows[0].excess_error.value == pytest.approx(excess.mean())
    assert speed.rows[0].excess_error.standard_error == pytest.approx(
        excess.std(ddof=1) / len(excess) ** 0.5
    )
    assert speed.rows[1].excess_error.value == 0
    assert abs(excess).max() > 1


def _error(game: Game, file: EvaluationsFile) -> float:
    analysis = analysis_of(replace(game, source_evals=()), [file], LeftOut())
    assert analysis is not None
    evidence = model().evidence(game, analysis, "white")
    assert isinstance(evidence, Evidence)
    found = model().strength_range([evidence], speed="rapid")
    return abs(found.median - (game.white.rating or 0))  # type: ignore[union-attr]


def test_any_row_can_be_what_the_others_are_compared_with(evals: Evals) -> None:
    files = [evals.file(10_000, 40), evals.file(50_000, 0)]
    (usual,) = measured(*files).speeds
    (other,) = measure_budgets(model(), [source()], files, against=10_000).speeds
    assert other.against == 10_000
    assert other.rows[1].excess_error.value == pytest.approx(-usual.rows[0].excess_error.value)
    with pytest.raises(InputError, match=r"rapid games have 7,000 nodes.*10,000, 50,000"):
        measure_budgets(model(), [source()], files, against=7_000)


def test_only_players_of_the_part_that_was_asked_for(evals: Evals) -> None:
    file = evals.file(10_000, 0)
    assert measured(file).players == "validation"
    assert dict(measured(file).left_out) == {"player of another part": 6}
    held_out = measured(file, players="held-out")
    assert (held_out.players, held_out.speeds[0].player_games) == ("held-out", 6)
    assert measured(file, players="all").speeds[0].player_games == 12


def test_unsteady_ratings_are_left_out_and_counted(evals: Evals) -> None:
    odd = replace(games()[0], white=replace(games()[0].white, rating_diff=40))
    table = measured(evals.file(10_000, 0), of=(odd, *games()[1:]))
    assert table.speeds[0].player_games == 5
    assert dict(table.left_out)["rating not steady"] == 1


def test_only_games_that_every_file_has_and_the_others_are_named(evals: Evals) -> None:
    files = evals.file(10_000, 0), evals.file(50_000, 0, of=games()[:4])
    table = measured(*files)
    assert table.speeds[0].games == 4
    assert dict(table.left_out)["no evaluations with 50,000 nodes a position"] == 2
    without = measured(evals.file(10_000, 0, of=games()[:4]))
    assert dict(without.left_out)["no evaluations"] == 2


def test_speeds_may_have_been_evaluated_with_different_numbers_of_nodes(evals: Evals) -> None:
    blitz = [replace(game, id=f"{game.id}b", speed="blitz") for game in games()]
    files = evals.file(10_000, 0), evals.file(50_000, 0, of=blitz)
    found = {s.speed: s.against for s in measured(*files, of=(*games(), *blitz)).speeds}
    assert found == {"blitz": 50_000, "rapid": 10_000}


def test_the_same_number_of_nodes_twice_is_refused(evals: Evals) -> None:
    files = evals.file(10_000, 0, "one"), evals.file(10_000, 9, "two")
    with pytest.raises(InputError, match=r"one.jsonl and two.jsonl both have game g0 with 10,000"):
        measured(*files)


def test_a_game_given_twice_counts_once(evals: Evals) -> None:
    table = measured(evals.file(10_000, 0), of=(*games(), games()[0]))
    assert table.speeds[0].games == 6
    assert dict(table.left_out)["game given twice"] == 1


def test_evaluations_of_other_moves_are_left_out_and_counted(evals: Evals) -> None:
    longer = replace(game(0), moves_san=game(0).moves_san[:-1])
    table = measured(evals.file(10_000, 0), of=(longer, *games()[1:]))
    assert dict(table.left_out)["unusable moves or evaluations (InputError)"] == 1


def test_nothing_at_all_is_one_sentence(evals: Evals) -> None:
    file, unknown = evals.file(10_000, 0), [replace(game(0), id="unknown")]
    with pytest.raises(NoGames, match=r"of a player.*no evaluations.*movelo analyse"):
        measured(file, of=unknown, players="all")
    others = [replace(game(0), white=replace(game(0).white, name=HELD_OUT[9]))]
    with pytest.raises(NoGames, match=r"of a validation player.*player of another part"):
        measured(file, of=others)


# --- Lichess's own evaluations -------------------------------------------------------------


def test_agreement_with_lichess_is_told_where_it_evaluated_too(evals: Evals) -> None:
    rows = measured(evals.file(10_000, 100), evals.file(50_000, 0)).speeds[0].rows
    near, far = rows[1].lichess, rows[0].lichess
    assert near is not None and far is not None
    assert near.win_percent_difference.value == 0
    assert near.judged_alike.value == 1
    assert (near.games, near.moves) == (6, 6 * PLIES)
    assert 2 < far.win_percent_difference.value < 6
    assert far.judged_alike.value < 1
    assert far.judged_alike_where_bad is not None
    assert far.judged_alike_where_bad.value < far.judged_alike.value
    bare = [replace(game, source_evals=(), source_engine=None) for game in games()]
    assert measured(evals.file(10_000, 0), of=bare).speeds[0].rows[0].lichess is None


def test_old_evaluations_are_compared_in_todays_centipawns(evals: Evals) -> None:
    old = [replace(game, created_at=datetime(2021, 5, 1, tzinfo=UTC)) for game in games()]
    (same_number,) = measured(evals.file(10_000, 0), of=old).speeds[0].rows
    assert same_number.lichess is not None
    assert same_number.lichess.win_percent_difference.value > 1
    scaled = [_times(game, 0.71) for game in old]
    file = evals.file(10_000, 0, "scaled", of=scaled)
    (same_worth,) = measured(file, of=old).speeds[0].rows
    assert same_worth.lichess is not None
    # The starting position is not compared; half a centipawn of rounding is left.
    assert same_worth.lichess.win_percent_difference.value < 0.06


def _times(game: Game, factor: float) -> Game:
    return replace(
        game,
        source_evals=tuple(
            replace(e, evaluation=Centipawns(round(factor * e.evaluation.value)))
            if isinstance(e.evaluation, Centipawns)
            else e
            for e in game.source_evals
        ),
    )


# --- costs, staged searches, the human-move model ------------------------------------------


def test_cpu_seconds_are_the_nodes_at_the_speed_that_is_given(evals: Evals) -> None:
    file = evals.file(10_000, 0)
    assert measured(file).speeds[0].rows[0].cpu_seconds_per_game is None
    table = measure_budgets(model(), [source()], [file], nodes_per_second=1_000_000)
    assert table.speeds[0].rows[0].cpu_seconds_per_game == pytest.approx(0.31)


def test_staged_searches_stand_below_where_their_levels_are_there(evals: Evals) -> None:
    files = [evals.file(10_000, 200), evals.file(50_000, 0)]
    staged = [
        deeper_after_losses(10_000, 50_000, win_percent_lost=0),
        deeper_after_losses(10_000, 50_000, win_percent_lost=101),
        deeper_after_losses(2_000, 50_000, win_percent_lost=5),
    ]
    (speed,) = measure_budgets(model(), [source()], files, staged_searches=staged).speeds
    quick, deep, always, never = speed.rows
    assert [row.nodes_per_position for row in (always, never)] == [None, None]
    assert always.ranges == deep.ranges
    assert always.lichess == deep.lichess
    assert always.nodes_per_game == quick.nodes_per_game + deep.nodes_per_game
    assert never.ranges == quick.ranges
    assert never.nodes_per_game == quick.nodes_per_game


def test_with_the_human_move_model_only_games_that_it_knows(evals: Evals, tmp_path: Path) -> None:
    asked = SimulatedHumanModel({game.id: 1500.0 for game in games()})
    with HumanCache(tmp_path / "human", model=asking(asked)) as cache:
        cache.compute(games()[:4], silent)
    file, known = evals.file(10_000, 0), HumanCache(tmp_path / "human")
    table = measure_budgets(model(), [source()], [file], human=known)
    (speed,) = table.speeds
    assert (speed.games, speed.with_human_model) == (4, True)
    assert dict(table.left_out)["no human likelihoods"] == 2
    alone = measured(file, of=games()[:4]).speeds[0].rows[0]
    assert speed.rows[0].ranges.mean_width.value != alone.ranges.mean_width.value


def test_the_json_has_the_names_of_the_record(evals: Evals) -> None:
    found = json.loads(json.dumps(budgets_to_json(measured(evals.file(10_000, 0)))))
    assert found["schema_version"] == 1
    assert found["speeds"][0]["rows"][0]["nodes_per_position"] == 10_000
    assert found["left_out"] == {"player of another part": 6}
