"""Where a report goes: the terminal, standard output, files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path

from rich.console import Console

from config.choices import Format
from config.errors import MoveloError, StoreError
from config.file_names import file_stem
from config.language import _
from pipeline.cli.whole_file import replacing
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
    for format_name, to_text in file_formats().items():
        if format_name in formats:
            file = folder / f"{file_stem(report.player)}.{format_name}"
            _write_text(file, to_text(report))
    if "pdf" in formats:
        _write_pdf(folder / f"{file_stem(report.player)}.pdf", file_formats()["html"](report))


def write_game(
    report: GameReport, *, folder: Path, formats: Sequence[Format], as_json: bool
) -> None:
    """Print and write one game's report."""
    from reports.game_page import game_to_html
    from reports.terminal_game import render_game
    from reports.to_json import game_to_json

    file = folder / f"game-{file_stem(report.id)}"
    if as_json:
        sys.stdout.write(game_to_json(report) + "\n")
    elif "terminal" in formats:
        render_game(report, Console(), zone=local_zone())
    if "json" in formats:
        _write_text(file.with_suffix(".json"), game_to_json(report) + "\n")
    if "html" in formats:
        _write_text(file.with_suffix(".html"), game_to_html(report, zone=local_zone()))
    if "pdf" in formats:
        _write_pdf(file.with_suffix(".pdf"), game_to_html(report, zone=local_zone()))


def _write_text(file: Path, text: str) -> None:
    write_whole(file, text)
    _say_where(file)


def _write_pdf(file: Path, html: str) -> None:
    """The page as PDF; where that cannot be, the page itself, and a MoveloError that says so."""
    from pipeline.cli.pdf import printed

    page = file.with_suffix(".html")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        pdf = printed(html, beside=file)
    except MoveloError as error:
        write_whole(page, html)
        raise MoveloError(
            _("{reason} Open {page} in a browser instead and print it to a PDF.").format(
                reason=error, page=page
            )
        ) from error
    except OSError as error:
        raise _unwritable(file, error) from error
    _write_bytes(file, pdf)
    _say_where(file)


def _say_where(file: Path) -> None:
    said = _("{format} report: {file}").format(format=file.suffix[1:].upper(), file=file)
    print(said, file=sys.stderr)  # noqa: T201


def write_whole(file: Path, text: str) -> None:
    """All of it or nothing: a reader never finds half a file. StoreError when it cannot be."""
    _write_bytes(file, text.encode())


def _write_bytes(file: Path, content: bytes) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as part:
            part.write(content)
    except OSError as error:
        raise _unwritable(file, error) from error


def _unwritable(file: Path, error: OSError) -> StoreError:
    return StoreError(
        _(
            "Cannot write {file}: {reason}. The analysis is kept: name another folder with --out "
            "and run again."
        ).format(file=file, reason=error.strerror or error)
    )


def local_zone() -> tzinfo:
    """The zone that this machine's clock shows, with its summer times."""
    from tzlocal import get_localzone

    return get_localzone()


def file_formats() -> Mapping[str, Callable[[PlayerReport], str]]:
    """A report as a file's text, by the ending; each has a name that another process knows."""
    from reports.to_csv import games_to_csv

    return {"html": _html, "json": _json, "csv": games_to_csv}


def _html(report: PlayerReport) -> str:
    from reports.to_html import report_to_html

    return report_to_html(report, zone=local_zone())


def _json(report: PlayerReport) -> str:
    from reports.to_json import report_to_json

    return report_to_json(report) + "\n"
