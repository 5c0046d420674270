"""One sentence for each claim on where the points went, with its games and its interval."""

from __future__ import annotations

from config.language import _, ngettext
from config.localized import number_text
from pipeline.records import (
    Aspect,
    ChancesClaim,
    Claim,
    DifferenceGroup,
    Figure,
    GroupClaim,
    Measured,
    NoEstimate,
    Part,
    PartClaim,
)
from reports.counts import counted
from reports.difference_words import group_name, points_text, size_text
from reports.words import percent_text, percentage, rounded_to_ten


def claim_sentence(claim: Claim) -> str:
    """What happened in how many games, then what that cost or won."""
    if isinstance(claim, GroupClaim):
        return _about_group(claim)
    fact = _about_chances(claim) if isinstance(claim, ChancesClaim) else _about_part(claim)
    return f"{fact} {_worth(claim.points, claim.rating_points)}"


def glance_sentence(claim: Claim) -> str:
    """The first of the claims in a few words, for the top of a page."""
    size = _size(claim.points)
    if claim.points.value < 0:
        return _("Most of what stands out was lost here: {where} ({points} points).").format(
            where=_where(claim), points=size
        )
    return _("Most of what stands out was won here: {where} ({points} points).").format(
        where=_where(claim), points=size
    )


def _where(claim: Claim) -> str:
    if isinstance(claim, ChancesClaim):
        return _("winning positions at the board")
    if isinstance(claim, PartClaim):
        return {
            Part.CLOCK: _("on the clock"),
            Part.RESIGNATION: _("by resignations"),
            Part.DRAW: _("by draws"),
        }[claim.part]
    name = group_name(claim.group)
    return name[:1].lower() + name[1:]


def _about_part(claim: PartClaim) -> str:
    if claim.part is Part.CLOCK:
        return _about_clock(claim)
    if claim.part is Part.DRAW:
        return _about_draws(claim)
    return ngettext(
        "You resigned {own} of {games} game, with winning chances of {own_percent} on average, "
        "your opponents {theirs} with {their_percent}.",
        "You resigned {own} of {games} games, with winning chances of {own_percent} on average, "
        "your opponents {theirs} with {their_percent}.",
        claim.games,
    ).format(**_numbers(claim))


def _about_clock(claim: PartClaim) -> str:
    return ngettext(
        "In {own} of {games} game your time ran out in a position worth more than the result "
        "({own_winning} of them winning); in {theirs} your opponents’ did ({their_winning} "
        "winning).",
        "In {own} of {games} games your time ran out in a position worth more than the result "
        "({own_winning} of them winning); in {theirs} your opponents’ did ({their_winning} "
        "winning).",
        claim.games,
    ).format(**_numbers(claim))


def _about_draws(claim: PartClaim) -> str:
    return ngettext(
        "In {own} of {games} game you drew while standing better ({own_winning} of them "
        "winning); in {theirs} your opponents did ({their_winning} winning).",
        "In {own} of {games} games you drew while standing better ({own_winning} of them "
        "winning); in {theirs} your opponents did ({their_winning} winning).",
        claim.games,
    ).format(**_numbers(claim))


def _numbers(claim: PartClaim) -> dict[str, str]:
    return {
        "own": number_text(claim.own),
        "own_winning": number_text(claim.own_winning),
        "own_percent": percent_text(claim.own_win_percent),
        "theirs": number_text(claim.theirs),
        "their_winning": number_text(claim.their_winning),
        "their_percent": percent_text(claim.their_win_percent),
        "games": number_text(claim.games),
    }


def _about_chances(claim: ChancesClaim) -> str:
    own, theirs = claim.own, claim.theirs
    return _(
        "Of {games} in which you stood winning, {own} slipped away at the board; of your "
        "opponents’ {their_games}, {theirs} did."
    ).format(
        games=counted(own.reached, "game"),
        own=number_text(own.at_the_board),
        their_games=number_text(theirs.reached),
        theirs=number_text(theirs.at_the_board),
    )


def _about_group(claim: GroupClaim) -> str:
    if claim.figure is Figure.MOVES:
        return _about_moves(claim)
    measured = claim.group.result if claim.figure is Figure.RESULT else claim.group.end
    value = measured.value if isinstance(measured, Measured) else claim.rest
    said = (
        _(
            "{group} ({games}) your score is {value} a game against what is foreseen, "
            "{elsewhere} {rest}."
        )
        if claim.figure is Figure.RESULT
        else _(
            "{group} ({games}) you score {value} a game against what the last position is "
            "worth, {elsewhere} {rest}."
        )
    )
    fact = said.format(
        group=group_name(claim.group),
        games=counted(claim.group.games, "game"),
        value=points_text(value, 2),
        elsewhere=_elsewhere(claim.group),
        rest=points_text(claim.rest, 2),
    )
    return f"{fact} {_worth(claim.points, None)}"


def _elsewhere(group: DifferenceGroup) -> str:
    if group.aspect is Aspect.OPENING:
        return _("in your other games with that colour")
    return _("in your other games")


def _about_moves(claim: GroupClaim) -> str:
    measured = claim.group.loss_per_move
    value = measured.value if isinstance(measured, Measured) else claim.rest
    fact = _(
        "{group} ({moves}) a move of yours loses {value} of winning chances; by what your "
        "opponents lose there, and you elsewhere, it would be {rest}."
    ).format(
        group=group_name(claim.group),
        moves=counted(claim.group.moves, "own move"),
        value=percentage(f"{value:.1f}"),
        rest=percentage(f"{claim.rest:.1f}"),
    )
    return f"{fact} {_worth(claim.points, None)}"


def _worth(points: Measured, rating: Measured | NoEstimate | None) -> str:
    size, interval = _size(points), size_text(points)
    if not isinstance(rating, Measured):
        if points.value < 0:
            return _("That cost {points} points ({interval}).").format(
                points=size, interval=interval
            )
        return _("That won {points} points ({interval}).").format(points=size, interval=interval)
    shift = number_text(abs(rounded_to_ten(rating.value)))
    if points.value < 0:
        return _(
            "That cost {points} points ({interval}), about {rating} of performance rating."
        ).format(points=size, interval=interval, rating=shift)
    return _("That won {points} points ({interval}), about {rating} of performance rating.").format(
        points=size, interval=interval, rating=shift
    )


def _size(points: Measured) -> str:
    return number_text(abs(points.value), 1)
