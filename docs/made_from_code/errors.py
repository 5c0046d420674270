"""The tree of errors as a page."""

from __future__ import annotations

from collections.abc import Iterator

from config.errors import MoveloError
from made_from_code.markdown import code, plain


def errors_page() -> str:
    """A list in a list: each error with what it means and the exit code that it ends in."""
    return "\n".join(_lines(MoveloError, 0))


def _lines(error: type[MoveloError], depth: int) -> Iterator[str]:
    summary = plain((error.__doc__ or "").split("\n\n", maxsplit=1)[0])
    yield f"{'  ' * depth}- {code(error.__name__)} ({error.exit_code}): {summary}"
    for inner in error.__subclasses__():
        if inner.__module__ == MoveloError.__module__:
            yield from _lines(inner, depth + 1)
