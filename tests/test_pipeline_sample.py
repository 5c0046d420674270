"""A sample of games, and their evaluations as a file beside them."""

import json
from dataclasses import replace
from pathlib import Path

from made_games import random_export_game

from engines.evals import Centipawns, EngineId, GameEvals, Mate, SearchLimit
from pipeline.fetch.export import game_from_export
from pipeline.records import Game, SetAside
from pipeline.replay import replay
from pipeline.sample import sampled
from pipeline.strength.evaluations_file import evaluations_line, read_evaluations


def games(count: int) -> list[Game]:
    return [
        game_from_export(random_export_game(seed, plies=12), where="a test")
        for seed in range(count)
    ]


def test_the_same_games_are_drawn_whatever_their_order() -> None:
    forwards = sampled(games(40), 7)
    backwards = sampled(reversed(games(40)), 7)
    ids = {r.game_id for r in forwards.replays}
    assert len(ids) == 7
    assert ids == {r.game_id for r in backwards.replays}
    assert ids < {r.game_id for r in sampled(games(40), 8).replays}


def test_all_games_are_drawn_when_no_size_is_given() -> None:
    assert len(sampled(games(5) + games(5), 0).replays) == 5


def test_what_cannot_be_read_is_named() -> None:
    unread = SetAside(where="line 2", reason="cut in half")
    illegal = replace(games(1)[0], moves_san=("Ke4",))
    found = sampled([unread, illegal], 0)
    assert found.replays == ()
    assert found.set_aside[0] == unread
    assert "Ke4 at ply 1 is illegal" in found.set_aside[1].reason


def test_evaluations_come_back_from_their_file_as_they_were(tmp_path: Path) -> None:
    played = replace(games(1)[0], moves_san=("f3", "e5", "g4", "Qh4#"))
    evals = GameEvals(
        game_id=played.id,
        engine=EngineId(name="an engine"),
        limit=SearchLimit(nodes_per_position=4321),
        evals=(Centipawns(20), None, Centipawns(-30), Mate("black", 1), Mate("black", 0)),
        best_moves_uci=("e2e4", "e7e5", "d2d4", "d8h4", None),
    )
    file = tmp_path / "evals.jsonl"
    file.write_text(evaluations_line(evals) + "\n")
    back = read_evaluations(file).of(replay(played))
    assert back is not None
    assert back == replace(evals, engine=back.engine)
    assert json.loads(file.read_text())["policy"] == evals.limit.policy  # type: ignore[union-attr]
