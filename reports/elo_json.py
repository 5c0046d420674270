"""An answer of the rating systems as JSON: what was asked, and the record that answers it.

`schema` names the question and ends in a version that grows when a field changes its meaning
or goes away. Every record's fields stand under their own names, with the units that its
docstring states; where there is no answer stands `{"reason": …}`. Floats have six decimals.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any


def answer_to_json(question: str, asked: Mapping[str, Any], answer: object) -> str:
    """One line: `{"schema": "movelo.elo-<question>/1", "asked": …, "answer": …}`."""
    value = {"schema": f"movelo.elo-{question}/1", "asked": _json(asked), "answer": _json(answer)}
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(", ", ": ")) + "\n"


def _json(value: object) -> Any:
    if is_dataclass(value):
        return {field.name: _json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _json(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_json(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    return round(value, 6) if isinstance(value, float) else value
