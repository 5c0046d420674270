"""A page of ours, read back."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "link", "br", "hr", "img", "input"}

ENDED_BY = {"td": ("td", "th"), "th": ("td", "th"), "tr": ("td", "th", "tr")}
"""What HTML lets one leave open: a cell ends where the next one begins, a row likewise."""


class Page(HTMLParser):
    """Tags with their attributes, the text outside scripts and styles, and tag balance."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        self._end_of(ENDED_BY.get(tag, ()))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag == "tbody":
            self._end_of(ENDED_BY["tr"])
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def _end_of(self, tags: tuple[str, ...]) -> None:
        for tag in tags:
            if self.open[-1] == tag:
                self.open.pop()

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("script", "style"):
            self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]
