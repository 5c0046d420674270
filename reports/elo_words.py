"""How ratings that were calculated, changes and scores of lists are written."""

from __future__ import annotations

from config.language import _
from config.localized import localized
from pipeline.records import NoEstimate
from reports.words import reason_text


def exact_text(rating: float) -> str:
    """`1501.43`, `1501`: to a hundredth, no more decimals than there are."""
    written = f"{round(rating, 2):.2f}".removesuffix("0").removesuffix("0").removesuffix(".")
    return localized(written)


def change_text(change: float) -> str:
    """`+7.2`, `−8.57`, `0`: signed, to a hundredth."""
    size = exact_text(abs(change))
    if size == "0":
        return "0"
    return f"{'+' if change > 0 else '−'}{size}"


def course_text(before: float, after: float) -> str:
    """`1500 → 1501.43`."""
    return f"{exact_text(before)} → {exact_text(after)}"


def expected_text(score: float) -> str:
    """`0.6401` for one game, `1.43` points for several: four digits."""
    return localized(f"{score:.4f}" if score < 1 else f"{score:.2f}")


def number_or_reason(value: float | NoEstimate) -> str:
    """The rating to a hundredth, or why there is none."""
    if isinstance(value, NoEstimate):
        return _("none: {reason}").format(reason=reason_text(value))
    return exact_text(value)
