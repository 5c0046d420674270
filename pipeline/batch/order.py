"""What a batch makes of everybody, and by what means it writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

from pipeline.records import PlayerReport
from pipeline.selection import Selection

OpenWhole: TypeAlias = Callable[[Path], AbstractContextManager[BinaryIO]]
"""A file that is there when all of it is written; StoreError when it cannot be."""

ToText: TypeAlias = Callable[[PlayerReport], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOrder:
    """What is made of everybody.

    `selection` is everybody's but for the name; `recipe` stands for whatever else changes
    reports (versions, models, limits, formats); `formats` are by the ending of their files.
    Alerts need `alert_probability` (0.5 to 1); what moved is looked for over `alert_days`.
    """

    selection: Selection
    recipe: str
    formats: Mapping[str, ToText]
    with_tables: bool
    alert_probability: float
    alert_days: int
