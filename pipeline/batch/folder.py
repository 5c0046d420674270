"""Where a batch writes: what lies where in its folder, which is also what a batch is known by."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from config import file_names
from config.errors import StoreError
from config.language import _

GAMES, REPORTS, INDEX = "games", "reports", "index.html"
SUMMARY, SUMMARY_LINES, SUMMARY_TABLE = "summary.json", "summary.ndjson", "summary.parquet"
ALERTS = "alerts.ndjson"
_OWN = ".movelo"
_ID_FILE = "batch.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchFolder:
    """A batch's folder; `id` is what the store knows it by, wherever the folder is moved.

    `reports/` has a file a player and format, `games/` the table of all games by speed and month;
    `.movelo/` is movelo's own: each player's rows, the names found in a dump, what is still due.
    """

    path: Path
    id: str

    @property
    def reports(self) -> Path:
        """A player's report: NAME.html, NAME.json, …"""
        return self.path / REPORTS

    @property
    def rows(self) -> Path:
        """A player's rows of the table of games: NAME.parquet."""
        return self.path / _OWN / "rows"

    @property
    def games(self) -> Path:
        """The table of all games, partitioned."""
        return self.path / GAMES

    @property
    def books_due(self) -> Path:
        """There while lists, page and table do not tell all that the store knows of the players."""
        return self.path / _OWN / "books-due"

    @property
    def dump_names(self) -> Path:
        """Whom a dump has, once all of it is read."""
        return self.path / _OWN / "dump.json"


def opened_folder(path: Path) -> BatchFolder:
    """The batch of this folder, a new one where there is none; StoreError if it cannot be made."""
    file = path / _OWN / _ID_FILE
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with file.open("x", encoding="utf-8") as new:
                new.write(json.dumps({"id": secrets.token_hex(8)}) + "\n")
        except FileExistsError:
            pass
        return BatchFolder(path=path, id=_id_in(file))
    except OSError as error:
        raise StoreError(
            _("The folder {folder} cannot be used: {reason}; name another one with --out.").format(
                folder=path, reason=error.strerror or error
            )
        ) from error


def file_stem(player: str) -> str:
    """What a player's files are called; a Lichess name as it is.

    A name from a PGN may hold anything: what no file can be called is replaced, and a few signs
    tell it from others that look alike then.
    """
    plain = file_names.file_stem(player)
    if plain == player:
        return plain
    return f"{plain}-{sha256(player.casefold().encode('utf-8', 'replace')).hexdigest()[:6]}"


def _id_in(file: Path) -> str:
    try:
        return str(json.loads(file.read_text("utf-8"))["id"])
    except (ValueError, KeyError, TypeError):
        raise StoreError(
            _("{file} is damaged: delete it, and this batch begins anew in its folder.").format(
                file=file
            )
        ) from None
