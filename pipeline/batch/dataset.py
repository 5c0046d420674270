"""The partitioned table of all games, made of each player's rows; pyarrow's part of a batch."""

from __future__ import annotations

import shutil
import tempfile
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from pipeline.batch.folder import BatchFolder
from pipeline.batch.tables import BATCH_COLUMNS, batch_rows
from pipeline.records import PlayerReport
from pipeline.tables import frame_of
from reports.to_tables import write_parquet

PARTITIONS = ("speed", "month")


def player_table(report: PlayerReport) -> bytes:
    """One player's rows as a Parquet file; ImportError without pyarrow."""
    to = BytesIO()
    write_parquet(batch_rows(report), BATCH_COLUMNS, to)
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
    arrow, dataset = import_module("pyarrow"), import_module("pyarrow.dataset")
    if not files:
        return
    schema = _schema(arrow)
    partitions = arrow.schema([(name, arrow.string()) for name in PARTITIONS])
    dataset.write_dataset(
        dataset.dataset([str(file) for file in files], schema=schema),
        str(to),
        format="parquet",
        partitioning=dataset.partitioning(partitions, flavor="hive"),
        basename_template="part-{i}.parquet",
        max_partitions=100_000,
        max_open_files=64,
        use_threads=False,  # in the order of the files, always the same
    )


def _schema(arrow: Any) -> Any:
    return arrow.Table.from_pandas(frame_of((), BATCH_COLUMNS), preserve_index=False).schema


def _replace(place: Path, made: Path) -> None:
    """A folder cannot be replaced in one step: for a moment there is none."""
    old = made.with_name(made.name + ".old")
    made.chmod(0o755)
    if place.exists():
        place.rename(old)
    made.rename(place)
    shutil.rmtree(old, ignore_errors=True)
