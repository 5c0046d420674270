"""A rating on another scale: always a range, and only where something is known."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor

from config.errors import InputError
from config.language import _, english
from pipeline.elo.played import check_rating
from pipeline.elo.rating_maps import RATING_MAPS, RatingMap
from pipeline.records import NoEstimate

SCALES = tuple(dict.fromkeys(scale for known in RATING_MAPS for scale in known.scales))
"""The names of all scales between which ratings can be converted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversionStep:
    """One map that was used on the way from scale to scale."""

    from_scale: str
    to_scale: str
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherSource:
    """What another source says about the same conversion; `rating` is its middle."""

    source: str
    as_of: str
    rating: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """`rating` on `from_scale` is typically `low` to `high` on `to_scale`, or wider still.

    `steps` name the sources, in the order in which they were used; `others` those that know
    the same pair of scales and were not.
    """

    from_scale: str
    to_scale: str
    rating: float
    low: float
    high: float
    steps: tuple[ConversionStep, ...]
    others: tuple[OtherSource, ...]


def convert(rating: float, *, from_scale: str, to_scale: str) -> Conversion | NoEstimate:
    """The range of ratings on `to_scale` that are typical of players with `rating`.

    Interpolated linearly between the numbers of `pipeline.elo.rating_maps`, never beyond them:
    outside, the reason names the range that is known. Where no source knows both scales, the
    fewest steps between them are taken, and their uncertainties add up. Raises InputError for
    a scale that is none of `SCALES`, and for one scale named twice.
    """
    check_rating(rating)
    route = _route(_known(from_scale), _known(to_scale))
    start, end = _known_range(route)
    if not start <= rating <= end:
        return NoEstimate(reason=_unknown_at(rating, from_scale, to_scale, start, end))
    low = high = rating
    for step in route:
        low, high = step.lowest(low), step.highest(high)
    width = sum(step.known.uncertainty for step in route)
    return Conversion(
        from_scale=from_scale,
        to_scale=to_scale,
        rating=rating,
        low=low - width,
        high=high + width,
        steps=tuple(_step_record(step) for step in route),
        others=tuple(_others(rating, route)),
    )


# --- one step: a curve between two scales ----------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    known: RatingMap
    from_scale: str
    to_scale: str

    def points(self) -> tuple[tuple[float, float], ...]:
        start, end = (self.known.scales.index(s) for s in (self.from_scale, self.to_scale))
        pairs = ((row[start], row[end]) for row in self.known.rows)
        return tuple((x, y) for x, y in pairs if x is not None and y is not None)

    def lowest(self, rating: float) -> float:
        return min(self._values(rating))

    def highest(self, rating: float) -> float:
        return max(self._values(rating))

    def _values(self, rating: float) -> Iterator[float]:
        """More than one where a scale stands still while the other one moves on."""
        for (x0, y0), (x1, y1) in pairwise(self.points()):
            if x0 <= rating <= x1:
                yield from (y0, y1) if x0 == x1 else (y0 + (y1 - y0) * (rating - x0) / (x1 - x0),)

    def back(self) -> _Step:
        return replace(self, from_scale=self.to_scale, to_scale=self.from_scale)


def _step_record(step: _Step) -> ConversionStep:
    return ConversionStep(
        from_scale=step.from_scale,
        to_scale=step.to_scale,
        source=step.known.source,
        as_of=step.known.as_of,
    )


def _steps_from(scale: str) -> Iterator[_Step]:
    for known in RATING_MAPS:
        if scale in known.scales:
            reached = known.scales[1:] if known.one_way else known.scales
            if not known.one_way or scale == known.scales[0]:
                for other in reached:
                    if other != scale:
                        yield _Step(known=known, from_scale=scale, to_scale=other)


# --- from scale to scale ---------------------------------------------------------------------


def _route(from_scale: str, to_scale: str) -> tuple[_Step, ...]:
    """The fewest steps; among equals, the maps in their order."""
    if from_scale == to_scale:
        raise InputError(
            _("{from_scale} is one scale, not two: name the one to convert to.").format(
                from_scale=from_scale
            )
        )
    waiting = deque[tuple[_Step, ...]]([()])
    seen = {from_scale}
    while waiting:
        route = waiting.popleft()
        for step in _steps_from(route[-1].to_scale if route else from_scale):
            if step.to_scale == to_scale:
                return (*route, step)
            if step.to_scale not in seen:
                seen.add(step.to_scale)
                waiting.append((*route, step))
    raise AssertionError("every scale can be reached from every other")


def _known_range(route: tuple[_Step, ...]) -> tuple[float, float]:
    """The whole ratings on the route's first scale that stay within every map of the route."""
    low, high = _domain(route[-1])
    for step in reversed(route[:-1]):
        back = step.back()
        start, end = _domain(back)
        low, high = back.highest(max(low, start)), back.lowest(min(high, end))
    return ceil(low), floor(high)


def _domain(step: _Step) -> tuple[float, float]:
    ratings = [x for x, _ in step.points()]
    return ratings[0], ratings[-1]


def _others(rating: float, route: tuple[_Step, ...]) -> Iterator[OtherSource]:
    used, *more = route
    if more:
        return
    for step in _steps_from(used.from_scale):
        start, end = _domain(step)
        if step.to_scale == used.to_scale and step != used and start <= rating <= end:
            middle = (step.lowest(rating) + step.highest(rating)) / 2
            yield OtherSource(source=step.known.source, as_of=step.known.as_of, rating=middle)


def _known(scale: str) -> str:
    if scale not in SCALES:
        raise InputError(
            _("{scale} is no scale that movelo knows: take {scales}.").format(
                scale=f"{scale!r}", scales=_listed(SCALES)
            )
        )
    return scale


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return _("{most} or {last}").format(most=", ".join(most), last=last)


def _unknown_at(rating: float, from_scale: str, to_scale: str, start: float, end: float) -> str:
    return english(
        "{scale} {rating} lies outside what is known: {scale} and {other} have been compared "
        "from {scale} {start} to {end}"
    ).format(
        scale=from_scale, other=to_scale, rating=f"{rating:g}", start=f"{start:g}", end=f"{end:g}"
    )
