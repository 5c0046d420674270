"""Finished reports as pages: made when somebody reads them, in their language, and kept a while."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import tzinfo
from functools import lru_cache

from config.language import speaking
from pipeline.jobs import JobQueue
from pipeline.records import PlayerReport
from reports.game_page import game_to_html
from reports.to_csv import games_to_csv
from reports.to_html import report_to_html
from reports.to_json import report_to_json

_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"<>]*)"')
_REPORTS_KEPT, _PAGES_KEPT = 4, 16


class KeptPages:
    """Of jobs that are done; whether they still are is to be asked before.

    A report takes some 50 ms to be read and 100 ms to be made into a page: the ones read last
    are at hand.
    """

    def __init__(self, queue: JobQueue, zone: tzinfo) -> None:
        self._zone = zone
        self.report: Callable[[str], PlayerReport | None] = lru_cache(_REPORTS_KEPT)(queue.report)
        self._whole = lru_cache(_PAGES_KEPT)(self._made)

    def whole(self, job_id: str, language: str) -> str | None:
        """The whole report, with a way back to what is said of it here."""
        return self._whole(job_id, language, f"/report/{job_id}")

    def file(self, job_id: str, language: str) -> str | None:
        """The same to be taken away: it leads nowhere."""
        return self._whole(job_id, language, None)

    def game(self, job_id: str, number: int) -> str | None:
        """One game of a report, counted from 1, the newest first; in the context's language."""
        report = self.report(job_id)
        if report is None or not 1 <= number <= len(report.games):
            return None
        return game_to_html(
            report.games[number - 1], zone=self._zone, back_href=f"/report/{job_id}"
        )

    def json(self, job_id: str) -> str | None:
        """The report for programs."""
        report = self.report(job_id)
        return None if report is None else report_to_json(report)

    def csv(self, job_id: str) -> str | None:
        """Its games as a table."""
        report = self.report(job_id)
        return None if report is None else games_to_csv(report)

    def _made(self, job_id: str, language: str, back_href: str | None) -> str | None:
        report = self.report(job_id)
        if report is None:
            return None
        with speaking(language):
            return report_to_html(report, zone=self._zone, back_href=back_href)


def policy_of(page: str) -> str:
    """What a page of ours that stands alone says of itself (its script by hash), as a header."""
    stated = _POLICY.search(page)
    policy = stated[1] if stated else "default-src 'none'"
    return f"{policy}; frame-ancestors 'none'"
