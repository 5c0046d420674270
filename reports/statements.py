"""What a report says of its games in sentences: what counts, what was left out, who evaluated."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from config.language import _, ngettext, retold
from config.localized import number_text
from pipeline.records import (
    GameReport,
    NoEstimate,
    PlayerReport,
    SetAside,
    SpeedReport,
    StrengthRange,
)
from reports.counts import counted
from reports.lines import sentence_part
from reports.terms import engine_text
from reports.words import (
    coverage_text,
    told,
    views_text,
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
    player = game.opponent(game.color).player
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
