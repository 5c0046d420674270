"""Measuring the model on games whose players' ratings are known, by the path of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from config.errors import NoGames
from pipeline.records import Evidence, Game, GameAnalysis, NoEstimate
from pipeline.strength.estimate import COVERAGE, StrengthModel
from pipeline.strength.evaluation import EvaluatedFile, Evaluation
from pipeline.strength.evaluations_file import EvaluationsFile
from pipeline.strength.figures import Reading, all_figures
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.labelled import (
    GameSource,
    Label,
    LeftOut,
    Progress,
    analysis_of,
    games_of,
    labels,
)
from pipeline.strength.split import Part, part_of

Players: TypeAlias = Literal["auto", "all", "held-out"]
_PROGRESS_EVERY = 50


def evaluate(
    model: StrengthModel,
    sources: Sequence[GameSource],
    *,
    evaluations: Sequence[EvaluationsFile] = (),
    human: HumanCache | None = None,
    players: Players = "auto",
    progress: Progress = lambda _stage, _games: None,
) -> Evaluation:
    """Figures for single games and for pools of 10 and 50 games of one player.

    "auto" takes the held-out players alone as soon as one of the files is among those that
    the model was fitted on, else everybody. With `human`, only games that it knows, or has
    leave to compute, are evaluated, and with the human-move model. Raises NoGames when nothing
    can be evaluated.
    """
    files = tuple(_file(source, model) for source in sources)
    fitted_on = any(file.fitted_on for file in files)
    held_out_only = players == "held-out" or (players == "auto" and fitted_on)
    left_out = LeftOut()
    readings = [
        reading
        for game in _games(sources, left_out, progress)
        for reading in _readings(game, model, evaluations, human, held_out_only, left_out)
    ]
    if not readings:
        raise NoGames(_why_nothing(held_out_only, left_out))
    return Evaluation(
        model_name=model.name,
        stated_coverage=COVERAGE,
        files=files,
        players="held-out" if held_out_only else "all",
        player_games=len(readings),
        left_out=left_out.most_common(),
        figures=all_figures(readings, model),
    )


def _file(source: GameSource, model: StrengthModel) -> EvaluatedFile:
    fitted_on = {file.sha256 for file in model.fitted.training.files}
    return EvaluatedFile(
        name=source.name, sha256=source.sha256, fitted_on=source.sha256 in fitted_on
    )


def _games(sources: Sequence[GameSource], left_out: LeftOut, progress: Progress) -> Iterator[Game]:
    count = 0
    for source in sources:
        for game in games_of(source.games, left_out):
            yield game
            count += 1
            if count % _PROGRESS_EVERY == 0:
                progress(f"evaluating {source.name}", count)


def _readings(
    game: Game,
    model: StrengthModel,
    evaluations: Sequence[EvaluationsFile],
    human: HumanCache | None,
    held_out_only: bool,
    left_out: LeftOut,
) -> Iterator[Reading]:
    known = labels(game, left_out)
    wanted = [label for label in known if not held_out_only or _held_out(label)]
    left_out.add("player not held out", len(known) - len(wanted))
    analysis = analysis_of(game, evaluations, left_out) if wanted else None
    if analysis is None:
        return
    for label in wanted:
        likelihoods = None if human is None else human.likelihoods(game, label.color)
        if human is not None and likelihoods is None:
            left_out.add("no human likelihoods")
            continue
        evidence = model.evidence(game, analysis, label.color, likelihoods)
        if isinstance(evidence, NoEstimate):
            left_out.add(evidence.reason)
        else:
            yield _reading(game, analysis, label, evidence)


def _held_out(label: Label) -> bool:
    return part_of(label.player) is Part.HELD_OUT


def _reading(game: Game, analysis: GameAnalysis, label: Label, evidence: Evidence) -> Reading:
    return Reading(
        speed=game.speed,
        player=label.player.lower(),
        rating=label.rating,
        steady=label.steady,
        created_at=game.created_at,
        evidence=evidence,
        average_centipawn_loss=analysis.side(label.color).average_centipawn_loss,
    )


def _why_nothing(held_out_only: bool, left_out: LeftOut) -> str:
    who = "held-out player" if held_out_only else "player"
    most = left_out.most_common()
    because = f" (most often: {most[0][0]})" if most else ""
    return (
        f"No game of a rated {who} can be evaluated{because}; give rated games with "
        "evaluations, or their evaluations with --evals."
    )
