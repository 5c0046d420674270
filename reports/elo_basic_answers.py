"""Elo's own arithmetic in words: expected scores, one game, a list of games."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.elo.logistic import ExpectedRow, GameLine, PeriodChange
from reports.elo_answer import Answer, AnswerTable
from reports.elo_words import change_text, course_text, exact_text, expected_text
from reports.words import outcome_word, score_text


def expected_answer(rating: float, opponent_rating: float, expected: float) -> Answer:
    """The expected score of one player against another; both sides of it."""
    return Answer(
        title=f"Expected score of {exact_text(rating)} against {exact_text(opponent_rating)}",
        figures=(
            ("expected score", expected_text(expected)),
            ("the opponent's", expected_text(1 - expected)),
        ),
        notes=("A draw counts half, so this is no probability of winning.",),
    )


def expected_table_answer(rows: Sequence[ExpectedRow]) -> Answer:
    """Expected scores by difference."""
    lines = tuple((str(row.difference), f"{row.higher:.4f}", f"{row.lower:.4f}") for row in rows)
    return Answer(
        title="Expected score by difference of ratings",
        table=AnswerTable(
            headings=("difference", "the higher rated", "the lower rated"), lines=lines
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
        title=f"One game of {exact_text(rating)} against {exact_text(opponent_rating)}",
        table=AnswerTable(
            headings=("result", "change", "new rating", "opponent's change", "new"), lines=lines
        ),
    )


def period_answer(period: PeriodChange, *, one_after_another: bool) -> Answer:
    """A list of games, with a line for each."""
    way = "one after another" if one_after_another else "as one rating period"
    return Answer(
        title=f"{len(period.games)} games {way}",
        figures=(
            ("rating", course_text(period.rating_before, period.rating_after)),
            ("change", change_text(period.change)),
            ("score", f"{score_text(period.score)} of {len(period.games)}"),
            ("expected score", f"{period.expected_score:.2f}"),
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
    return AnswerTable(headings=("opponent", "score", "from", "expected", "change"), lines=lines)
