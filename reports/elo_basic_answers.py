"""Elo's own arithmetic in words: expected scores, one game, a list of games."""

from __future__ import annotations

from collections.abc import Sequence

from config.language import _
from config.localized import localized
from pipeline.elo.logistic import ExpectedRow, GameLine, PeriodChange
from reports.elo_answer import Answer, AnswerTable
from reports.elo_words import change_text, course_text, exact_text, expected_text
from reports.words import decimal_text, outcome_word, score_text


def expected_answer(rating: float, opponent_rating: float, expected: float) -> Answer:
    """The expected score of one player against another; both sides of it."""
    return Answer(
        title=_("Expected score of {rating} against {opponent_rating}").format(
            rating=exact_text(rating), opponent_rating=exact_text(opponent_rating)
        ),
        figures=(
            (_("expected score"), expected_text(expected)),
            (_("the opponent's"), expected_text(1 - expected)),
        ),
        notes=(_("A draw counts half, so this is no probability of winning."),),
    )


def expected_table_answer(rows: Sequence[ExpectedRow]) -> Answer:
    """Expected scores by difference."""
    lines = tuple(
        (str(row.difference), localized(f"{row.higher:.4f}"), localized(f"{row.lower:.4f}"))
        for row in rows
    )
    return Answer(
        title=_("Expected score by difference of ratings"),
        table=AnswerTable(
            headings=(_("difference"), _("the higher rated"), _("the lower rated")), lines=lines
        ),
    )


def change_answer(
    rating: float, opponent_rating: float, changes: Sequence[tuple[float, float, float]]
) -> Answer:
    """Score, own change and opponent's change for each result that was asked for."""
    lines = tuple(
        (
            outcome_word(score),
            change_text(own),
            exact_text(rating + own),
            change_text(other),
            exact_text(opponent_rating + other),
        )
        for score, own, other in changes
    )
    return Answer(
        title=_("One game of {rating} against {opponent_rating}").format(
            rating=exact_text(rating), opponent_rating=exact_text(opponent_rating)
        ),
        table=AnswerTable(
            headings=(_("result"), _("change"), _("new rating"), _("opponent's change"), _("new")),
            lines=lines,
        ),
    )


def period_answer(period: PeriodChange, *, one_after_another: bool) -> Answer:
    """A list of games, with a line for each."""
    said = (
        _("{number} games one after another")
        if one_after_another
        else _("{number} games as one rating period")
    )
    return Answer(
        title=said.format(number=len(period.games)),
        figures=(
            (_("rating"), course_text(period.rating_before, period.rating_after)),
            (_("change"), change_text(period.change)),
            (
                _("score"),
                _("{score} of {games}").format(
                    score=score_text(period.score), games=len(period.games)
                ),
            ),
            (_("expected score"), decimal_text(period.expected_score, 2)),
        ),
        table=_games_table(period.games),
    )


def _games_table(games: Sequence[GameLine]) -> AnswerTable:
    lines = tuple(
        (
            exact_text(game.opponent_rating),
            score_text(game.score),
            exact_text(game.rating_before),
            expected_text(game.expected_score),
            change_text(game.change),
        )
        for game in games
    )
    return AnswerTable(
        headings=(_("opponent"), _("score"), _("from"), _("expected"), _("change")), lines=lines
    )
