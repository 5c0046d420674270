"""Fitting: the same games, the same model; and going on where it stopped."""

from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from simulated_players import grow_steps, simulated_game

import pipeline.strength.examples as examples_module
from config.errors import NoGames
from pipeline.records import Game, GamePlayer, SetAside
from pipeline.strength.evaluations_file import EvaluationsFile
from pipeline.strength.labelled import GameSource
from pipeline.strength.model_file import save_model
from pipeline.strength.split import Part, part_of
from pipeline.strength.train import MAX_GAMES_A_PLAYER, Trained, train

COUNT = 160


@cache
def games() -> tuple[Game, ...]:
    """Each between two players of one level, of whom there are forty."""
    found = []
    for number in range(COUNT):
        level = 1000 + 60 * (number % 20)
        pair = tuple(
            GamePlayer(name=f"{side}{number % 20}", rating=level, rating_diff=5)
            for side in ("Anna", "Bert")
        )
        found.append(
            simulated_game(f"game{number}", (pair[0], pair[1]), (level, level), seed=number)
        )
    return tuple(found)


def trained(
    *records: Game | SetAside, cache_folder: Path | None = None, least: int = 50
) -> Trained:
    source = GameSource(name="games.ndjson", sha256="a" * 64, games=records)
    return train([source], cache_folder=cache_folder, min_player_games=least, grow=grow_steps)


@cache
def fitted() -> Trained:
    """Of all the games."""
    return trained(*games())


def test_the_same_games_make_the_same_file(tmp_path: Path) -> None:
    save_model(fitted().model, tmp_path / "one")
    save_model(trained(*games()).model, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_a_model_says_what_it_was_fitted_on() -> None:
    training = fitted().model.training
    assert [(file.name, file.sha256) for file in training.files] == [("games.ndjson", "a" * 64)]
    names = {p.name for game in games() for p in (game.white, game.black) if p.name}
    assert training.players == len({n for n in names if part_of(n) is not Part.HELD_OUT})


def test_held_out_players_change_nothing(tmp_path: Path) -> None:
    def lifted(player: GamePlayer) -> GamePlayer:
        held_out = player.name is not None and part_of(player.name) is Part.HELD_OUT
        return replace(player, rating=3000) if held_out else player

    others = [replace(g, white=lifted(g.white), black=lifted(g.black)) for g in games()]
    assert others != list(games())
    save_model(fitted().model, tmp_path / "one")
    save_model(trained(*others).model, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_what_was_analysed_before_is_not_analysed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = trained(*games(), cache_folder=tmp_path / "cache")
    monkeypatch.setattr(examples_module, "analyses_of", _not_again)
    second = trained(*games(), cache_folder=tmp_path / "cache")
    save_model(first.model, tmp_path / "one")
    save_model(second.model, tmp_path / "two")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert first.left_out == second.left_out


def test_evaluations_of_other_games_leave_what_was_analysed_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = GameSource(name="games.ndjson", sha256="a" * 64, games=games())
    trained(*games(), cache_folder=tmp_path)
    monkeypatch.setattr(examples_module, "analyses_of", _not_again)
    others = EvaluationsFile("others.jsonl", "b" * 64, {"another game": (1, "{}")})
    for evaluations, analysed in (([others], False), ([_of_the_first_game()], True)):
        expected = pytest.raises(AssertionError) if analysed else nullcontext()
        with expected:
            train(
                [source],
                evaluations=evaluations,
                cache_folder=tmp_path,
                min_player_games=50,
                grow=grow_steps,
            )


def _of_the_first_game() -> EvaluationsFile:
    return EvaluationsFile("its.jsonl", "c" * 64, {games()[0].id: (1, "{}")})


def _not_again(*_: object) -> None:
    raise AssertionError("a game was analysed again")


def test_what_is_left_out_is_counted_by_reason() -> None:
    anna = GamePlayer(name="Anna0", rating=1500, provisional=True)
    odd = (
        SetAside(where="line 7", reason="half a line"),
        replace(games()[0], id="x1", source_evals=()),
        replace(games()[0], id="x2", white=GamePlayer(), black=GamePlayer(computer_level=3)),
        replace(games()[0], id="x3", moves_san=("e4", "e4")),
        replace(games()[0], id="x4", white=anna, black=anna),
        replace(games()[0], id="x5", variant="chess960"),
        games()[0],
    )
    before, after = dict(fitted().left_out), dict(trained(*games(), *odd).left_out)
    more = {reason: count - before.get(reason, 0) for reason, count in after.items()}
    assert more["set aside while reading: half a line"] == 1
    assert more["no evaluations"] == 1
    assert more["player without a name or a rating"] == 2
    assert more["unusable moves or evaluations (IllegalMove)"] == 1
    assert more["provisional or unsteady rating"] == 2 * (part_of("Anna0") is not Part.HELD_OUT)
    assert more["the model knows only games from the usual starting position"] == 2
    assert more[f"twice, or beyond {MAX_GAMES_A_PLAYER} games of one player"] == sum(
        part_of(name) is not Part.HELD_OUT for name in ("Anna0", "Bert0")
    )


def test_too_few_games_are_one_sentence() -> None:
    with pytest.raises(NoGames, match=r"No speed has 5000 rated player-games.*--evals"):
        trained(*games()[:5], least=5000)


def test_every_player_belongs_to_one_part_whatever_the_case() -> None:
    parts = [part_of(f"player{i}") for i in range(4000)]
    assert part_of("DrNykterstein") is part_of("drnykterstein")
    shares = [parts.count(part) / len(parts) for part in Part]
    assert shares == pytest.approx([0.7, 0.15, 0.15], abs=0.02)
