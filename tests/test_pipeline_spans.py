"""Stretches of time: merged, with their gaps, and the newest part of one."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.spans import Span, gaps, merged, newest_part

spans = st.builds(Span, st.integers(0, 40), st.integers(0, 40))


def moments(*of: Span) -> set[int]:
    return {ms for span in of for ms in range(span.oldest_ms, span.newest_ms + 1)}


@given(st.lists(spans))
def test_merged_spans_cover_the_same_moments_and_do_not_touch(given_spans: list[Span]) -> None:
    found = merged(given_spans)
    assert moments(*found) == moments(*given_spans)
    assert all(a.newest_ms + 1 < b.oldest_ms for a, b in pairwise(found))


@given(spans, st.lists(spans))
def test_gaps_are_what_is_not_covered_newest_first(window: Span, covered: list[Span]) -> None:
    found = gaps(window, covered)
    assert moments(*found) == moments(window) - moments(*covered)
    assert list(found) == sorted(found, reverse=True)


@given(spans.filter(bool), st.integers(1, 20), st.integers(0, 40))
def test_a_window_is_the_newest_part_and_nothing_is_left_below_the_floor(
    span: Span, width_ms: int, floor_ms: int
) -> None:
    part = newest_part(span, width_ms=width_ms, floor_ms=floor_ms)
    rest = moments(span) - moments(part)
    assert part and part.newest_ms == span.newest_ms
    assert not rest or len(moments(part)) == width_ms
    assert not rest or part.oldest_ms > floor_ms
    assert moments(part) <= moments(span)
