"""Which games are evaluated: whose, how many, and of which the human-move model knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from config.language import english
from engines.evals import COLORS
from pipeline.drawn import Drawn
from pipeline.records import Game
from pipeline.strength.estimate import StrengthModel
from pipeline.strength.evaluations_file import EvaluationsFile
from pipeline.strength.human_cache import HumanCache
from pipeline.strength.labelled import (
    GameSource,
    Label,
    LeftOut,
    Progress,
    games_of,
    labels,
)
from pipeline.strength.reasons import why_no_estimate
from pipeline.strength.split import is_held_out

_PROGRESS_EVERY = 50


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A game to evaluate, and the sides of it that count."""

    game: Game
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Held-out players only or all; `sample` games of those that can be evaluated, 0 for all.

    With `human`, only games at a speed that the model reads with likelihoods which it knows,
    and the first of the others, by a hash of the id, as many as it may compute.
    """

    held_out_only: bool
    sample: int
    human: HumanCache | None


def candidates(
    sources: Sequence[GameSource],
    model: StrengthModel,
    evaluations: Sequence[EvaluationsFile],
    choice: Choice,
    left_out: LeftOut,
    progress: Progress,
) -> Iterator[Candidate]:
    """Those of the files that `choice` takes; the others are counted by reason."""
    found = _labelled(sources, choice.held_out_only, left_out, progress)
    found = (c for c in found if _may_be_read(c, model, evaluations, left_out))
    if choice.human is not None:
        found = _with_likelihoods(found, model, choice.human, left_out)
    return _sampled(found, choice.sample, left_out) if choice.sample else iter(found)


def lacks_likelihoods(candidate: Candidate, human: HumanCache) -> bool:
    """Whether those of some side that counts are still to be computed."""
    return not all(human.has(candidate.game.id, label.color) for label in candidate.labels)


def _labelled(
    sources: Sequence[GameSource], held_out_only: bool, left_out: LeftOut, progress: Progress
) -> Iterator[Candidate]:
    count = 0
    for source in sources:
        for game in games_of(source.games, left_out):
            known = labels(game, left_out)
            wanted = tuple(
                label for label in known if not held_out_only or is_held_out(label.player)
            )
            left_out.add(english("player not held out"), len(known) - len(wanted))
            if wanted:
                yield Candidate(game=game, labels=wanted)
            count += 1
            if count % _PROGRESS_EVERY == 0:
                progress(english("evaluating {source}").format(source=source.name), count)


def _may_be_read(
    candidate: Candidate,
    model: StrengthModel,
    evaluations: Sequence[EvaluationsFile],
    left_out: LeftOut,
) -> bool:
    """False where it is plain without any computing that there is no estimate."""
    game = candidate.game
    if not game.source_evals and not any(game.id in file for file in evaluations):
        left_out.add(english("no evaluations"))
        return False
    for label in candidate.labels:
        own = len(game.moves_san[COLORS.index(label.color) :: 2])
        if refusal := why_no_estimate(game, own, model.speeds):
            left_out.add(refusal.reason)
        else:
            return True
    return False


def _with_likelihoods(
    found: Iterable[Candidate], model: StrengthModel, human: HumanCache, left_out: LeftOut
) -> Iterator[Candidate]:
    drawn: Drawn[Candidate] = Drawn(human.new_games)
    for candidate in found:
        if not model.reads_human_likelihoods(candidate.game.speed):
            yield candidate
            continue
        spared = drawn.offer(candidate.game.id, candidate)
        if spared is not None and not lacks_likelihoods(spared, human):
            yield spared
        elif spared is not None:
            left_out.add(english("no human likelihoods"), len(spared.labels))
    yield from drawn.items()


def _sampled(found: Iterable[Candidate], size: int, left_out: LeftOut) -> Iterator[Candidate]:
    drawn: Drawn[Candidate] = Drawn(size)
    for candidate in found:
        spared = drawn.offer(candidate.game.id, candidate)
        if spared is not None:
            left_out.add(english("not in the sample"), len(spared.labels))
    yield from drawn.items()
