"""How the shipped games were made: `python -m pipeline.demo.make STOCKFISH MAIA FILE`.

Maia-3 plays both sides at known strengths (`pipeline.strength.simulate`), Stockfish evaluates
as Lichess does. The strengths are the truth that the ratings follow by Elo steps; names and
ratings are invented. Takes some twenty minutes on two cores.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from config.errors import EngineError
from config.language import _
from engines.cores import usable_cores
from engines.evals import Color, EngineFailure, GameEvals, Mate, SearchLimit
from engines.maia import MaiaModel
from engines.pool import EnginePool
from pipeline.analysis import analyse
from pipeline.demo.games import (
    DEMO_GAMES,
    DEMO_NODES,
    DEMO_PLAYER,
    demo_strength,
    opponent_name,
)
from pipeline.demo.openings import opening_of
from pipeline.elo.expected import expected_score
from pipeline.fetch.export import game_to_export
from pipeline.records import (
    Clock,
    Game,
    GameAnalysis,
    GamePlayer,
    LichessSummary,
    MoveScore,
    SideSummary,
    SourceEval,
)
from pipeline.replay import replay
from pipeline.strength.simulate import MoveModel, PlannedGame, simulate_game

SEED = 11
FACTOR_K = 40
"""As for a new account: the rating follows the growing strength quickly."""

CLOCKS = {
    "blitz": Clock(initial_seconds=300, increment_seconds=3),
    "rapid": Clock(initial_seconds=600, increment_seconds=0),
}
FIRST_RATINGS = {"blitz": 1500, "rapid": 1560}
RAPID_SHARE = 0.4
OPPONENT_RATING_ERROR = 50


def main() -> None:
    """Play the games and write them as Lichess would export them, one JSON object a line."""
    engine_path, model_path, file = (Path(argument) for argument in sys.argv[1:])
    played = list(play_all(MaiaModel(model_path), random.Random(SEED)))  # noqa: S311
    lines = [
        json.dumps(game_to_export(game), separators=(",", ":"))
        for game in evaluated(played, engine_path)
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def play_all(model: MoveModel, rng: random.Random) -> Iterator[Game]:
    """The demo player gets better, and the rating follows slowly."""
    own_ratings = dict(FIRST_RATINGS)
    for number in range(DEMO_GAMES):
        speed = "rapid" if rng.random() < RAPID_SHARE else "blitz"
        pairing = _pairing(number, speed, own_ratings[speed], rng)
        game = _rated(simulate_game(pairing, model, rng))
        own = game.white if game.white.name == DEMO_PLAYER else game.black
        own_ratings[speed] += own.rating_diff or 0
        yield game


def evaluated(games: Sequence[Game], engine_path: Path) -> list[Game]:
    """With what Lichess's analysis would add, in the order given; EngineError if any failed."""
    replays = [replay(game) for game in games]
    limit = SearchLimit(nodes_per_position=DEMO_NODES)
    found: dict[str, GameEvals] = {}
    with EnginePool(engine_path, workers=usable_cores(), limit=limit, hash_mebibytes=64) as pool:
        for evals in pool.evaluate([checked.positions() for checked in replays]):
            if isinstance(evals, EngineFailure):
                raise EngineError(
                    _("game {game_id} was not evaluated: {reason}").format(
                        game_id=evals.game_id, reason=evals.reason
                    )
                )
            found[evals.game_id] = evals
    return [
        _with_analysis(game, found[game.id], analyse(game, checked, found[game.id]))
        for game, checked in zip(games, replays, strict=True)
    ]


def _pairing(number: int, speed: str, own_rating: int, rng: random.Random) -> PlannedGame:
    own: Color = "white" if number % 2 else "black"
    strength = demo_strength(number)
    opponent = strength + rng.randrange(-150, 151, 25)
    stated = round(rng.gauss(opponent, OPPONENT_RATING_ERROR))
    sides = [
        (GamePlayer(name=DEMO_PLAYER, rating=own_rating), strength),
        (GamePlayer(name=opponent_name(opponent), rating=stated), opponent),
    ]
    (white, white_strength), (black, black_strength) = sides if own == "white" else sides[::-1]
    return PlannedGame(
        game_id=f"demo{number:04}",
        created_at=datetime(2026, 6, 1, 18, tzinfo=UTC)
        + timedelta(days=3 * number, minutes=rng.randrange(240)),
        speed=speed,
        clock=CLOCKS[speed],
        white=white,
        black=black,
        white_strength=white_strength,
        black_strength=black_strength,
    )


def _rated(game: Game) -> Game:
    """With the rating points that it brought, and the name of its opening."""
    white, black = (player.rating or 0 for player in (game.white, game.black))
    score = {"white": 1.0, "black": 0.0, None: 0.5}[game.winner]
    change = round(FACTOR_K * (score - expected_score(white, black)))
    return replace(
        game,
        source="demonstration: sampled from the human-move model Maia-3",
        white=replace(game.white, rating_diff=change),
        black=replace(game.black, rating_diff=-change),
        opening=opening_of(game.moves_san),
    )


def _with_analysis(game: Game, evals: GameEvals, analysis: GameAnalysis) -> Game:
    """Lichess names the better move only where it judges, and says nothing of a mate."""
    moves = {move.ply: move for move in analysis.moves}
    entries = [
        _source_eval(evals, ply, moves.get(ply))
        for ply in range(1, len(evals.evals))
        if evals.evals[ply] not in (Mate("white", 0), Mate("black", 0))
    ]
    return replace(
        game,
        source_evals=tuple(entries),
        white=replace(game.white, lichess_summary=_summary(analysis.white)),
        black=replace(game.black, lichess_summary=_summary(analysis.black)),
    )


def _source_eval(evals: GameEvals, ply: int, move: MoveScore | None) -> SourceEval:
    evaluation = evals.evals[ply]
    if move is None or move.judgement is None:
        return SourceEval(evaluation=evaluation)
    return SourceEval(
        evaluation=evaluation,
        best_move_uci=evals.best_moves_uci[ply - 1],
        judgement=move.judgement.value.capitalize(),
    )


def _summary(side: SideSummary) -> LichessSummary:
    accuracy = side.accuracy_percent
    return LichessSummary(
        inaccuracies=side.inaccuracies,
        mistakes=side.mistakes,
        blunders=side.blunders,
        average_centipawn_loss=side.average_centipawn_loss,
        accuracy_percent=None if accuracy is None else round(accuracy),
    )


if __name__ == "__main__":
    main()
