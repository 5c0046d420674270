"""What a selection leaves out, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipeline.records import SetAside
from pipeline.selection import SelectedGames, Selection, is_from_elsewhere


def notes_on(selection: Selection, selected: SelectedGames) -> Iterator[str]:
    """A sentence for each kind of game that the selection itself leaves out."""
    passed_over = dict(selected.not_asked_for)
    if older := passed_over.pop("older", 0):
        yield (
            f"These are the newest {selection.last} games that fit; {older} older ones are known "
            "(--last N takes in more, --last 0 all)."
        )
    if casual := passed_over.pop("casual", 0):
        yield f"{casual} casual games were left out (--casual takes them in)."
    if passed_over:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(passed_over.items()))
        yield f"Not asked for and left out: {kinds}."
    if elsewhere := sum(is_from_elsewhere(game) for game, _ in selected.games):
        yield (
            f"{elsewhere} games are not from Lichess: the ratings in them are taken as they stand, "
            "on whatever scale that is."
        )
    if others := sum(game.variant != "standard" for game, _ in selected.games):
        yield (
            f"{others} Chess960 or from-position games are listed but not in the totals: "
            "they are not rated on the same scale."
        )


def nothing_left(
    selection: Selection, selected: SelectedGames, set_aside: Sequence[SetAside]
) -> str:
    """Why there is no report: what there was instead."""
    speeds = " or ".join(selection.speeds)
    other = [f"{count} {kind}" for kind, count in selected.not_asked_for.most_common(5)]
    if set_aside:
        first = set_aside[0]
        other.append(f"{len(set_aside)} set aside, the first: {first.where}: {first.reason}")
    instead = f" There were: {'; '.join(other)}." if other else ""
    return f"No {speeds} games of {selection.player} to report on.{instead}"
