"""The face of this stage: a game's moves in, evidence out; evidence in, a range out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from config.errors import ModelError
from config.language import _, english
from engines.evals import Color
from engines.human_likelihoods import HumanLikelihoods
from pipeline.records import Evidence, Game, GameAnalysis, NoEstimate, StrengthRange
from pipeline.strength.aggregate import Pooling, pooled_posterior
from pipeline.strength.centipawn_scale import centipawn_scale
from pipeline.strength.depth import evaluation_nodes
from pipeline.strength.features import game_features
from pipeline.strength.grid import RATINGS, central_range
from pipeline.strength.human_features import human_features
from pipeline.strength.likelihood import circumstances
from pipeline.strength.model import COVERAGE, FittedModel, SpeedModel
from pipeline.strength.model_file import load_model, model_digest
from pipeline.strength.own_moves import Column, own_moves
from pipeline.strength.pairing_estimate import strength_range_with_pairing
from pipeline.strength.reasons import why_no_estimate


class StrengthModel:
    """The fitted model at work. It never sees a rating, a name or a result."""

    def __init__(self, fitted: FittedModel) -> None:
        self.fitted = fitted
        self.id = f"{fitted.name} {model_digest(fitted)}"
        """For what is kept: the name, and a digest that no other model shares."""

    @classmethod
    def load(cls, path: Path | None = None) -> StrengthModel:
        """From `path`, or the model that ships with movelo; ModelError when it can't be used."""
        return cls(load_model(path))

    @property
    def name(self) -> str:
        """For the report: which model made the numbers."""
        return self.fitted.name

    @property
    def speeds(self) -> tuple[str, ...]:
        """The speeds, in Lichess's words, for which there is an estimate."""
        return tuple(model.speed for model in self.fitted.speeds)

    def reads_human_likelihoods(self, speed: str) -> bool:
        """Whether `human` makes a difference to the evidence of games at this speed."""
        model = self.fitted.speed(speed)
        return model is not None and model.reads_human_likelihoods

    def refusal(self, game: Game, own_moves: int) -> NoEstimate | None:
        """Why there is no evidence of so many scored moves of a side; None when there is."""
        return why_no_estimate(game, own_moves, self.speeds)

    def evidence(
        self,
        game: Game,
        analysis: GameAnalysis,
        color: Color,
        human: HumanLikelihoods | None = None,
    ) -> Evidence | NoEstimate:
        """What the moves of one side say: a likelihood, with no population in it.

        `human` is what the human-move model says of the moves of `color`, or of both sides;
        without it the evidence is wider. ModelError when it is of another game.
        """
        if refusal := self.refusal(game, len(analysis.own_moves(color))):
            return refusal
        model = self._speed_model(game.speed)
        scale = centipawn_scale(game, analysis)
        moves = own_moves(analysis.own_moves(color), centipawn_scale=scale)
        channel = model.channel(game.clock is not None and moves.have_clocks)
        features = game_features(moves, game.clock)
        given = circumstances(
            moves=moves.count,
            clock=game.clock,
            nodes=evaluation_nodes(analysis),
        )
        human_row = None if human is None else _human_row(game, human, color)
        log_likelihoods = channel.log_likelihoods(features, given, human_row)
        return Evidence(
            game_id=game.id,
            color=color,
            scale=model.scale,
            moves=moves.count,
            log_likelihoods=tuple(log_likelihoods.tolist()),
            with_human_model=human_row is not None and channel.human is not None,
        )

    def strength_range(
        self, evidences: Sequence[Evidence], *, speed: str
    ) -> StrengthRange | NoEstimate:
        """The range from one player's games at one speed; their order does not matter.

        Evidence with the human-move model errs less, but more of its errors are the same in
        every game of the player. Where some of the evidence is such, all of it is taken to
        share as much: the range is rather too wide than too narrow.
        """
        if speed not in self.speeds:
            return NoEstimate(reason=english("no model for {speed} games yet").format(speed=speed))
        if not evidences:
            return NoEstimate(reason=english("no game with an estimate"))
        posterior = self.posterior(evidences, speed=speed)
        low, median, high = central_range(posterior, COVERAGE)
        return StrengthRange(
            scale=self._speed_model(speed).scale,
            low=low,
            median=median,
            high=high,
            coverage=COVERAGE,
            games=len(evidences),
            moves=sum(evidence.moves for evidence in evidences),
            games_with_human_model=sum(evidence.with_human_model for evidence in evidences),
        )

    def strength_range_with_pairing(
        self,
        evidences: Sequence[Evidence],
        opponents: Sequence[Sequence[Evidence]],
        *,
        speed: str,
    ) -> StrengthRange | NoEstimate:
        """See `pairing_estimate`: one entry of `opponents` is all the evidence of one person."""
        return strength_range_with_pairing(self, evidences, opponents, speed=speed)

    def posterior(self, evidences: Sequence[Evidence], *, speed: str) -> Column:
        """Probabilities over `grid.RATINGS` from one game or more: what a range is cut from.

        ModelError for a speed without a model, or evidence of another kind.
        """
        model = self._speed_model(speed)
        _check_evidence(evidences, model.scale)
        with_human = any(evidence.with_human_model for evidence in evidences)
        return pooled_posterior(
            evidences,
            log_prior=model.log_prior,
            shared_variance=model.human_shared_variance if with_human else model.shared_variance,
            balance=model.human_balance if with_human else model.balance,
        )

    def pooling(self, evidences: Sequence[Evidence], *, speed: str) -> Pooling | NoEstimate:
        """What `posterior` pools these games with; the reason where there is no range.

        ModelError for evidence of another kind.
        """
        if speed not in self.speeds:
            return NoEstimate(reason=english("no model for {speed} games yet").format(speed=speed))
        model = self._speed_model(speed)
        _check_evidence(evidences, model.scale)
        with_human = any(evidence.with_human_model for evidence in evidences)
        balance = model.human_balance if with_human else model.balance
        return Pooling(
            log_prior=balance.prior_weight * model.log_prior,
            evidence_weight=balance.evidence_weight,
            shared_variance=model.human_shared_variance if with_human else model.shared_variance,
        )

    def _speed_model(self, speed: str) -> SpeedModel:
        model = self.fitted.speed(speed)
        if model is None:
            raise ModelError(
                _("The model {value} has no part for {speed} games.").format(
                    value=self.name, speed=speed
                )
            )
        return model


def _human_row(game: Game, human: HumanLikelihoods, color: Color) -> Column:
    if human.game_id != game.id:
        raise ModelError(
            _(
                "The human likelihoods given for game {id} are those of {game_id}; compute "
                "them for this game."
            ).format(id=game.id, game_id=human.game_id)
        )
    return human_features(human, color, game.clock, game.clocks_centiseconds)


def _check_evidence(evidences: Sequence[Evidence], scale: str) -> None:
    for evidence in evidences:
        if evidence.scale != scale or len(evidence.log_likelihoods) != len(RATINGS):
            raise ModelError(
                _(
                    "The stored evidence of game {game_id} ({scale}) is not of this model's "
                    "{scale_2} kind; analyse the game again."
                ).format(game_id=evidence.game_id, scale=evidence.scale, scale_2=scale)
            )
