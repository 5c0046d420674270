"""Glicko-1, Lichess's Glicko-2 and its replay, in words."""

from __future__ import annotations

from config.language import _
from config.localized import localized, number_text
from pipeline.elo.glicko1 import GlickoRating
from pipeline.elo.lichess_games import LichessGames
from pipeline.elo.lichess_glicko2 import is_provisional
from pipeline.elo.lichess_replay import Replay
from pipeline.records import NoEstimate
from reports.counts import counted
from reports.elo_answer import Answer, AnswerTable, answer_without_number
from reports.elo_words import change_text, course_text, exact_text
from reports.lines import one_line, sentence_part
from reports.terms import color_name, scale_name
from reports.words import percent_text, score_text, told


def glicko1_answer(before: GlickoRating, after: GlickoRating, games: int) -> Answer:
    """One Glicko-1 rating period."""
    return Answer(
        title=_("Glicko-1, {games} as one rating period").format(games=counted(games, "game")),
        figures=(
            (_("rating"), course_text(before.rating, after.rating)),
            (_("deviation"), course_text(before.deviation, after.deviation)),
            (_("95 % interval"), _interval(after.rating, after.deviation)),
        ),
        notes=(
            _(
                "Chess.com rates with Glicko too, but keeps its c, its rating period and its "
                "smallest deviation to itself: its numbers cannot be had exactly."
            ),
        ),
    )


def _interval(rating: float, deviation: float) -> str:
    # Glickman: rating ± 1.96 deviations.
    return _("{low} to {high}").format(
        low=exact_text(rating - 1.96 * deviation), high=exact_text(rating + 1.96 * deviation)
    )


def lichess_answer(found: LichessGames, *, days: float) -> Answer:
    """Rated Lichess games one after another."""
    before, after = found.before, found.after
    return Answer(
        title=_("Lichess {perf}, {games}").format(
            perf=found.perf, games=counted(len(found.games), "rated game")
        ),
        figures=(
            (_("shown rating"), f"{_shown(before.rating)} → {_shown(after.rating)}"),
            (_("rating"), course_text(before.rating, after.rating)),
            (
                _("deviation"),
                course_text(before.deviation, after.deviation) + _mark(after.deviation),
            ),
            (_("volatility"), localized(f"{before.volatility:.6f} → {after.volatility:.6f}")),
        ),
        table=AnswerTable(
            headings=(_("opponent"), _("score"), _("change"), _("rating"), _("deviation")),
            lines=tuple(
                (
                    f"{exact_text(game.opponent_rating)}/{exact_text(game.opponent_deviation)}",
                    score_text(game.score),
                    change_text(game.rating_diff),
                    exact_text(game.after.rating),
                    exact_text(game.after.deviation),
                )
                for game in found.games
            ),
        ),
        notes=tuple(_lichess_notes(found, days)),
    )


def _shown(rating: float) -> str:
    return str(int(rating))


def _mark(deviation: float) -> str:
    return _(" (provisional, shown with ?)") if is_provisional(deviation) else ""


def _lichess_notes(found: LichessGames, days: float) -> list[str]:
    notes = [
        _(
            "Lichess does not tell an opponent's deviation with a game; it is what you gave "
            "after / or with --opponent-rd."
        )
    ]
    if days:
        notes.append(
            _("The deviation before the first game has grown for {days} days.").format(
                days=localized(f"{days:g}")
            )
        )
    if found.color is None:
        notes.append(_("No colour given: White's advantage is left out (--color white or black)."))
    else:
        notes.append(_("All games with {color}.").format(color=color_name(found.color)))
    return notes


def replay_answer(player: str, found: Replay | NoEstimate, perf: str) -> Answer:
    """A history beside Lichess's own changes: how often they agree."""
    title = _("{player}’s {scale} history, recomputed").format(
        player=one_line(player), scale=scale_name(f"lichess_{perf}")
    )
    if isinstance(found, NoEstimate):
        return answer_without_number(title, found.reason)
    worst = max(found.games, key=lambda game: abs(game.predicted_diff - game.recorded_diff))
    difference = abs(worst.predicted_diff - worst.recorded_diff)
    left_out = len(found.set_aside)
    return Answer(
        title=title,
        figures=(
            (_("same change as Lichess"), _share(found.share_exact)),
            (_("within 1 point"), _share(found.share_within_1)),
            (_("within 3 points"), _share(found.share_within_3)),
            (_("games"), number_text(len(found.games))),
            (
                _("furthest apart"),
                _("{points}, in game {game_id}").format(
                    points=counted(difference, "point"), game_id=one_line(worst.game_id)
                ),
            ),
        ),
        notes=(
            f"{sentence_part(told(found.note))}.",
            *(
                (_("{games} had nothing to compare with.").format(games=counted(left_out, "game")),)
                if left_out
                else ()
            ),
        ),
    )


def _share(share: float) -> str:
    return percent_text(100 * share)
