"""The pages of the web application, apart from reports and calculators: what stands on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Any

from config.choices import Speed
from pipeline.records import PlayerReport
from pipeline.store.job_records import Job
from reports.html_page import environment
from reports.lines import one_line
from reports.terms import speed_name
from reports.web_jobs import JobLine, ProgressView, job_line, progress_view, report_view

SPEEDS: tuple[Speed, ...] = ("bullet", "blitz", "rapid", "classical")
"""Those that can be asked for on the start page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartForm:
    """What the start page's two forms hold; `errors` go by the fields' names."""

    player: str = ""
    speeds: tuple[str, ...] = ()
    last: str = ""
    since: str = ""
    until: str = ""
    casual: bool = False
    file_player: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)

    def is_wrong(self, *fields: str) -> bool:
        """Whether one of these has to be corrected."""
        return any(name in self.errors for name in fields)


def start_to_html(
    form: StartForm, jobs: Sequence[Job], *, zone: tzinfo, most_games: int, most_mebibytes: float
) -> str:
    """The start page, with the visitor's own reports."""
    return _rendered(
        "start",
        form=form,
        speeds=[(speed, speed_name(speed)) for speed in SPEEDS],
        jobs=[job_line(job, zone) for job in jobs],
        most_games=most_games,
        most_mebibytes=f"{most_mebibytes:g}",
    )


def job_to_html(job: Job, *, report: PlayerReport | None, zone: tzinfo) -> str:
    """A report that was asked for: being made, made, or why it is not."""
    line: JobLine = job_line(job, zone)
    # The games of a file are not kept beyond the report.
    common: dict[str, Any] = {"job": line, "can_repeat": job.order.source == "lichess"}
    if report is not None and job.state == "done":
        return _rendered("done", **common, report=report_view(report, zone))
    if job.is_over:
        return _rendered("over", **common)
    return _rendered("working", **common, progress=progress_view(job))


def progress_to_html(job: Job) -> str:
    """What changes on a job's page while it is being made: a fragment."""
    view: ProgressView = progress_view(job)
    return environment().get_template("web/progress.html.j2").render(progress=view)


def refusal_to_html(sentence: str) -> str:
    """A page that only says why nothing else is there."""
    return _rendered("refusal", sentence=one_line(sentence, longest=500))


def _rendered(template: str, **values: Any) -> str:
    return environment().get_template(f"web/{template}.html.j2").render(**values)
