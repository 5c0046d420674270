"""One player's report: its files, and what is told of it in the books of the batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from config.errors import NoGames
from config.language import speaking
from pipeline.batch.dataset import player_table
from pipeline.batch.folder import BatchFolder
from pipeline.batch.inputs import Inputs
from pipeline.batch.order import BatchOrder, OpenWhole
from pipeline.batch.outcomes import outcome_of
from pipeline.records import PlayerReport
from pipeline.run import report_on
from pipeline.store.batch_records import PlayerOutcome
from pipeline.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class ToReport:
    """On whom, under which name for files; `now` is the report's time (UTC)."""

    player: str
    stem: str
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """What was made of a player, and the digest of the games that it was made of."""

    outcome: PlayerOutcome
    inputs_digest: str


class ReportMaker:
    """Makes reports of games in the store; `go_on` is called after each game, and may raise."""

    def __init__(
        self,
        folder: BatchFolder,
        order: BatchOrder,
        workshop: Workshop,
        *,
        open_whole: OpenWhole,
        go_on: Callable[[], None] = lambda: None,
    ) -> None:
        self._folder = folder
        self._order = order
        self._workshop = workshop
        self._open_whole = open_whole
        self._go_on = go_on

    def reported(self, wanted: ToReport) -> Reported:
        """Raises whatever goes wrong; who has no games has an outcome that says so."""
        selection = replace(self._order.selection, player=wanted.player)
        inputs = Inputs(selection, self._workshop.store)
        try:
            with speaking("en"):  # what is kept is retold to whoever reads it
                report = report_on(
                    inputs.games(),
                    selection,
                    replace(self._workshop, now=wanted.now),
                    on_assessed=lambda _games, _so_far: self._go_on(),
                )
        except NoGames as error:
            outcome = self._without_games(wanted, str(error))
        else:
            outcome = self._written(report, wanted.stem)
        return Reported(outcome=outcome, inputs_digest=inputs.digest)

    def has_files(self, outcome: PlayerOutcome) -> bool:
        """Whether all that was made of a player is still there."""
        if outcome.state != "reported":
            return True
        return all(file.exists() for file in self._files(outcome.file_stem))

    def _written(self, report: PlayerReport, stem: str) -> PlayerOutcome:
        for ending, to_text in self._order.formats.items():
            self._write(self._folder.reports / f"{stem}.{ending}", to_text(report).encode())
        if self._order.with_tables:
            self._write(self._folder.rows / f"{stem}.parquet", player_table(report))
        return outcome_of(
            report,
            stem=stem,
            alert_probability=self._order.alert_probability,
            alert_days=self._order.alert_days,
        )

    def _write(self, file: Path, content: bytes) -> None:
        with self._open_whole(file) as to:
            to.write(content)

    def _without_games(self, wanted: ToReport, sentence: str) -> PlayerOutcome:
        for file in self._files(wanted.stem):
            file.unlink(missing_ok=True)
        return PlayerOutcome(
            player=wanted.player,
            file_stem=wanted.stem,
            state="without_games",
            sentence=sentence,
            made_at=wanted.now,
        )

    def _files(self, stem: str) -> list[Path]:
        files = [self._folder.reports / f"{stem}.{ending}" for ending in self._order.formats]
        if self._order.with_tables:
            files.append(self._folder.rows / f"{stem}.parquet")
        return files
