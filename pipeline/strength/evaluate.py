"""Measuring the model on games whose players' ratings are known, by the path of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from config.errors import NoGames
from config.language import _, english, retold
from pipeline.records import Evidence, Game, GameAnalysis, NoEstimate
from pipeline.strength.band_test import BandTest, exact_band_of_eight
from pipeline.strength.candidates import Candidate, Choice, candidates, lacks_likelihoods
from pipeline.strength.centipawn_scale import centipawn_scale
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluation import EvaluatedFile, Evaluation
from pipeline.strength.evaluations_file import EvaluationsFile
from pipeline.strength.figures import all_figures
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.labelled import (
    GameSource,
    Label,
    LeftOut,
    Progress,
    analysis_of,
    silent,
)
from pipeline.strength.model import COVERAGE
from pipeline.strength.own_moves import own_moves
from pipeline.strength.pairing_estimate import check_pairing
from pipeline.strength.pairing_figures import pairing_figures
from pipeline.strength.reading import Reading

Players: TypeAlias = Literal["auto", "all", "held-out"]


def evaluate(
    model: StrengthModel,
    sources: Sequence[GameSource],
    *,
    evaluations: Sequence[EvaluationsFile] = (),
    human: HumanCache | None = None,
    sample: int = 0,
    players: Players = "auto",
    with_pairing: bool = False,
    progress: Progress = silent,
) -> Evaluation:
    """Figures for single games and for pools of up to 50 games of one player.

    "auto" takes the held-out players alone as soon as one of the files is among those that
    the model was fitted on, else everybody. With `human`, only games that it knows, or has
    leave to compute, are evaluated, and with the human-move model, at the speeds where that
    makes a difference. `sample` games, always the same ones, or all if it is 0. `with_pairing`
    measures that option too, on games of which both sides are read with the human-move model,
    and raises ModelError where it can't. Raises NoGames when nothing can be evaluated.
    """
    if with_pairing:
        check_pairing(model, with_human_model=human is not None)  # before anything is read
    files = tuple(_file(source, model) for source in sources)
    fitted_on = any(file.fitted_on for file in files)
    held_out_only = players == "held-out" or (players == "auto" and fitted_on)
    left_out = LeftOut()
    choice = Choice(held_out_only=held_out_only, sample=sample, human=human)
    chosen = candidates(sources, model, evaluations, choice, left_out, progress)
    reader = _Reader(model, evaluations, human, left_out)
    readings = list(reader.all_readings(chosen, progress))
    if not readings:
        raise NoGames(_why_nothing(held_out_only, left_out))
    progress("measuring", len(readings))
    figures, reliability = all_figures(readings, model)
    with_human = [r for r in readings if r.evidence.with_human_model]
    game_ids = {reading.game_id for reading in with_human}
    paired = pairing_figures(readings, model) if with_pairing else ()
    return Evaluation(
        model_name=model.name,
        stated_coverage=COVERAGE,
        files=files,
        players="held-out" if held_out_only else "all",
        sample=sample,
        speeds_with_human_model=tuple(sorted({reading.speed for reading in with_human})),
        human_networks=human.networks(game_ids) if human is not None else (),
        player_games=len(readings),
        left_out=left_out.most_common(),
        figures=figures,
        reliability=reliability,
        exact_band_of_eight=_band_tests(readings),
        with_pairing=paired,
    )


def _band_tests(readings: Sequence[Reading]) -> tuple[BandTest, ...]:
    speeds = sorted({reading.speed for reading in readings})
    return tuple(
        exact_band_of_eight([r for r in readings if r.speed == speed], speed=speed)
        for speed in speeds
    )


def _file(source: GameSource, model: StrengthModel) -> EvaluatedFile:
    fitted_on = {file.sha256 for file in model.fitted.training.files}
    return EvaluatedFile(
        name=source.name, sha256=source.sha256, fitted_on=source.sha256 in fitted_on
    )


class _Reader:
    """From candidates to readings; what cannot be read is counted in `left_out`."""

    def __init__(
        self,
        model: StrengthModel,
        evaluations: Sequence[EvaluationsFile],
        human: HumanCache | None,
        left_out: LeftOut,
    ) -> None:
        self._model = model
        self._evaluations = evaluations
        self._human = human
        self._left_out = left_out

    def all_readings(self, chosen: Iterator[Candidate], progress: Progress) -> Iterator[Reading]:
        """What needs no asking at once; the rest when the human-move model was asked."""
        waiting: list[Candidate] = []
        for candidate in chosen:
            human = self._human_of(candidate.game)
            if human is not None and lacks_likelihoods(candidate, human):
                waiting.append(candidate)
            else:
                yield from self._readings(candidate)
        if self._human is not None:
            self._human.compute([candidate.game for candidate in waiting], progress)
        for candidate in waiting:
            yield from self._readings(candidate)

    def _human_of(self, game: Game) -> HumanCache | None:
        return self._human if self._model.reads_human_likelihoods(game.speed) else None

    def _readings(self, candidate: Candidate) -> Iterator[Reading]:
        analysis = analysis_of(candidate.game, self._evaluations, self._left_out)
        if analysis is None:
            return
        for label in candidate.labels:
            evidence = self._evidence(candidate.game, analysis, label)
            if isinstance(evidence, NoEstimate):
                self._left_out.add(evidence.reason)
            else:
                yield self._reading(candidate.game, analysis, label, evidence)

    def _evidence(self, game: Game, analysis: GameAnalysis, label: Label) -> Evidence | NoEstimate:
        human = self._human_of(game)
        likelihoods = None if human is None else human.likelihoods(game.id, label.color)
        if human is not None and likelihoods is None:
            return NoEstimate(reason=english("no human likelihoods"))
        return self._model.evidence(game, analysis, label.color, likelihoods)

    def _reading(
        self, game: Game, analysis: GameAnalysis, label: Label, evidence: Evidence
    ) -> Reading:
        own = analysis.own_moves(label.color)
        return Reading(
            speed=game.speed,
            player=label.player.lower(),
            rating=label.rating,
            steady=label.steady,
            created_at=game.created_at,
            have_clocks=game.clock is not None and all(m.seconds_left is not None for m in own),
            evidence=evidence,
            evidence_without_human_model=self._alone(game, analysis, label, evidence),
            average_centipawn_loss=analysis.side(label.color).average_centipawn_loss,
            todays_centipawn_loss=self._todays_centipawn_loss(game, analysis, label),
        )

    def _alone(
        self, game: Game, analysis: GameAnalysis, label: Label, evidence: Evidence
    ) -> Evidence | None:
        """What the same moves say without the human-move model, where it had a part."""
        if not evidence.with_human_model:
            return None
        alone = self._model.evidence(game, analysis, label.color)
        return alone if isinstance(alone, Evidence) else None

    def _todays_centipawn_loss(
        self, game: Game, analysis: GameAnalysis, label: Label
    ) -> float | None:
        """What `AcplLine` takes; not computed for a model without one."""
        fitted = self._model.fitted.speed(game.speed)
        if fitted is None or fitted.acpl_line is None:
            return None
        scale = centipawn_scale(game, analysis)
        moves = own_moves(analysis.own_moves(label.color), centipawn_scale=scale)
        return float(moves.centipawn_loss.mean())


def _why_nothing(held_out_only: bool, left_out: LeftOut) -> str:
    who = _("a rated held-out player") if held_out_only else _("a rated player")
    most = left_out.most_common()
    because = _(" (most often: {reason})").format(reason=retold(most[0][0])) if most else ""
    return _(
        "No game of {who} can be evaluated{because}; give rated games with evaluations, or their "
        "evaluations with --evals."
    ).format(who=who, because=because)
