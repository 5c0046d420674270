"""What federations' rules make of a list of games, in words."""

from __future__ import annotations

from config.language import _, english, retold
from config.localized import localized, number_text
from pipeline.elo.cfc import CfcResult
from pipeline.elo.echecs_maths import CmaResult
from pipeline.elo.fide import FideGame, FidePeriod, FideRules, FirstRating, TimeControl
from pipeline.elo.fqe import FORMULA_NOT_PUBLIC
from pipeline.elo.uschess import UsChessResult
from pipeline.records import NoEstimate
from reports.counts import counted
from reports.dates import localized_date
from reports.elo_answer import Answer, AnswerTable, answer_without_number
from reports.elo_words import change_text, course_text, exact_text
from reports.words import decimal_text, score_text

FQE_KNOWN = english("What is known: FQE + 50 = CFC, used by: movelo elo convert 1800 fqe cfc")


def fide_answer(
    period: FidePeriod, *, rules: FideRules, control: TimeControl, supposed_experienced: bool
) -> Answer:
    """A FIDE rating period, and which rules were applied."""
    return Answer(
        title=_("FIDE {control}, rules of {begins}").format(
            control=retold(control), begins=localized_date(rules.begins, "short")
        ),
        figures=(
            (_("rating"), course_text(period.rating_before, period.rating_after)),
            (_("change"), _rounding_text(period)),
            (
                _("score"),
                _("{score} of {games}").format(
                    score=score_text(period.score), games=_rated(period)
                ),
            ),
            (_("expected score"), decimal_text(period.expected_score, 2)),
            (_("K"), _k_text(period)),
        ),
        table=AnswerTable(
            headings=(_("opponent"), _("score"), _("difference"), _("expected"), _("change")),
            lines=tuple(_fide_line(game) for game in period.games),
        ),
        notes=tuple(_fide_notes(period, rules, supposed_experienced)),
    )


def _rounding_text(period: FidePeriod) -> str:
    if period.unrounded_change == period.change:
        return change_text(period.change)
    return _("{change}, rounded from {unrounded_change}").format(
        change=change_text(period.change), unrounded_change=change_text(period.unrounded_change)
    )


def _rated(period: FidePeriod) -> str:
    rated = sum(game.rated for game in period.games)
    left_out = len(period.games) - rated
    if not left_out:
        return str(rated)
    return _("{rated} ({left_out} not rated)").format(rated=rated, left_out=left_out)


def _k_text(period: FidePeriod) -> str:
    if period.k_used == period.k:
        return str(period.k)
    return _("{k_used} (of {k}: K times the games may not exceed 700)").format(
        k_used=period.k_used, k=period.k
    )


def _fide_line(game: FideGame) -> tuple[str, ...]:
    if not game.rated:
        return str(game.opponent_rating), score_text(game.score), _("not rated"), "", ""
    return (
        str(game.opponent_rating),
        score_text(game.score),
        change_text(game.counted_difference),
        decimal_text(game.expected_score, 2),
        change_text(game.change),
    )


def _fide_notes(period: FidePeriod, rules: FideRules, supposed_experienced: bool) -> list[str]:
    notes = [_("The period's sum is rounded once, half a point away from zero.")]
    if supposed_experienced:
        notes.append(_("K for a player with 30 games or more; name fewer with --games-played."))
    if any(game.counted_difference in (400, -400) for game in period.games):
        notes.append(_("A difference of more than 400 points counts as 400."))
    if period.below_floor:
        notes.append(
            _("Under {rating_floor} a rating is not published.").format(
                rating_floor=rules.rating_floor
            )
        )
    return notes


def fide_first_answer(found: FirstRating | NoEstimate, rules: FideRules) -> Answer:
    """A first FIDE rating, or why there is none."""
    title = _("First FIDE rating, rules of {begins}").format(
        begins=localized_date(rules.begins, "short")
    )
    if isinstance(found, NoEstimate):
        return answer_without_number(title, found.reason)
    return Answer(
        title=title,
        figures=(
            (_("first rating"), str(found.rating)),
            (_("average opponent"), exact_text(found.average_opponent_rating)),
            (_("difference"), change_text(found.difference)),
        ),
        notes=(
            _(
                "Average with two hypothetical draws against 1800, and the difference that the "
                "score stands for."
            )
            if rules.first_rating_from_two_draws
            else _("Average, and the difference that the score stands for."),
            *((_("2200 is the highest first rating."),) if found.capped else ()),
        ),
    )


def cma_answer(found: CmaResult, games: int) -> Answer:
    """An Échecs et Maths event in its parts."""
    return Answer(
        title=_("Échecs et Maths (CMA), {games}").format(games=counted(games, "game")),
        figures=(
            (_("rating"), course_text(found.rating_before, found.rating_after)),
            (_("results and differences"), change_text(found.base_change)),
            (_("bonus"), change_text(found.bonus)),
            (_("2 points a game"), change_text(found.participation)),
        ),
        notes=(
            _(
                "The 2 points a game follow the association's example; it says that they "
                "depend on the games since the start of the school year."
            ),
        ),
    )


def cfc_answer(found: CfcResult, games: int) -> Answer:
    """A CFC event in its parts."""
    return Answer(
        title=_("CFC (Canada), {games}").format(games=counted(games, "game")),
        figures=(
            (_("rating"), course_text(found.rating_before, found.rating_after)),
            (
                _("score"),
                _("{score} of {games}").format(score=score_text(found.score), games=games),
            ),
            (_("expected score"), decimal_text(found.expected_score, 2)),
            (_("K"), exact_text(found.k)),
            (_("change"), change_text(found.change)),
            (_("bonus for a new high"), change_text(found.high_bonus)),
            (_("bonus for the event"), change_text(found.event_bonus)),
        ),
        notes=(
            _("Values of 2012, which the Rating Auditor may have changed since.")
            if found.threshold is not None
            else _(
                "Values of 2012, which the Rating Auditor may have changed since. Bonuses begin "
                "with 4 games."
            ),
        ),
    )


def uscf_answer(
    found: UsChessResult, games: int, *, bonus_threshold: float, floor: int | None
) -> Answer:
    """A US Chess event in its parts; `floor` is that of the peak rating, where it is known."""
    few = found.expected_score is None
    rated = max(found.rating_after, floor or 0)
    return Answer(
        title=_("US Chess, {games} after {prior_games}").format(
            games=counted(games, "game"), prior_games=number_text(found.prior_games)
        ),
        figures=(
            (_("rating"), course_text(found.rating_before, rated)),
            (
                _("score"),
                _("{score} of {games}").format(score=score_text(found.score), games=games),
            ),
            *_uscf_parts(found),
            (_("change"), change_text(found.change)),
            (_("bonus"), change_text(found.bonus)),
        ),
        notes=(
            _("The formula for up to 8 games before: the average of all games.")
            if few
            else _("The bonus begins above {bonus_threshold} × √games.").format(
                bonus_threshold=localized(f"{bonus_threshold:g}")
            ),
            *(
                (_("The floor of {floor} holds.").format(floor=floor),)
                if floor and found.rating_after < floor
                else ()
            ),
            _(
                "US Chess's own approximation; its full two-pass procedure may differ by a "
                "few points."
            ),
        ),
    )


def _uscf_parts(found: UsChessResult) -> tuple[tuple[str, str], ...]:
    if found.expected_score is None or found.k is None:
        return ()
    return (
        (_("expected score"), decimal_text(found.expected_score, 2)),
        (_("K"), exact_text(found.k)),
    )


def fqe_answer() -> Answer:
    """Why there is no FQE calculation."""
    return Answer(title=_("FQE (Quebec)"), notes=(retold(FORMULA_NOT_PUBLIC), retold(FQE_KNOWN)))
