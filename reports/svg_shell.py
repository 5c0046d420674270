"""What the charts have in common: the SVG around them, and where their letters hang."""

from __future__ import annotations

from html import escape


def svg_text(attributes: str, *, title: str, description: str, key: str, content: str) -> str:
    """A chart of `content` and `attributes`, both SVG; the other texts are escaped here.

    `key` makes its ids unique on the page.
    """
    key = escape(key)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {attributes} '
        f'aria-labelledby="{key}-title {key}-desc"><title id="{key}-title">{escape(title)}</title>'
        f'<desc id="{key}-desc">{escape(description)}</desc>{content}</svg>'
    )


def anchor(left_percent: float, margin_percent: float) -> str:
    """Text near an edge hangs inwards instead of being cut off."""
    if left_percent < margin_percent:
        return "start"
    return "end" if left_percent > 100 - margin_percent else "middle"
