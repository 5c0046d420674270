"""Performances, groups of games, conversions and targets, in words."""

from __future__ import annotations

from collections.abc import Sequence

from config.language import _, retold
from config.localized import number_text
from pipeline.elo.convert import Conversion
from pipeline.elo.performance_kinds import PerformanceKinds
from pipeline.elo.what_if import ScoreNeeded
from pipeline.records import NoEstimate, ResultEstimate, ResultGroup, ScoreLuck
from reports.counts import counted
from reports.elo_answer import Answer, AnswerTable, answer_without_number
from reports.elo_words import change_text, exact_text, number_or_reason
from reports.lines import ABSENT, one_line
from reports.speed_rows import luck_words
from reports.terms import scale_name
from reports.words import (
    coverage_text,
    decimal_text,
    range_text,
    rating_text,
    reason_text,
    score_of_text,
    score_text,
)


def performance_answer(
    found: PerformanceKinds, expected: float | None, luck: ScoreLuck | None
) -> Answer:
    """Every performance rating of one list; with a rating of one's own also the luck in it."""
    interval = found.likelihood
    shown = range_text(interval.low, interval.high)
    return Answer(
        title=_("Performance in {games}").format(games=counted(found.games, "game")),
        figures=(
            (
                _("performance range"),
                _("{shown} ({coverage} range)").format(
                    shown=shown, coverage=coverage_text(interval.coverage)
                ),
            ),
            (_("best single number"), rating_text(interval.rating)),
            (_("score"), score_of_text(found.score, found.games)),
            *_luck_figures(found.score, expected, luck),
            (_("average opponent"), exact_text(found.average_opponent_rating)),
            (_("logistic"), number_or_reason(found.logistic)),
            (_("linear (algorithm of 400)"), exact_text(found.linear)),
            (_("FIDE, by table"), number_or_reason(found.fide)),
            (_("perfect performance"), number_or_reason(found.perfect)),
        ),
        notes=(_("The opponents' ratings are taken as exact, on one scale."),),
    )


def _luck_figures(
    score: float, expected: float | None, luck: ScoreLuck | None
) -> tuple[tuple[str, str], ...]:
    if expected is None or luck is None:
        return ()
    return (
        (_("expected score"), decimal_text(expected, 2)),
        (_("if that was luck"), luck_words(luck, score=score, expected=expected)),
    )


def player_answer(
    player: str, scale: str, found: ResultEstimate | NoEstimate, groups: Sequence[ResultGroup]
) -> Answer:
    """A player's results at one speed, and divided into groups."""
    title = _("{player} on {scale}").format(player=one_line(player), scale=scale_name(scale))
    if isinstance(found, NoEstimate):
        return answer_without_number(title, found.reason)
    return Answer(
        title=title,
        figures=_estimate_figures(found),
        table=_groups_table(groups) if groups else None,
        notes=tuple(_estimate_notes(found, groups)),
    )


def _estimate_figures(found: ResultEstimate) -> tuple[tuple[str, str], ...]:
    shown = range_text(found.performance_low, found.performance_high)
    luck = found.luck
    return (
        (
            _("performance range"),
            _("{shown} ({coverage} range)").format(
                shown=shown, coverage=coverage_text(found.coverage)
            ),
        ),
        (_("best single number"), rating_text(found.performance_rating)),
        (_("score"), score_of_text(found.score, found.games)),
        (_("expected score"), decimal_text(found.expected_score, 2)),
        (
            _("if that was luck"),
            reason_text(luck)
            if isinstance(luck, NoEstimate)
            else luck_words(
                luck, score=found.score_with_expectation, expected=found.expected_score
            ),
        ),
        (_("average opponent"), rating_text(found.average_opponent_rating)),
    )


def _groups_table(groups: Sequence[ResultGroup]) -> AnswerTable:
    return AnswerTable(
        headings=(_("games"), _("count"), _("score"), _("expected"), _("performance range")),
        lines=tuple(_group_line(group) for group in groups),
    )


def _group_line(group: ResultGroup) -> tuple[str, ...]:
    label, result = one_line(retold(group.label)), group.result
    if isinstance(result, NoEstimate):
        return label, number_text(group.games), ABSENT, ABSENT, reason_text(result)
    return (
        label,
        number_text(result.games),
        score_text(result.score),
        decimal_text(result.expected_score, 1),
        range_text(result.performance_low, result.performance_high),
    )


def _estimate_notes(found: ResultEstimate, groups: Sequence[ResultGroup]) -> list[str]:
    who = found.opponents
    left_out = (
        (who.computer, _("against the computer")),
        (who.anonymous, _("against anonymous players")),
        (who.unrated, _("against players without a rating")),
        (who.without_result, _("without a result")),
    )
    notes = []
    if any(number for number, _ in left_out):
        parts = ", ".join(f"{number_text(number)} {kind}" for number, kind in left_out if number)
        notes.append(_("Left out: {parts}.").format(parts=parts))
    if who.provisional or who.bots:
        notes.append(
            _(
                "Counted like all others: {provisional} with a provisional rating, {bots} "
                "against bots."
            ).format(provisional=number_text(who.provisional), bots=number_text(who.bots))
        )
    if len(groups) > 1:
        notes.append(_("Of many ranges some miss by chance: the more groups, the more of them."))
    return notes


def conversion_answer(
    found: Conversion | NoEstimate, *, rating: float, from_scale: str, to_scale: str
) -> Answer:
    """A range on another scale, with the sources and their dates."""
    title = _("{from_scale} {rating} on {to_scale}").format(
        from_scale=scale_name(from_scale), rating=exact_text(rating), to_scale=scale_name(to_scale)
    )
    if isinstance(found, NoEstimate):
        return answer_without_number(title, found.reason)
    return Answer(
        title=title,
        figures=((_("typical range"), range_text(found.low, found.high)),),
        notes=(
            _("What is typical of players with both ratings; your own may lie outside."),
            *(
                _("{from_scale} to {to_scale}: {source} ({as_of}).").format(
                    from_scale=scale_name(step.from_scale),
                    to_scale=scale_name(step.to_scale),
                    source=retold(step.source),
                    as_of=step.as_of,
                )
                for step in found.steps
            ),
            *(
                _("Another source says about {rating}: {source} ({as_of}).").format(
                    rating=rating_text(other.rating), source=retold(other.source), as_of=other.as_of
                )
                for other in found.others
            ),
        ),
    )


def target_answer(
    found: ScoreNeeded | NoEstimate, *, system: str, rating: float, games: int
) -> Answer:
    """The score that a target takes, or that it is out of reach."""
    title = _("From {rating} in {games} ({system})").format(
        rating=exact_text(rating), games=counted(games, "game"), system=system
    )
    if isinstance(found, NoEstimate):
        return answer_without_number(title, found.reason)
    return Answer(
        title=title,
        figures=(
            (
                _("needed for {target}").format(target=exact_text(found.target)),
                score_of_text(found.score, games),
            ),
            (_("rating then"), exact_text(found.rating_after)),
            (_("change"), change_text(found.rating_after - rating)),
        ),
        notes=_target_notes(found),
    )


def _target_notes(found: ScoreNeeded) -> tuple[str, ...]:
    if found.score == 0:
        return (_("Every result reaches it."),)
    if found.only_total_counts:
        return (_("Against whom the points are made does not matter."),)
    return (
        _(
            "It matters against whom and in which order the points are made: this is for "
            "wins against the weakest opponents, and among equals for wins first."
        ),
    )
