"""Fitting and measuring with the human-move model, from games to ranges."""

import atexit
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, mkdtemp

import numpy as np
import pytest
from simulated_humans import SimulatedHumanModel, asking
from simulated_players import grow_steps, simulated_game

from config.errors import ModelError, NoGames
from engines.human_likelihoods import HumanLikelihoods
from pipeline.analysis import analyse, source_evals
from pipeline.records import Evidence, Game, GameAnalysis, GamePlayer, StrengthRange
from pipeline.replay import replay
from pipeline.strength.aggregate import pooled_posterior
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluate import evaluate
from pipeline.strength.evaluation import Evaluation
from pipeline.strength.grid import quantile
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.labelled import GameSource
from pipeline.strength.model_file import load_model, save_model
from pipeline.strength.split import Part, part_of
from pipeline.strength.train import Trained, train

PAIRS = 40


@cache
def games() -> tuple[Game, ...]:
    """Each between two players of one level, of whom there are eighty."""
    return tuple(_game(number) for number in range(80))


def _game(number: int) -> Game:
    level = 1000 + 30 * (number % PAIRS)
    white, black = (
        GamePlayer(name=f"{side}{number % PAIRS}", rating=level, rating_diff=5)
        for side in ("Anna", "Bert")
    )
    return simulated_game(f"game{number}", (white, black), (level, level), seed=number, plies=36)


@cache
def humans() -> SimulatedHumanModel:
    return SimulatedHumanModel({game.id: float(game.white.rating or 0) for game in games()})


@cache
def analysed() -> Path:
    """What the other view sees of the games, seen once: here it is about the human-move model."""
    folder = Path(mkdtemp())
    atexit.register(rmtree, folder)
    return folder


def trained(human: HumanCache | None, *records: Game, cache_folder: Path | None = None) -> Trained:
    return train(
        [GameSource(name="games.ndjson", sha256="a" * 64, games=records or games())],
        human=human,
        cache_folder=cache_folder or analysed(),
        min_player_games=50,
        min_human_games=50,
        grow=grow_steps,
    )


@cache
def fitted() -> StrengthModel:
    with TemporaryDirectory() as folder, _cache(Path(folder)) as human:
        return StrengthModel(trained(human).model)


def _cache(folder: Path, new_games: int = 999) -> HumanCache:
    return HumanCache(folder, model=asking(humans()), new_games=new_games)


@cache
def analysis(game: Game) -> GameAnalysis:
    checked = replay(game)
    evals = source_evals(game, checked)
    assert evals is not None
    return analyse(game, checked, evals)


@cache
def likelihoods(game: Game) -> HumanLikelihoods:
    return humans().likelihoods(replay(game).positions())


def evidence(game: Game, *, with_human: bool, model: StrengthModel | None = None) -> Evidence:
    human = likelihoods(game) if with_human else None
    found = (model or fitted()).evidence(game, analysis(game), "white", human)
    assert isinstance(found, Evidence)
    return found


def range_of(evidences: Sequence[Evidence]) -> StrengthRange:
    found = fitted().strength_range(evidences, speed="rapid")
    assert isinstance(found, StrengthRange)
    return found


def test_with_the_human_move_model_ranges_are_narrower_and_nearer() -> None:
    ranges = {
        asked: [range_of([evidence(g, with_human=asked)]) for g in games()[:40]]
        for asked in (False, True)
    }
    levels = np.array([game.white.rating for game in games()[:40]])
    widths = {asked: np.mean([r.high - r.low for r in found]) for asked, found in ranges.items()}
    errors = {
        asked: np.abs(np.array([r.median for r in found]) - levels).mean()
        for asked, found in ranges.items()
    }
    assert widths[True] < widths[False]
    assert errors[True] < errors[False]


def test_without_likelihoods_the_estimate_is_the_one_of_a_model_fitted_without() -> None:
    plain = StrengthModel(trained(None).model)
    assert fitted().reads_human_likelihoods("rapid")
    assert not plain.reads_human_likelihoods("rapid")
    assert not plain.reads_human_likelihoods("bullet")
    for game in games()[:5]:
        alone = evidence(game, with_human=False)
        assert alone == evidence(game, with_human=False, model=plain)
        assert alone == evidence(game, with_human=True, model=plain)
        assert alone != evidence(game, with_human=True)


def test_pooled_games_count_by_what_their_kind_of_evidence_shares() -> None:
    rapid = fitted().fitted.speed("rapid")
    assert rapid is not None
    pool = [evidence(game, with_human=True) for game in games()[:4]]
    together, alone = range_of(pool), range_of(pool[:1])
    assert together.high - together.low < alone.high - alone.low
    assert 0 <= rapid.human_shared_variance < 1


def test_a_pool_with_some_such_evidence_shares_as_much_as_one_of_it_alone() -> None:
    rapid = fitted().fitted.speed("rapid")
    assert rapid is not None
    mixed = [evidence(game, with_human=index == 0) for index, game in enumerate(games()[:4])]
    assert range_of(mixed).games_with_human_model == 1
    posterior = pooled_posterior(
        mixed,
        log_prior=rapid.log_prior,
        shared_variance=rapid.human_shared_variance,
        balance=rapid.human_balance,
    )
    assert range_of(mixed).median == quantile(posterior, 0.5)
    assert rapid.human_shared_variance != rapid.shared_variance


def test_evidence_says_whether_the_human_move_model_had_a_part_in_it() -> None:
    game, plain = games()[0], StrengthModel(trained(None).model)
    assert evidence(game, with_human=True).with_human_model
    assert not evidence(game, with_human=False).with_human_model
    assert not evidence(game, with_human=True, model=plain).with_human_model


def test_likelihoods_of_another_game_are_refused_with_both_ids() -> None:
    other = likelihoods(games()[1])
    with pytest.raises(ModelError, match=r"game0 are those of game1"):
        fitted().evidence(games()[0], analysis(games()[0]), "white", other)


def test_what_was_fitted_survives_its_file_and_the_same_games_make_the_same(
    tmp_path: Path,
) -> None:
    save_model(fitted().fitted, tmp_path / "model.npz")
    loaded = StrengthModel(load_model(tmp_path / "model.npz"))
    assert loaded.id == fitted().id != StrengthModel(trained(None).model).id
    for game in games()[:5]:
        assert evidence(game, with_human=True, model=loaded) == evidence(game, with_human=True)
    with _cache(tmp_path / "human") as human:
        again = trained(human, cache_folder=tmp_path / "analysed")
        save_model(again.model, tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "model.npz").read_bytes()


def test_the_human_move_model_is_not_asked_about_games_of_held_out_players_alone(
    tmp_path: Path,
) -> None:
    model = SimulatedHumanModel({game.id: 1500.0 for game in games()})
    with HumanCache(tmp_path, model=asking(model), new_games=999) as human:
        trained(human)
    used = {
        game.id
        for game in games()
        if any(part_of(p.name or "") is not Part.HELD_OUT for p in (game.white, game.black))
    }
    assert set(model.asked) == used < {game.id for game in games()}


def test_too_few_games_with_likelihoods_leave_the_model_without(tmp_path: Path) -> None:
    with _cache(tmp_path, new_games=10) as human:
        model = StrengthModel(trained(human, *games()[:50]).model)
    assert not model.reads_human_likelihoods("rapid")


def evaluated(human: HumanCache | None, *records: Game) -> Evaluation:
    source = GameSource(name="games.ndjson", sha256="0" * 64, games=records)
    return evaluate(fitted(), [source], human=human)


def test_measuring_with_the_human_move_model_gives_its_smaller_errors(tmp_path: Path) -> None:
    with _cache(tmp_path) as human:
        found = [evaluated(cached, *games()).figures[0] for cached in (None, human)]
    alone, asked = found
    assert alone.pools == asked.pools == 160
    assert asked.ranges.mae.value < alone.ranges.mae.value
    assert asked.ranges.mean_width.value < alone.ranges.mean_width.value
    assert asked.without_human_model == alone.ranges
    assert alone.without_human_model is None


def test_games_that_the_cache_does_not_know_are_counted_and_not_mixed_in(tmp_path: Path) -> None:
    with _cache(tmp_path, new_games=1) as human:
        found = evaluated(human, *games()[:3])
    assert found.player_games == 2
    assert found.speeds_with_human_model == ("rapid",)
    assert found.human_networks == ("simulated",)
    assert dict(found.left_out)["no human likelihoods"] == 4
    stranger = replace(games()[0], id="stranger")
    with pytest.raises(NoGames, match="no human likelihoods"):
        evaluated(HumanCache(tmp_path), stranger)


def test_measuring_again_asks_about_the_same_games_and_takes_what_else_is_known(
    tmp_path: Path,
) -> None:
    model = SimulatedHumanModel({game.id: 1500.0 for game in games()})

    def once(new_games: int) -> Evaluation:
        with HumanCache(tmp_path, model=asking(model), new_games=new_games) as human:
            return evaluated(human, *games()[:10])

    assert once(3).player_games == 6
    first = list(model.asked)
    assert once(3).player_games == once(0).player_games == once(2).player_games == 6
    assert once(5).player_games == 10
    assert model.asked[:3] == first and len(set(model.asked)) == len(model.asked) == 5


def test_a_sample_with_likelihoods_is_drawn_before_anything_is_asked(tmp_path: Path) -> None:
    model = SimulatedHumanModel({game.id: 1500.0 for game in games()})
    with HumanCache(tmp_path, model=asking(model), new_games=99) as human:
        source = GameSource(name="games.ndjson", sha256="0" * 64, games=games())
        found = evaluate(fitted(), [source], human=human, sample=4)
    assert found.player_games == 8
    assert len(model.asked) == 4


def test_a_model_says_which_likelihoods_it_was_fitted_with(tmp_path: Path) -> None:
    with _cache(tmp_path) as human:
        training = trained(human).model.training.human
        other = trained(human, *games()[:60]).model.training.human
    assert training is not None and other is not None
    used = {
        game.id
        for game in games()
        if any(part_of(p.name or "") is not Part.HELD_OUT for p in (game.white, game.black))
    }
    assert training.networks == ("simulated",)
    assert training.games == len(used) <= training.player_games
    assert training.sha256 != other.sha256
    assert trained(None).model.training.human is None


def test_what_is_fitted_does_not_depend_on_what_else_the_folder_holds(tmp_path: Path) -> None:
    with _cache(tmp_path / "some") as human:
        trained(human, *games()[:60])
        expected = trained(human, *games()[:60]).model.training
    with _cache(tmp_path / "more") as human:
        trained(human)
        assert trained(human, *games()[:60]).model.training == expected


def test_fitting_goes_on_where_it_was_stopped_with_the_games_it_would_have_asked_about(
    tmp_path: Path,
) -> None:
    whole = SimulatedHumanModel({game.id: 1500.0 for game in games()})
    with HumanCache(tmp_path / "whole", model=asking(whole), new_games=60) as human:
        trained(human)
    halted = SimulatedHumanModel({game.id: 1500.0 for game in games()})
    moves = asking(halted, stop_after=20)
    with (
        pytest.raises(KeyboardInterrupt),
        HumanCache(tmp_path / "halted", model=moves, new_games=60) as human,
    ):
        trained(human)
    assert len(halted.asked) == 20
    with HumanCache(tmp_path / "halted", model=asking(halted), new_games=60) as human:
        trained(human)
    assert halted.asked == whole.asked
