"""Records as they are written into the store, and read again."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any

from pydantic import TypeAdapter


def written(record: Any) -> str:
    """As JSON; half a surrogate pair, which a name may hold and JSON cannot, becomes "?"."""
    text = json.dumps(asdict(record), ensure_ascii=False, default=_plain)
    return text.encode("utf-8", "replace").decode()


@cache
def adapter(kind: type[Any]) -> TypeAdapter[Any]:
    """Reads what `written` wrote of a record of this kind; made once."""
    return TypeAdapter(kind)


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    raise TypeError(f"{type(value).__name__} is not kept as JSON")
