"""Rows of a table into an open file, one after the other: CSV, NDJSON, Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from importlib import import_module
from itertools import islice
from typing import BinaryIO

from pipeline.tables import Cell, Kind, Row, frame_of
from reports.game_json import time_text
from reports.inert import inert

_ROWS_A_PART = 20_000


def write_csv(rows: Iterable[Row], columns: Mapping[str, Kind], to: BinaryIO) -> None:
    """With a header; UTF-8; True and False; an empty field where nothing is known.

    Text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    text = io.TextIOWrapper(to, encoding="utf-8", newline="", write_through=True)
    try:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow(map(csv_field, row.values()))
        text.flush()
    finally:
        text.detach()  # whoever opened `to` closes it


def csv_field(cell: Cell) -> Cell:
    """As `csv.writer` takes it: times in UTC as text, text on one line that is no formula."""
    plain = _plain(cell)
    return inert(plain) if isinstance(plain, str) else plain


def write_ndjson(rows: Iterable[Row], to: BinaryIO) -> None:
    """One JSON object a line, ASCII only; null where nothing is known."""
    for row in rows:
        told = {name: _plain(cell) for name, cell in row.items()}
        to.write(json.dumps(told, allow_nan=False).encode() + b"\n")


def write_parquet(rows: Iterable[Row], columns: Mapping[str, Kind], to: BinaryIO) -> None:
    """With the types of the columns; ImportError without pyarrow."""
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    table = arrow.Table.from_pandas
    schema = table(frame_of((), columns), preserve_index=False).schema
    coming = iter(rows)
    with parquet.ParquetWriter(to, schema) as writer:
        while part := list(islice(coming, _ROWS_A_PART)):
            frame = frame_of(part, columns)
            writer.write_table(table(frame, schema=schema, preserve_index=False))


def _plain(cell: Cell) -> str | int | float | None:
    return time_text(cell) if isinstance(cell, datetime) else cell
