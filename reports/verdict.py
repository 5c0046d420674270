"""Where the two views of a speed meet or part, in one sentence."""

from __future__ import annotations

from config.language import _
from config.localized import number_text
from pipeline.records import (
    NoEstimate,
    ResultEstimate,
    SpeedReport,
    StrengthRange,
)
from reports.terms import scale_name
from reports.words import (
    coverage_text,
    probability_text,
    range_text,
    reason_text,
    rounded_to_ten,
    strength_text,
)

_LIKELY_PROBABILITY = 0.9


def verdict(speed: SpeedReport) -> str:
    """Where the two views of one speed agree or part, claiming no more than is known.

    It argues from the probability that the moves stand above the results, where there are games
    enough for one; else from the ranges as shown (rounded), so that nobody sees ranges touch
    that the sentence calls apart.
    """
    result, strength = speed.result, speed.strength
    if isinstance(result, NoEstimate) or isinstance(strength, NoEstimate):
        return _verdict_with_a_gap(result, strength)
    results = range_text(result.performance_low, result.performance_high)
    both = _("Your results say {results}, your moves say {moves}").format(
        results=results, moves=strength_text(strength)
    )
    if result.scale != strength.scale:
        return _("{both}: two scales ({one} and {other}) that are not to be compared.").format(
            both=both, one=scale_name(result.scale), other=scale_name(strength.scale)
        )
    trends = speed.trends
    difference = trends if isinstance(trends, NoEstimate) else trends.difference
    comparison = (
        _comparison(result, strength)
        if isinstance(difference, NoEstimate)
        else _likely_comparison(difference.moves_above_probability)
    )
    return _("{both}: {comparison}").format(both=both, comparison=comparison)


def _likely_comparison(moves_above: float) -> str:
    if moves_above >= _LIKELY_PROBABILITY:
        said = _("you probably play better than you score (probability {probability}).")
    elif moves_above <= 1 - _LIKELY_PROBABILITY:
        said = _("you probably score better than you play (probability {probability}).")
        moves_above = 1 - moves_above
    else:
        said = _(
            "these games show no clear difference between the two (that you play better than "
            "you score has a probability of {probability})."
        )
    return said.format(probability=probability_text(moves_above))


def _comparison(result: ResultEstimate, strength: StrengthRange) -> str:
    moves_above = rounded_to_ten(strength.low) - rounded_to_ten(result.performance_high)
    results_above = rounded_to_ten(result.performance_low) - rounded_to_ten(strength.high)
    if moves_above <= 0 and results_above <= 0:
        return _("the ranges overlap, so these games show no clear difference between the two.")
    said = (
        _(
            "the ranges are {gap} points apart, which suggests that you moved better than "
            "you scored in these games. It is a hint, not a proof: each such range is expected "
            "to miss in {missed} of cases."
        )
        if moves_above > 0
        else _(
            "the ranges are {gap} points apart, which suggests that you scored better than "
            "you moved in these games. It is a hint, not a proof: each such range is expected "
            "to miss in {missed} of cases."
        )
    )
    missed = coverage_text(1 - result.coverage, 1 - strength.coverage)
    return said.format(gap=number_text(max(moves_above, results_above)), missed=missed)


def _verdict_with_a_gap(
    result: ResultEstimate | NoEstimate, strength: StrengthRange | NoEstimate
) -> str:
    if isinstance(result, ResultEstimate):
        said = range_text(result.performance_low, result.performance_high)
        return _("Your results say {range}. Your moves give no range: {reason}.").format(
            range=said, reason=reason_text(strength)
        )
    if isinstance(strength, StrengthRange):
        said = strength_text(strength)
        return _("Your moves say {range}. Your results give no range: {reason}.").format(
            range=said, reason=reason_text(result)
        )
    return _("Neither view gives a range. Results: {results}. Moves: {moves}.").format(
        results=reason_text(result), moves=reason_text(strength)
    )
