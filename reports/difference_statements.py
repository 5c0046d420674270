"""Where the points went, in sentences: what stands out, what happened, how far to trust it."""

from __future__ import annotations

from datetime import tzinfo

from config.language import _, ngettext
from config.localized import number_text
from pipeline.differences.thresholds import WINNING_PERCENT
from pipeline.records import (
    Chances,
    Differences,
    Ending,
    NoEstimate,
    SpeedReport,
    TurnedGame,
)
from reports.counts import counted
from reports.difference_claims import claim_sentence, glance_sentence
from reports.difference_words import ending_phrase, points_text
from reports.lines import one_line
from reports.words import (
    coverage_text,
    date_text,
    percent_text,
    probability_text,
    reason_text,
    score_text,
)


def glance(speed: SpeedReport) -> str:
    """Where most of what stands out was lost or won, in a few words; empty where nothing does."""
    found = speed.differences
    if isinstance(found, NoEstimate) or not found.claims:
        return ""
    return glance_sentence(found.claims[0])


def claim_statements(found: Differences | NoEstimate) -> tuple[str, ...]:
    """What stands out, most points first; or that nothing does, and why that may be."""
    if isinstance(found, NoEstimate):
        return (_("There is nothing to divide: {reason}.").format(reason=reason_text(found)),)
    if found.claims:
        return tuple(claim_sentence(claim) for claim in found.claims)
    if not found.comparisons:
        said = _("Too few games to tell what is chance: {games}, and {fewest} are needed.")
        games = counted(found.games, "game")
        return (said.format(games=games, fewest=number_text(found.fewest_games)),)
    return (_("Nothing stands out beyond chance: whatever differs may be luck."),)


def terminal_statements(found: Differences | NoEstimate) -> tuple[str, ...]:
    """The short form: what stands out, the sum of it all, and how much was looked at."""
    claims = claim_statements(found)
    if isinstance(found, NoEstimate):
        return claims
    return (*claims, _total(found), *trust_statements(found)[:1])


def fact_statements(found: Differences | NoEstimate, zone: tzinfo) -> tuple[str, ...]:
    """What happened, chance or not: the sum, winning positions, the clock, two games."""
    if isinstance(found, NoEstimate):
        return ()
    own, theirs = found.own_chances, found.opponents_chances
    said = [_total(found)]
    if isinstance(own, Chances) and isinstance(theirs, Chances):
        said += [_own_chances(own), _their_chances(theirs)]
    said += [_clock(found), _wasted(found.best_chance_wasted, zone)]
    said += [_escaped(found.worst_escaped, zone)]
    return tuple(sentence for sentence in said if sentence)


def trust_statements(found: Differences | NoEstimate) -> tuple[str, ...]:
    """How the figures are made, and how much was looked at to find what stands out."""
    if isinstance(found, NoEstimate) or not found.comparisons:
        return ()
    return (
        _looked_at(found),
        _(
            "All ranges of points are {coverage} ranges, games taken as independent of each other. "
            "Points of several sentences may be the same points: they are not to be added. A "
            "position counts as winning from winning chances of {winning} on, about three pawns."
        ).format(coverage=coverage_text(found.coverage), winning=percent_text(WINNING_PERCENT)),
    )


def _looked_at(found: Differences) -> str:
    return ngettext(
        "{comparisons} comparison was made, over {groups} groups; so much has to be beyond "
        "chance that an account without any peculiarity is told something in {rate} of cases at "
        "most. "
        "What stands out among many is on average less than it looks.",
        "{comparisons} comparisons were made, over {groups} groups; so much has to be beyond "
        "chance that an account without any peculiarity is told something in {rate} of cases at "
        "most. "
        "What stands out among many is on average less than it looks.",
        found.comparisons,
    ).format(
        comparisons=number_text(found.comparisons),
        groups=number_text(len(found.groups)),
        rate=probability_text(found.false_claim_rate),
    )


def _total(found: Differences) -> str:
    if not found.games_counted:
        return _(
            "No game has ratings and evaluations to its end: only results can be divided here."
        )
    return _(
        "In {games} with ratings and evaluations you scored {score} of an expected {expected}: "
        "{difference} points."
    ).format(
        games=counted(found.games_counted, "game"),
        score=score_text(found.score),
        expected=number_text(found.expected_score, 1),
        difference=points_text(found.score - found.expected_score),
    )


def _own_chances(chances: Chances) -> str:
    return _(
        "You stood winning in {games} and won {won}. The others: {at_the_board} slipped away at "
        "the board; {on_time} lost on time, {drawn} drawn, {resigned} given up while winning."
    ).format(games=counted(chances.reached, "game"), **_fates(chances))


def _their_chances(chances: Chances) -> str:
    return _(
        "Your opponents stood winning in {games} and won {won}. The others: {at_the_board} slipped "
        "away at the board; {on_time} lost on time, {drawn} drawn, {resigned} given up while "
        "winning."
    ).format(games=counted(chances.reached, "game"), **_fates(chances))


def _fates(chances: Chances) -> dict[str, str]:
    return {
        "won": number_text(chances.won),
        "at_the_board": number_text(chances.at_the_board),
        "on_time": number_text(chances.on_time),
        "drawn": number_text(chances.drawn),
        "resigned": number_text(chances.resigned),
    }


def _clock(found: Differences) -> str:
    """Also without evaluations."""
    for count in found.endings:
        if count.ending is Ending.CLOCK:
            return _(
                "Time ran out in {games}: you lost {losses} of them, won {wins}, drew {draws}."
            ).format(
                games=counted(count.wins + count.draws + count.losses, "game"),
                losses=number_text(count.losses),
                wins=number_text(count.wins),
                draws=number_text(count.draws),
            )
    return ""


def _wasted(game: TurnedGame | None, zone: tzinfo) -> str:
    if game is None:
        return ""
    return _(
        "The best chance that was not won: {percent} after move {move} against {opponent} on "
        "{day}, and {score} in the end, {how}."
    ).format(**_turned(game, zone))


def _escaped(game: TurnedGame | None, zone: tzinfo) -> str:
    if game is None:
        return ""
    return _(
        "The worst position that was not lost: {percent} after move {move} against {opponent} on "
        "{day}, and {score} in the end, {how}."
    ).format(**_turned(game, zone))


def _turned(game: TurnedGame, zone: tzinfo) -> dict[str, str]:
    return {
        "percent": percent_text(game.win_percent),
        "move": number_text((game.ply + 1) // 2),
        "opponent": one_line(game.opponent or _("an anonymous player"), 30),
        "day": date_text(game.created_at, zone),
        "score": score_text(game.score),
        "how": ending_phrase(game.ending),
    }
