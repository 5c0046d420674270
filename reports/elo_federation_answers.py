"""What federations' rules make of a list of games, in words."""

from __future__ import annotations

from pipeline.elo.cfc import CfcResult
from pipeline.elo.echecs_maths import CmaResult
from pipeline.elo.fide import FideGame, FidePeriod, FideRules, FirstRating, TimeControl
from pipeline.elo.fqe import FORMULA_NOT_PUBLIC
from pipeline.elo.uschess import UsChessResult
from pipeline.records import NoEstimate
from reports.elo_answer import Answer, AnswerTable, answer_without_number
from reports.elo_words import change_text, course_text, exact_text
from reports.words import counted, score_text

FQE_KNOWN = "What is known: FQE + 50 = CFC, used by: movelo elo convert 1800 fqe cfc"


def fide_answer(
    period: FidePeriod, *, rules: FideRules, control: TimeControl, supposed_experienced: bool
) -> Answer:
    """A FIDE rating period, and which rules were applied."""
    return Answer(
        title=f"FIDE {control}, rules of {rules.begins}",
        figures=(
            ("rating", course_text(period.rating_before, period.rating_after)),
            ("change", _rounding_text(period)),
            ("score", f"{score_text(period.score)} of {_rated(period)}"),
            ("expected score", f"{period.expected_score:.2f}"),
            ("K", _k_text(period)),
        ),
        table=AnswerTable(
            headings=("opponent", "score", "difference", "expected", "change"),
            lines=tuple(_fide_line(game) for game in period.games),
        ),
        notes=tuple(_fide_notes(period, rules, supposed_experienced)),
    )


def _rounding_text(period: FidePeriod) -> str:
    if period.unrounded_change == period.change:
        return change_text(period.change)
    return f"{change_text(period.change)}, rounded from {change_text(period.unrounded_change)}"


def _rated(period: FidePeriod) -> str:
    rated = sum(game.rated for game in period.games)
    left_out = len(period.games) - rated
    return f"{rated}" + (f" ({left_out} not rated)" if left_out else "")


def _k_text(period: FidePeriod) -> str:
    if period.k_used == period.k:
        return str(period.k)
    return f"{period.k_used} (of {period.k}: K times the games may not exceed 700)"


def _fide_line(game: FideGame) -> tuple[str, ...]:
    if not game.rated:
        return str(game.opponent_rating), score_text(game.score), "not rated", "", ""
    return (
        str(game.opponent_rating),
        score_text(game.score),
        change_text(game.counted_difference),
        f"{game.expected_score:.2f}",
        change_text(game.change),
    )


def _fide_notes(period: FidePeriod, rules: FideRules, supposed_experienced: bool) -> list[str]:
    notes = ["The period's sum is rounded once, half a point away from zero."]
    if supposed_experienced:
        notes.append("K for a player with 30 games or more; name fewer with --games-played.")
    if any(game.counted_difference in (400, -400) for game in period.games):
        notes.append("A difference of more than 400 points counts as 400.")
    if period.below_floor:
        notes.append(f"Under {rules.rating_floor} a rating is not published.")
    return notes


def fide_first_answer(found: FirstRating | NoEstimate, rules: FideRules) -> Answer:
    """A first FIDE rating, or why there is none."""
    title = f"First FIDE rating, rules of {rules.begins}"
    if isinstance(found, NoEstimate):
        return answer_without_number(title, found.reason)
    two_draws = " with two hypothetical draws against 1800"
    return Answer(
        title=title,
        figures=(
            ("first rating", str(found.rating)),
            ("average opponent", exact_text(found.average_opponent_rating)),
            ("difference", change_text(found.difference)),
        ),
        notes=(
            f"Average{two_draws if rules.first_rating_from_two_draws else ''}, and the difference "
            "that the score stands for.",
            *(("2200 is the highest first rating.",) if found.capped else ()),
        ),
    )


def cma_answer(found: CmaResult, games: int) -> Answer:
    """An Échecs et Maths event in its parts."""
    return Answer(
        title=f"Échecs et Maths (CMA), {counted(games, 'game')}",
        figures=(
            ("rating", course_text(found.rating_before, found.rating_after)),
            ("results and differences", change_text(found.base_change)),
            ("bonus", change_text(found.bonus)),
            ("2 points a game", change_text(found.participation)),
        ),
        notes=(
            "The 2 points a game follow the association's example; it says that they depend on "
            "the games since the start of the school year.",
        ),
    )


def cfc_answer(found: CfcResult, games: int) -> Answer:
    """A CFC event in its parts."""
    return Answer(
        title=f"CFC (Canada), {counted(games, 'game')}",
        figures=(
            ("rating", course_text(found.rating_before, found.rating_after)),
            ("score", f"{score_text(found.score)} of {games}"),
            ("expected score", f"{found.expected_score:.2f}"),
            ("K", exact_text(found.k)),
            ("change", change_text(found.change)),
            ("bonus for a new high", change_text(found.high_bonus)),
            ("bonus for the event", change_text(found.event_bonus)),
        ),
        notes=(
            "Values of 2012, which the Rating Auditor may have changed since."
            + (" Bonuses begin with 4 games." if found.threshold is None else ""),
        ),
    )


def uscf_answer(
    found: UsChessResult, games: int, *, bonus_threshold: float, floor: int | None
) -> Answer:
    """A US Chess event in its parts; `floor` is that of the peak rating, where it is known."""
    few = found.expected_score is None
    rated = max(found.rating_after, floor or 0)
    return Answer(
        title=f"US Chess, {counted(games, 'game')} after {found.prior_games:,}",
        figures=(
            ("rating", course_text(found.rating_before, rated)),
            ("score", f"{score_text(found.score)} of {games}"),
            *_uscf_parts(found),
            ("change", change_text(found.change)),
            ("bonus", change_text(found.bonus)),
        ),
        notes=(
            "The formula for up to 8 games before: the average of all games."
            if few
            else f"The bonus begins above {bonus_threshold:g} × √games.",
            *((f"The floor of {floor} holds.",) if floor and found.rating_after < floor else ()),
            "US Chess's own approximation; its full two-pass procedure may differ by a few points.",
        ),
    )


def _uscf_parts(found: UsChessResult) -> tuple[tuple[str, str], ...]:
    if found.expected_score is None or found.k is None:
        return ()
    return (("expected score", f"{found.expected_score:.2f}"), ("K", exact_text(found.k)))


def fqe_answer() -> Answer:
    """Why there is no FQE calculation."""
    return Answer(title="FQE (Quebec)", notes=(FORMULA_NOT_PUBLIC, FQE_KNOWN))
