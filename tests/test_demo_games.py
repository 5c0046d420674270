"""The shipped demonstration games: whole, analysed, and of the strength that they say."""

import os
import random
import subprocess
import sys
from datetime import UTC, datetime
from importlib import resources
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest
from fake_uci_engine import write_fake_engine

from engines.evals import Color, PositionSequence
from engines.human_likelihoods import NextMove
from pipeline.analysis import analyse, source_evals
from pipeline.demo.games import (
    DEMO_GAMES,
    DEMO_PLAYER,
    demo_games,
    demo_strength,
    opponent_name,
    opponent_strength,
)
from pipeline.demo.make import evaluated, play_all
from pipeline.demo.openings import opening_of
from pipeline.fetch.export import game_from_export, game_to_export
from pipeline.records import Evidence, Game, GamePlayer, StrengthRange
from pipeline.replay import replay
from pipeline.strength.estimate import COVERAGE, StrengthModel
from pipeline.strength.grid import quantile

ROOT = Path(__file__).parent.parent
SCHOLARS_MATE = "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"


def own_color(game: Game) -> Color:
    return "white" if game.white.name == DEMO_PLAYER else "black"


def opponent_color(game: Game) -> Color:
    return "black" if own_color(game) == "white" else "white"


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return list(demo_games())


def test_the_games_are_many_legal_small_and_at_two_speeds(games: list[Game]) -> None:
    assert len(games) == DEMO_GAMES
    assert {game.speed for game in games} == {"blitz", "rapid"}
    assert all(replay(game).plies == len(game.clocks_centiseconds) for game in games)
    file = resources.files("pipeline.demo") / "games.ndjson"
    assert len(file.read_bytes()) < 300_000


def test_every_game_brings_its_evaluations_so_that_no_engine_is_needed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pipeline.cli", "demo", "--format", "json", "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"MOVELO_DATA": str(tmp_path), "STOCKFISH_PATH": "/nowhere/stockfish"},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "demo-player.json").is_file()


def test_the_player_gets_better_and_the_rating_follows(games: list[Game]) -> None:
    strengths = [demo_strength(number) for number in range(DEMO_GAMES)]
    assert (strengths[0], strengths[-1]) == (1450, 1750)
    assert strengths == sorted(strengths)
    for speed in ("blitz", "rapid"):
        own = [game.player(own_color(game)) for game in games if game.speed == speed]
        for before, after in pairwise(own):
            assert after.rating == (before.rating or 0) + (before.rating_diff or 0)


def test_an_opponents_name_says_what_it_was_sampled_at() -> None:
    assert opponent_strength(opponent_name(1525)) == 1525


@pytest.mark.parametrize("speed", ["blitz", "rapid"])
@pytest.mark.parametrize("side", ["own", "opponents"])
def test_pooled_evidence_does_not_rule_out_the_strength_that_the_moves_were_sampled_at(
    games: list[Game], speed: str, side: str
) -> None:
    """The mean strength of a pool lies in the central 95 % of what its moves leave possible.

    With Stockfish's evidence alone, which a machine without the human-move model has. The
    range of a report holds the truth four times in five, and both sides of these games are
    misread alike (what makes a game easy makes it easy for both): of the ranges of these four
    pools two or so miss by chance. Outside 95 %, a refitted model misreads how people of
    that strength play, or chance strikes, once in twenty.
    """
    model = StrengthModel.load()
    evidences, strengths = [], []
    for number, game in enumerate(games):
        color = own_color(game) if side == "own" else opponent_color(game)
        evidence = _evidence(model, game, color) if game.speed == speed else None
        if evidence is not None:
            evidences.append(evidence)
            strengths.append(_strength(game, number, side))
    possible = model.posterior(evidences, speed=speed)
    low, high = (quantile(possible, level) for level in (0.025, 0.975))
    assert low < fmean(strengths) < high
    assert high - low < 1000  # wide enough to hold anything, it would show nothing


def test_single_games_are_read_as_surely_as_the_range_says(games: list[Game]) -> None:
    """Eighty per cent of the ranges should hold the truth; ten less are put down to chance.

    A standard error is five per cent if sides of games were independent draws.
    """
    model = StrengthModel.load()
    held = []
    for number, game in enumerate(games):
        for side, color in (("own", own_color(game)), ("opponents", opponent_color(game))):
            evidence = _evidence(model, game, color)
            if evidence is not None:
                found = model.strength_range([evidence], speed=game.speed)
                assert isinstance(found, StrengthRange)
                held.append(found.low <= _strength(game, number, side) <= found.high)
    assert len(held) > 60
    assert fmean(held) > COVERAGE - 0.1


def _evidence(model: StrengthModel, game: Game, color: Color) -> Evidence | None:
    checked = replay(game)
    evals = source_evals(game, checked)
    assert evals is not None
    evidence = model.evidence(game, analyse(game, checked, evals), color)
    return evidence if isinstance(evidence, Evidence) else None


def _strength(game: Game, number: int, side: str) -> int:
    if side == "own":
        return demo_strength(number)
    return opponent_strength(game.player(opponent_color(game)).name or "")


@pytest.mark.parametrize(
    ("moves", "name"),
    [
        ("e4 e5 Nf3 Nc6 Bb5 a6", "Ruy Lopez"),
        ("e4 e5 Nf3 h6", "King's Knight Opening"),
        ("e4", "King's Pawn Game"),
        ("a3 e5", None),
        ("", None),
    ],
)
def test_an_opening_is_named_by_the_longest_line_that_fits(moves: str, name: str | None) -> None:
    found = opening_of(moves.split())
    assert (found.name if found else None) == name


# --- how they are made ---------------------------------------------------------------------


class GivesUp:
    """Expects nothing from the third ply on, and is gone."""

    def next_move(self, sequence: PositionSequence, **_: int) -> NextMove:
        played = len(sequence.moves_uci)
        move_uci = ("e2e4", "e7e5", "g1f3", "b8c6")[played % 4]
        return NextMove(
            moves_uci=(move_uci,), probabilities=(1.0,), expected_score=0.0 if played > 1 else 0.9
        )


def test_made_games_carry_the_ratings_that_earlier_ones_led_to() -> None:
    made = list(play_all(GivesUp(), random.Random(4)))
    assert len(made) == DEMO_GAMES
    assert {game.status for game in made} == {"resign"}
    own = {speed: [g for g in made if g.speed == speed] for speed in ("blitz", "rapid")}
    for at_speed in own.values():
        players = [game.player(own_color(game)) for game in at_speed]
        assert [player.rating for player in players[1:]] == [
            (player.rating or 0) + (player.rating_diff or 0) for player in players[:-1]
        ]
        changes = [
            (game.white.rating_diff or 0) + (game.black.rating_diff or 0) for game in at_speed
        ]
        assert not any(changes)


def test_made_games_are_analysed_as_lichess_would_and_survive_the_export(tmp_path: Path) -> None:
    mate = Game(
        id="demo0000",
        variant="standard",
        speed="blitz",
        rated=True,
        created_at=datetime(2026, 6, 1, tzinfo=UTC),
        white=GamePlayer(name=DEMO_PLAYER, rating=1500),
        black=GamePlayer(name=opponent_name(1500), rating=1500),
        winner="white",
        status="mate",
        moves_san=tuple(SCHOLARS_MATE.split()),
    )
    (analysed,) = evaluated([mate], write_fake_engine(tmp_path))
    assert len(analysed.source_evals) == 6  # none for the mate itself
    assert analysed.white.lichess_summary is not None
    read = game_from_export(game_to_export(analysed), where="the test")
    assert read.source_evals == analysed.source_evals
    assert all((e.best_move_uci is None) == (e.judgement is None) for e in read.source_evals)
