"""Stretches of time, in milliseconds, both ends included. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """From `oldest_ms` to `newest_ms`, both included; empty when the ends are crossed."""

    oldest_ms: int
    newest_ms: int

    def __bool__(self) -> bool:
        return self.oldest_ms <= self.newest_ms

    def __contains__(self, ms: int) -> bool:
        return self.oldest_ms <= ms <= self.newest_ms


def newest_part(span: Span, *, width_ms: int, floor_ms: int) -> Span:
    """The newest `width_ms` of `span`, and all of it where the rest lies below `floor_ms`."""
    oldest_ms = span.newest_ms - width_ms + 1
    return span if oldest_ms <= max(floor_ms, span.oldest_ms) else Span(oldest_ms, span.newest_ms)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The same moments in as few spans as possible, oldest first."""
    result: list[Span] = []
    for span in sorted(filter(None, spans)):
        if result and span.oldest_ms <= result[-1].newest_ms + 1:
            newest = max(result[-1].newest_ms, span.newest_ms)
            result[-1] = Span(result[-1].oldest_ms, newest)
        else:
            result.append(span)
    return tuple(result)


def gaps(window: Span, covered: Iterable[Span]) -> tuple[Span, ...]:
    """What of `window` is not covered, newest first."""
    result: list[Span] = []
    newest = window.newest_ms
    for span in reversed(merged(covered)):
        result.append(Span(max(window.oldest_ms, span.newest_ms + 1), newest))
        newest = min(newest, span.oldest_ms - 1)
    result.append(Span(window.oldest_ms, newest))
    return tuple(filter(None, result))
