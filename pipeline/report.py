"""Stage 6: everything that was found out about one player -> PlayerReport. Data, no looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from sys import intern

from config.language import english
from engines.evals import Color
from engines.human_likelihoods import HumanLikelihoods
from pipeline.elo.results import game_expected_score
from pipeline.records import (
    Differences,
    Evidence,
    Explanation,
    Game,
    GameAnalysis,
    GameReport,
    NoEstimate,
    PlayerReport,
    ResultEstimate,
    SetAside,
    SideReport,
    SpeedReport,
    SpeedTrends,
    StrengthRange,
)
from pipeline.strength.explain import explain


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessedGame:
    """A game with what its moves say about both players; `color` is the reported player's.

    `color` is None when nobody in particular is reported on; `analysis` is None when there
    are no evaluations, and then evidence and ranges carry the reason. `human` is what the
    human-move model says of both sides' moves, None where it did not read them;
    `human_model_missing`: see `GameReport`. The failures are why the engine, or the human-move
    model, has said nothing of the game.
    """

    game: Game
    color: Color | None
    analysis: GameAnalysis | None
    evidence: Mapping[Color, Evidence | NoEstimate]
    strength: Mapping[Color, StrengthRange | NoEstimate]
    human: HumanLikelihoods | None
    human_model_missing: bool
    engine_failure: str | None = None
    human_failure: str | None = None

    @property
    def faults(self) -> tuple[SetAside, ...]:
        """What is not there, and why."""
        reasons = {
            english("not in the move-based view: {reason}"): self.engine_failure,
            english("read without the human-move model: {reason}"): self.human_failure,
        }
        return tuple(
            SetAside(where=self.game.where, reason=said.format(reason=why))
            for said, why in reasons.items()
            if why is not None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedEstimates:
    """The two views over all of a player's games at one speed, over time, and why they differ."""

    result: ResultEstimate | NoEstimate
    strength: StrengthRange | NoEstimate
    trends: SpeedTrends | NoEstimate
    differences: Differences | NoEstimate


def player_report(
    player: str,
    games: Sequence[GameReport],
    estimates: Mapping[str, SpeedEstimates],
    *,
    created_at: datetime,
    movelo_version: str,
    model_name: str,
    set_aside: Sequence[SetAside] = (),
    notes: Sequence[str] = (),
) -> PlayerReport:
    """Put it together; `games` is newest first, `estimates` has one entry for each speed."""
    return PlayerReport(
        player=player,
        created_at=created_at,
        movelo_version=movelo_version,
        model_name=model_name,
        speeds=tuple(
            _speed_report(speed, [game for game in games if in_totals(game, speed)], found)
            for speed, found in estimates.items()
        ),
        games=tuple(games),
        set_aside=tuple(set_aside),
        notes=tuple(notes),
    )


def game_report(assessed: AssessedGame) -> GameReport:
    """One game, both sides."""
    game, analysis = assessed.game, assessed.analysis
    return GameReport(
        id=game.id,
        url=game.url,
        created_at=game.created_at,
        speed=game.speed,
        variant=game.variant,
        rated=game.rated,
        color=assessed.color,
        status=game.status,
        opening=game.opening,
        clock=game.clock,
        plies=len(game.moves_san),
        engine=analysis.engine if analysis else None,
        limit=analysis.limit if analysis else None,
        white=_side_report(assessed, "white"),
        black=_side_report(assessed, "black"),
        human_model_missing=assessed.human_model_missing,
        moves=analysis.moves if analysis else (),
        moves_san=tuple(map(intern, game.moves_san)),  # there are few, in however many games
        initial_fen=game.initial_fen,
    )


def in_totals(game: Game | GameReport, speed: str) -> bool:
    """Chess960 has a rating of its own, and a given position is not everybody's choice."""
    return game.speed == speed and game.variant == "standard"


def scale_of(speed: str) -> str:
    """The name of Lichess's rating scale for a speed, such as `lichess_blitz`."""
    return f"lichess_{speed}"


def _side_report(assessed: AssessedGame, color: Color) -> SideReport:
    game, analysis = assessed.game, assessed.analysis
    return SideReport(
        player=game.player(color),
        score=game.score(color),
        expected_score=game_expected_score(game, color),
        strength=assessed.strength[color],
        explanation=_explanation(assessed, color),
        summary=analysis.side(color) if analysis else None,
    )


def _explanation(assessed: AssessedGame, color: Color) -> Explanation | NoEstimate:
    strength, analysis = assessed.strength[color], assessed.analysis
    if isinstance(strength, NoEstimate):
        return strength
    if assessed.human is None or analysis is None or not strength.games_with_human_model:
        return NoEstimate(reason=english("the human-move model had no part in this range"))
    return explain(assessed.human, analysis, color, level=strength.median)


def _speed_report(
    speed: str, games: Sequence[GameReport], estimates: SpeedEstimates
) -> SpeedReport:
    own = [game.side(game.color) for game in games if game.color is not None]
    ratings = [side.player.rating for side in own if side.player.rating is not None]
    summaries = [side.summary for side in own if side.summary is not None]
    return SpeedReport(
        speed=speed,
        scale=scale_of(speed),
        games=len(games),
        first_game_at=games[-1].created_at,
        last_game_at=games[0].created_at,
        rating_first=ratings[-1] if ratings else None,
        rating_last=ratings[0] if ratings else None,
        result=estimates.result,
        strength=estimates.strength,
        trends=estimates.trends,
        differences=estimates.differences,
        accuracy_percent=_mean([s.accuracy_percent for s in summaries]),
        average_centipawn_loss=_mean([s.average_centipawn_loss for s in summaries]),
    )


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
