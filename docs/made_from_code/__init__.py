"""Pages of the reference, made from the code while the site is built: they cannot be behind it.

`fill` puts them in place of `<!-- made from code: NAME -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from made_from_code.commands import commands_page
from made_from_code.errors import errors_page
from made_from_code.http_api import http_api_page
from made_from_code.report_schema import report_schema_page
from made_from_code.settings import settings_page

PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "commands": commands_page,
    "errors": errors_page,
    "http-api": http_api_page,
    "report-schema": report_schema_page,
    "settings": settings_page,
}
"""The Markdown of each, from headings of the second level on."""

_PLACE = re.compile(r"<!-- made from code: ([\w-]+) -->")


def fill(markdown: str) -> str:
    """The page with every place filled; KeyError for a name that is none of PAGES."""
    return _PLACE.sub(lambda place: _page(place[1]), markdown)


@cache
def _page(name: str) -> str:
    """Made once for all languages."""
    return PAGES[name]()
