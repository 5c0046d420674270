"""Text from outside cannot do more than be read."""

from hypothesis import given
from hypothesis import strategies as st

from reports.lines import one_line


@given(st.text(), st.integers(min_value=2, max_value=80))
def test_foreign_text_is_one_printable_line_of_bounded_length(text: str, longest: int) -> None:
    shown = one_line(text, longest)
    assert shown.isprintable()
    assert 1 <= len(shown) <= longest


def test_foreign_text_cannot_steer_a_terminal_or_turn_the_page_around() -> None:
    assert one_line("a\x1b[31mb\u202ec\ud800d\n\te") == "a[31mbcd e"
    assert one_line("x" * 1_000_000, 10) == "x" * 9 + "…"
    assert one_line("\u202e") == "—"
