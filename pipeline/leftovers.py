"""What a selection leaves out, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from config.language import _, english, retold
from pipeline.records import SetAside
from pipeline.selection import SelectedGames, Selection, is_from_elsewhere


def notes_on(selection: Selection, selected: SelectedGames) -> Iterator[str]:
    """A sentence for each kind of game that the selection itself leaves out."""
    passed_over = dict(selected.not_asked_for)
    if older := passed_over.pop("older", 0):
        yield (
            english(
                "These are the newest {last} games that fit; {older} older ones are known and can "
                "be asked for."
            ).format(last=selection.last, older=older)
        )
    if casual := passed_over.pop("casual", 0):
        yield english("{casual} casual games were left out; they can be asked for.").format(
            casual=casual
        )
    if passed_over:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(passed_over.items()))
        yield english("Not asked for and left out: {kinds}.").format(kinds=kinds)
    if elsewhere := sum(is_from_elsewhere(game) for game, _ in selected.games):
        yield (
            english(
                "{elsewhere} games are not from Lichess: the ratings in them are taken as "
                "they stand, on whatever scale that is."
            ).format(elsewhere=elsewhere)
        )
    if others := sum(game.variant != "standard" for game, _ in selected.games):
        yield (
            english(
                "{others} Chess960 or from-position games are listed but not in the totals: "
                "they are not rated on the same scale."
            ).format(others=others)
        )


def nothing_left(
    selection: Selection, selected: SelectedGames, set_aside: Sequence[SetAside]
) -> str:
    """Why there is no report: what there was instead."""
    said = _("No {speeds} games of {player} to report on.").format(
        speeds=_(" or ").join(map(retold, selection.speeds)), player=selection.player
    )
    other = [f"{count} {retold(kind)}" for kind, count in selected.not_asked_for.most_common(5)]
    if set_aside:
        first = set_aside[0]
        other.append(
            _("{count} set aside, the first: {where}: {reason}").format(
                count=len(set_aside), where=retold(first.where), reason=retold(first.reason)
            )
        )
    if not other:
        return said
    return f"{said} " + _("There were: {kinds}.").format(kinds="; ".join(other))
