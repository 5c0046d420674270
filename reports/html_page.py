"""What every page of ours is made with: the templates, one style sheet, one script.

A page is one file: nothing is fetched when it is opened, and a content security policy lets
nothing run but our own script. Jinja escapes everything but what we made ourselves: the style
sheet, the script and the charts.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from config.language import _, language, ngettext
from config.localized import number_text

_HERE = Path(__file__).parent
_TEMPLATES = _HERE / "templates"
_STATIC = _HERE / "static"
_STYLES = ("report.css", "differences.css", "trends.css")


def rendered(template: str, *, with_board: bool, **values: Any) -> str:
    """A report's page, made of `values`; with the board's viewer where there is one."""
    return standing_alone(template, style=_style(with_board), script=_script(with_board), **values)


def standing_alone(template: str, *, style: str, script: str, **values: Any) -> str:
    """The page that `template` makes of `values`, with its style sheet and its script in it."""
    return (
        environment()
        .get_template(template)
        .render(style=style, script=script, script_hash=_digest(script), **values)
    )


@cache
def template_text(*names: str) -> str:
    """These files of the templates, one after the other: parts of a style sheet or a script."""
    return "".join((_TEMPLATES / name).read_text("utf-8") for name in names)


@cache
def environment() -> Environment:
    """Templates that escape, complain about what is missing, and speak the context's language."""
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(_=_, ngettext=ngettext, number_text=number_text, language=language)
    return made


@cache
def _style(with_board: bool) -> str:
    own = template_text(*_STYLES)
    return (_STATIC / "chessground.css").read_text("utf-8") + own if with_board else own


@cache
def _script(with_board: bool) -> str:
    own = template_text("sortable.js", "report.js")
    return (_STATIC / "chessground.js").read_text("utf-8") + own if with_board else own


@cache
def _digest(script: str) -> str:
    """As a policy names it: base64 of SHA-256."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
