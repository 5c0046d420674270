"""What a report says in sentences: where the two views meet or part, what was left out,
what made the numbers, and what they cannot know.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from config.language import _, english, ngettext, retold
from config.localized import number_text
from pipeline.records import (
    GameReport,
    NoEstimate,
    PlayerReport,
    ResultEstimate,
    SetAside,
    SpeedReport,
    StrengthRange,
)
from reports.counts import counted
from reports.lines import sentence_part
from reports.terms import engine_text, scale_name
from reports.words import (
    coverage_text,
    probability_text,
    range_text,
    reason_text,
    rounded_to_ten,
    strength_text,
    told,
    views_text,
)

_LIKELY_PROBABILITY = 0.9

METHOD = (
    english(
        "Results: each game is compared with what the two ratings before it let one expect. The "
        "performance rating is the rating that fits the score best, its range the ratings that "
        "fit it well enough."
    ),
    english(
        "Luck: the chance of a score supposes that all ratings were right and that no game touched "
        "another; how often games are drawn is taken from these games."
    ),
    english(
        "Moves: a model fitted on real games compares each move, in its position, with how "
        "players of every rating move. It sees neither names, nor ratings, nor results."
    ),
    english(
        "A game's range is for that game alone; the range over many games is narrower, but it "
        "allows for good and bad days and for a style that the model misreads."
    ),
)
LIMITS = (
    english("One game proves little: its range is wide because there is that little to go by."),
    english(
        "A range is about the strength shown in these games, not about what you can or will play."
    ),
    english("A Lichess rating is itself uncertain by about 45–75 points."),
    english(
        "This is no cheat detector: moves far above or below a rating are no evidence of anything "
        "but those moves."
    ),
    english(
        "Accuracy and average centipawn loss depend on how hard the positions were and on the "
        "engine; they are shown for reference and are no measure of strength."
    ),
)


def method() -> tuple[str, ...]:
    """How the numbers are made, a sentence or two a view."""
    return tuple(map(retold, METHOD))


def limits() -> tuple[str, ...]:
    """What the numbers cannot know."""
    return tuple(map(retold, LIMITS))


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


def counted_games(speed: SpeedReport) -> str:
    """How many of the games stand behind each view, where it is not all of them."""
    result, strength = speed.result, speed.strength
    by_results = 0 if isinstance(result, NoEstimate) else result.games
    by_moves = 0 if isinstance(strength, NoEstimate) else strength.games
    said = ngettext(
        "results from {by_results} of {count} game; moves from {by_moves} of {count} game",
        "results from {by_results} of {count} games; moves from {by_moves} of {count} games",
        speed.games,
    )
    return said.format(
        by_results=number_text(by_results),
        by_moves=number_text(by_moves),
        count=number_text(speed.games),
    )


def opponents_statement(games: tuple[GameReport, ...]) -> str:
    """How many opponents were unusual and what the results make of them; empty if none."""
    kinds = Counter(kind for game in games if (kind := _opponent_kind(game)))
    if not kinds:
        return ""
    parts = (_opponents(kind, number) for kind, number in sorted(kinds.items()))
    said = _("Among the opponents in {games}: {kinds}.").format(
        games=counted(len(games), "game"), kinds=", ".join(parts)
    )
    fates = []
    if any(kind in _WITHOUT_RATING for kind in kinds):
        fates.append(_("Who has no rating is left out of the results."))
    if any(kind not in _WITHOUT_RATING for kind in kinds):
        fates.append(_("Bots and provisional ratings count like all others."))
    return " ".join((said, *fates))


_WITHOUT_RATING = ("computer", "anonymous", "without a rating")


def _opponents(kind: str, number: int) -> str:
    # English does not inflect these; others do.
    forms = {
        "anonymous": ngettext("{count} anonymous", "{count} anonymous", number),
        "bot": ngettext("{count} bot", "{count} bot", number),
        "computer": ngettext("{count} computer", "{count} computer", number),
        "without a rating": ngettext(
            "{count} without a rating", "{count} without a rating", number
        ),
        "with a provisional rating": ngettext(
            "{count} with a provisional rating", "{count} with a provisional rating", number
        ),
    }
    return forms[kind].format(count=number_text(number))


def _opponent_kind(game: GameReport) -> str | None:
    if game.color is None:
        return None
    player = game.side("black" if game.color == "white" else "white").player
    if player.computer_level is not None:
        return "computer"
    if player.name is None:
        return "anonymous"
    if player.rating is None:
        return "without a rating"
    if player.provisional:
        return "with a provisional rating"
    return "bot" if player.title == "BOT" else None


def engines_statement(games: tuple[GameReport, ...]) -> tuple[str, ...]:
    """Who evaluated how many games, and with what budget; most games first."""
    makers = Counter(engine_text(game.engine, game.limit) for game in games)
    return tuple(
        _("{games}: {maker}").format(games=counted(number, "game"), maker=maker)
        for maker, number in makers.most_common()
    )


def views_statement(games: tuple[GameReport, ...]) -> tuple[str, ...]:
    """Who looked at the moves of how many of the games that have a range; most games first."""
    views = Counter(said for game in games if (said := game_views(game)))
    return tuple(
        _("{games}: strength {views}").format(games=counted(number, "game"), views=said)
        for said, number in views.most_common()
    )


def game_views(game: GameReport) -> str:
    """Where a game's ranges come from, and what would make them narrower; empty without any."""
    ranges = [s for s in (game.white.strength, game.black.strength) if isinstance(s, StrengthRange)]
    if not ranges:
        return ""
    with_human_model = any(s.games_with_human_model for s in ranges)
    with_pairing = any(s.with_pairing for s in ranges)
    said = views_text(int(with_human_model), 1, with_pairing=with_pairing)
    if with_human_model:
        return said
    wider = (
        _("ranges are wider; `movelo model install` adds the human-move model")
        if game.human_model_missing
        else _("ranges are wider than with the human-move model")
    )
    joined = _("{views}; {wider}") if with_pairing else _("{views}: {wider}")
    return joined.format(views=said, wider=wider)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAsideGroup:
    """What was left out for one reason: where each of them stood."""

    reason: str
    places: tuple[str, ...]


def set_aside_groups(set_aside: tuple[SetAside, ...]) -> tuple[SetAsideGroup, ...]:
    """Grouped by reason, the largest group first; nobody is dropped."""
    places: dict[str, list[str]] = {}
    for item in set_aside:
        reason = sentence_part(told(item.reason))
        places.setdefault(reason, []).append(sentence_part(retold(item.where)))
    groups = (SetAsideGroup(reason=why, places=tuple(where)) for why, where in places.items())
    return tuple(sorted(groups, key=lambda group: -len(group.places)))


def strength_coverage(report: PlayerReport) -> str:
    """The coverage that the report's move-based ranges share: `80 %`; empty without any."""
    strengths = [side.strength for game in report.games for side in (game.white, game.black)]
    strengths += [speed.strength for speed in report.speeds]
    return coverage_text(*(s.coverage for s in strengths if isinstance(s, StrengthRange)))
