"""Rounding and words: how movelo writes ratings, ranges, scores, percentages and dates.

Ratings that were estimated are rounded to 10 and shown as ranges; ratings that Lichess
gave are shown as they are. Every display uses these, so that they agree.
"""

from __future__ import annotations

import math
from datetime import datetime, tzinfo

from config.language import _, english, retold
from config.localized import localized, number_text
from pipeline.records import NoEstimate, StrengthRange
from pipeline.records.zones import zone_name
from reports.dates import localized_date
from reports.lines import ABSENT, sentence_part

# --- ratings and ranges --------------------------------------------------------------------


def rounded_to_ten(rating: float) -> int:
    """The nearest ten, halves upwards: 1475 becomes 1480."""
    return math.floor(rating / 10 + 0.5) * 10


def range_text(low: float, high: float) -> str:
    """`1,480–1,790`: both ends rounded to 10."""
    return f"{number_text(rounded_to_ten(low))}–{number_text(rounded_to_ten(high))}"


def strength_text(strength: StrengthRange | NoEstimate) -> str:
    """A strength as a range, never as a point; a dash when there is none."""
    if isinstance(strength, NoEstimate):
        return ABSENT
    return range_text(strength.low, strength.high)


def views_text(with_human_model: int, games: int, *, with_pairing: bool = False) -> str:
    """Who looked at the moves of `games` games, the human-move model at some or all of them."""
    paired = f"; {retold(WITH_PAIRING)}" if with_pairing else ""
    if not with_human_model:
        said = _("from Stockfish's view alone")
    elif with_human_model == games:
        said = _("from Stockfish's view and a human-move model")
    else:
        said = _("from Stockfish's view and, in {some} of {all} games, a human-move model").format(
            some=number_text(with_human_model), all=number_text(games)
        )
    return said + paired


WITH_PAIRING = english("with the pairing: also from the opponents' moves")


def reason_text(estimate: object) -> str:
    """Why there is no estimate; empty when there is one."""
    return sentence_part(told(estimate.reason)) if isinstance(estimate, NoEstimate) else ""


def told(kept: str) -> str:
    """A sentence that a record keeps in English, in the reader's language."""
    plain = kept.rstrip(".\n")
    said = retold(plain)
    # Whole sentences stand in the catalogues with their full stop.
    return said if said != plain else retold(kept).rstrip(".\n")


def rating_text(rating: float | None, *, provisional: bool = False) -> str:
    """`1,834`, or `1,834?` when provisional (Lichess's own sign); a dash when unknown."""
    if rating is None:
        return ABSENT
    return f"{number_text(math.floor(rating + 0.5))}{'?' if provisional else ''}"


def coverage_text(*coverages: float) -> str:
    """`80 %` from 0.8; `80–90 %` when the coverages (0 to 1) differ; empty for none."""
    percents = sorted({round(100 * coverage, 1) for coverage in coverages})
    if not percents:
        return ""
    ends = (percents[0],) if len(percents) == 1 else (percents[0], percents[-1])
    return percentage("–".join(f"{percent:g}" for percent in ends))


# --- scores and percentages ----------------------------------------------------------------


def score_text(score: float | None) -> str:
    """`12½`, `½`, `0`; a dash when there is no result."""
    if score is None:
        return ABSENT
    whole, half = divmod(round(2 * score), 2)
    if not half:
        return number_text(whole)
    return f"{number_text(whole)}½" if whole else "½"


def score_of_text(score: float, games: int) -> str:
    """`12½/20`."""
    return f"{score_text(score)}/{number_text(games)}"


def outcome_word(score: float | None) -> str:
    """What one game's score (0, ½, 1) is called."""
    if score is None:
        return _("no result")
    return {0.0: _("loss"), 0.5: _("draw"), 1.0: _("win")}[score]


def decimal_text(value: float | None, places: int) -> str:
    """`0.57`; a dash when unknown."""
    return ABSENT if value is None else number_text(value, places)


def percent_text(percent: float | None) -> str:
    """`84 %` from a percentage of 0 to 100; a dash when unknown."""
    return ABSENT if percent is None else percentage(f"{math.floor(percent + 0.5)}")


def percent_number_text(percent: float | None) -> str:
    """`84` from 84.2, where a heading says that these are percentages; a dash when unknown."""
    return ABSENT if percent is None else f"{math.floor(percent + 0.5)}"


def probability_text(probability: float) -> str:
    """`38 %` from 0.384; finer below 10 %, and never a bare 0 % or 100 %."""
    percent = 100 * probability
    if percent < 0.1:
        return _("under {percent}").format(percent=percentage("0.1"))
    if percent > 99.9:
        return _("over {percent}").format(percent=percentage("99.9"))
    return percentage(f"{percent:.1f}" if percent < 9.95 or percent > 99 else f"{percent:.0f}")


def percentage(written: str) -> str:
    """`84 %` from `84`, `83 ± 2 %` from `83 ± 2`."""
    return _("{number} %").format(number=localized(written))


# --- dates ---------------------------------------------------------------------------------


def date_text(when: datetime, zone: tzinfo) -> str:
    """`2026-03-14`, `14/03/2026`: the day in `zone`, as short as the language has it."""
    return localized_date(when.astimezone(zone).date(), "short")


def long_date_text(when: datetime, zone: tzinfo) -> str:
    """`14 March 2026`, the day in `zone`."""
    return localized_date(when.astimezone(zone).date(), "long")


def period_text(first: datetime, last: datetime, zone: tzinfo) -> str:
    """`3 January – 14 March 2026`; one date when both fall on the same day."""
    start, end = first.astimezone(zone).date(), last.astimezone(zone).date()
    if start == end:
        return long_date_text(last, zone)
    begins = localized_date(start, "without year" if start.year == end.year else "long")
    return f"{begins} – {long_date_text(last, zone)}"


def zone_text(zone: tzinfo, when: datetime) -> str:
    """`UTC`, `Europe/Berlin`, or what the zone calls itself on that day."""
    return retold(zone_name(zone, when))
