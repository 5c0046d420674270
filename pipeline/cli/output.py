"""Where a report goes: the terminal, standard output, files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path

from rich.console import Console

from config.choices import Format
from config.errors import StoreError
from config.language import _
from pipeline.cli.whole_file import file_stem, replacing
from pipeline.records import GameReport, PlayerReport


def write_report(
    report: PlayerReport, *, folder: Path, formats: Sequence[Format], as_json: bool
) -> None:
    """Print and write what was asked for, and say on standard error where the files are."""
    from reports.terminal import render_report
    from reports.to_json import report_to_json

    if as_json:
        sys.stdout.write(report_to_json(report) + "\n")
    elif "terminal" in formats:
        render_report(report, Console(), zone=local_zone())
    for format_name, to_text in _file_formats().items():
        if format_name in formats:
            file = folder / f"{file_stem(report.player)}.{format_name}"
            write_whole(file, to_text(report))
            print(f"{format_name.upper()} report: {file}", file=sys.stderr)  # noqa: T201


def write_game(report: GameReport, *, as_json: bool) -> None:
    """Print one game's report."""
    from reports.terminal_game import render_game
    from reports.to_json import game_to_json

    if as_json:
        sys.stdout.write(game_to_json(report) + "\n")
    else:
        render_game(report, Console(), zone=local_zone())


def write_whole(file: Path, text: str) -> None:
    """All of it or nothing: a reader never finds half a file. StoreError when it cannot be."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as part:
            part.write(text.encode())
    except OSError as error:
        raise StoreError(
            _(
                "Cannot write {file}: {error}. The analysis is kept: name another folder "
                "with --out and run again."
            ).format(file=file, error=error.strerror or error)
        ) from error


def local_zone() -> tzinfo:
    """The zone that this machine's clock shows."""
    zone = datetime.now().astimezone().tzinfo
    assert zone is not None, "an aware datetime has a zone"  # noqa: S101
    return zone


def _file_formats() -> Mapping[str, Callable[[PlayerReport], str]]:
    from reports.to_csv import games_to_csv
    from reports.to_html import report_to_html
    from reports.to_json import report_to_json

    return {
        "html": lambda report: report_to_html(report, zone=local_zone()),
        "json": lambda report: report_to_json(report) + "\n",
        "csv": games_to_csv,
    }
