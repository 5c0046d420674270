"""Where the points went, as JSON: the records field by field, under the same names.

Points, scores and win percents are rounded to four decimal places, probabilities to four digits.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from enum import Enum
from typing import Any

from pipeline.records import (
    ChancesClaim,
    Claim,
    Differences,
    GroupClaim,
    NoEstimate,
    PartClaim,
)
from reports.game_json import Json, time_text

_KINDS: dict[type[Claim], str] = {PartClaim: "part", ChancesClaim: "chances", GroupClaim: "group"}


def difference_fields(found: Differences | NoEstimate) -> Json:
    """All that is told of them; a claim has its `kind` and names its group."""
    if isinstance(found, NoEstimate):
        return {"reason": found.reason}
    return {**_fields(found), "claims": [_claim(claim) for claim in found.claims]}


def _claim(claim: Claim) -> Json:
    told = {"kind": _KINDS[type(claim)], **_fields(claim)}
    if isinstance(claim, GroupClaim):
        told["group"] = {"aspect": claim.group.aspect.value, "key": claim.group.key}
    return told


def _fields(record: Any) -> Json:
    return {
        field.name: _told(field.name, getattr(record, field.name))
        for field in fields(record)
        if not (isinstance(record, Differences) and field.name == "claims")
    }


def _told(name: str, value: Any) -> Any:
    match value:
        case None | str() | int():
            return value
        case float():
            # A chance of one in a billion must not become none.
            return float(f"{value:.4g}") if name == "p_value" else round(value, 4)
        case Enum():
            return value.value
        case datetime():
            return time_text(value)
        case tuple():
            return [_told(name, item) for item in value]
        case _:
            return _fields(value)
