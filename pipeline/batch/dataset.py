"""The partitioned table of all games, made of each player's rows; pyarrow's part of a batch."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from pipeline.batch.folder import BatchFolder
from pipeline.batch.tables import BATCH_COLUMNS, batch_rows
from pipeline.records import PlayerReport

PARTITIONS = ("speed", "month")

_ROWS_AT_ONCE = 50_000
_FILES_OPEN = 256


def player_table(report: PlayerReport) -> bytes:
    """One player's rows as a Parquet file; ImportError without pyarrow."""
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    to = BytesIO()
    parquet.write_table(arrow.Table.from_pylist(list(batch_rows(report)), schema=_schema()), to)
    return to.getvalue()


def rebuild_games(folder: BatchFolder) -> None:
    """Write `games/speed=…/month=…/part-N.parquet` of all players' rows, in constant memory.

    What was there before is replaced when the new table is whole. OSError where it cannot be.
    """
    files = sorted(folder.rows.glob("*.parquet"))
    made = Path(tempfile.mkdtemp(dir=folder.rows.parent, prefix="games-"))
    try:
        _write(files, made)
        _replace(folder.games, made)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _write(files: list[Path], to: Path) -> None:
    """In the order of the files: the library's own writer puts rows in whatever order."""
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    schema = _schema()
    with _Partitions(to) as partitions:
        waiting: list[Any] = []
        for file in files:
            waiting.append(parquet.read_table(file, partitioning=None).cast(schema))
            if sum(table.num_rows for table in waiting) >= _ROWS_AT_ONCE:
                partitions.write(arrow.concat_tables(waiting))
                waiting = []
        if waiting:
            partitions.write(arrow.concat_tables(waiting))


class _Partitions:
    """One file a partition, a second one where so many are begun that some had to be closed."""

    def __init__(self, to: Path) -> None:
        self._to = to
        self._compute = import_module("pyarrow.compute")
        self._parquet = import_module("pyarrow.parquet")
        self._writers: dict[tuple[str, ...], Any] = {}

    def __enter__(self) -> _Partitions:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def write(self, table: Any) -> None:
        """Each row where it belongs."""
        keys = table.select(PARTITIONS).group_by(list(PARTITIONS)).aggregate([]).to_pylist()
        for key in sorted(tuple(row[name] for name in PARTITIONS) for row in keys):
            rows = table
            for name, value in zip(PARTITIONS, key, strict=True):
                rows = rows.filter(self._compute.field(name) == value)
            self._append(key, rows.drop_columns(list(PARTITIONS)))

    def _append(self, key: tuple[str, ...], rows: Any) -> None:
        if key not in self._writers:
            if len(self._writers) >= _FILES_OPEN:
                self._close()
            self._writers[key] = self._parquet.ParquetWriter(self._new_file(key), rows.schema)
        self._writers[key].write_table(rows)

    def _new_file(self, key: tuple[str, ...]) -> Path:
        parts = (f"{name}={value}" for name, value in zip(PARTITIONS, key, strict=True))
        folder = self._to.joinpath(*parts)
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"part-{len(list(folder.iterdir()))}.parquet"

    def _close(self) -> None:
        for writer in self._writers.values():
            writer.close()
        self._writers = {}


@cache
def _schema() -> Any:
    arrow = import_module("pyarrow")
    types = {
        "text": arrow.string(),
        "whole": arrow.int64(),
        "real": arrow.float64(),
        "yes_no": arrow.bool_(),
        "time": arrow.timestamp("ms", tz="UTC"),
    }
    return arrow.schema([(name, types[kind]) for name, kind in BATCH_COLUMNS.items()])


def _replace(place: Path, made: Path) -> None:
    """A folder cannot be replaced in one step: for a moment there is none."""
    old = made.with_name(made.name + ".old")
    made.chmod(0o755)
    if place.exists():
        place.rename(old)
    made.rename(place)
    shutil.rmtree(old, ignore_errors=True)
