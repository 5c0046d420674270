"""Jobs in words: a line in a list, progress with what is left, the first estimates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo
from math import ceil

from config.language import _, ngettext, retold
from config.localized import number_text
from pipeline.records import GameReport, PlayerReport
from pipeline.store.job_records import Job, StageProgress
from reports.game_rows import game_row
from reports.lines import one_line, sentence_part
from reports.terms import speed_name
from reports.web_speeds import SpeedView, games_text, speed_view
from reports.words import date_text

_GAMES_LINKED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class JobLine:
    """A job in a list; `failure` is "" unless it failed."""

    id: str
    state: str
    player: str
    asked_for: str
    said: str
    when: str
    failure: str
    is_cancelling: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView:
    """One bar; `done` and `total` are numbers for it, `total` None where nobody knows."""

    name: str
    count: str
    left: str
    done: int
    total: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressView:
    """A job that is being made; `notice` is "" for nothing to say."""

    headline: str
    stages: tuple[StageView, ...]
    notice: str
    estimate_title: str
    speeds: tuple[SpeedView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLink:
    """One game in the list of a finished report."""

    when: str
    opponent: str
    outcome: str
    own_strength: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """A finished report at a glance."""

    player: str
    subtitle: str
    speeds: tuple[SpeedView, ...]
    games: tuple[GameLink, ...]
    games_not_linked: int


def job_line(job: Job, zone: tzinfo) -> JobLine:
    """What was asked for, and how it stands."""
    player = one_line(job.player) if job.player else _("the games of a file")
    return JobLine(
        id=job.id,
        state=job.state,
        player=player,
        asked_for=_asked_for(job, zone),
        said=_state_text(job),
        when=date_text(job.created_at, zone),
        failure=_sentence(retold(job.failure)) if job.failure else "",
        is_cancelling=job.cancel_asked and not job.is_over,
    )


def progress_view(job: Job) -> ProgressView:
    """How far it is."""
    progress = job.progress
    return ProgressView(
        headline=_headline(job),
        stages=tuple(map(_stage_view, progress.stages)),
        notice=_sentence(retold(progress.sentence)) if progress.sentence else "",
        estimate_title=_estimate_title(progress.games_assessed),
        speeds=tuple(map(speed_view, progress.speeds)),
    )


def report_view(report: PlayerReport, zone: tzinfo) -> ReportView:
    """The newest games have a link to their own page."""
    linked = report.games[:_GAMES_LINKED]
    counts = [
        _("{speed}: {games}").format(speed=speed_name(s.speed), games=games_text(s.games))
        for s in report.speeds
    ]
    return ReportView(
        player=one_line(report.player),
        subtitle=" · ".join(counts),
        speeds=tuple(map(speed_view, report.speeds)),
        games=tuple(_game_link(game, zone) for game in linked),
        games_not_linked=len(report.games) - len(linked),
    )


def _game_link(game: GameReport, zone: tzinfo) -> GameLink:
    row = game_row(game, zone)
    return GameLink(
        when=row.date,
        opponent=row.opponent,
        outcome=row.outcome,
        own_strength=row.own_strength,
    )


def _headline(job: Job) -> str:
    if job.cancel_asked:
        return _("Stopping …")
    if job.state == "queued":
        if not job.jobs_ahead:
            return _("Waiting to be begun …")
        return ngettext(
            "{count} report comes first …", "{count} reports come first …", job.jobs_ahead
        ).format(count=number_text(job.jobs_ahead))
    return _("The report is being made …")


def _stage_view(stage: StageProgress) -> StageView:
    done = number_text(stage.done)
    count = (
        done
        if stage.total is None
        else _("{done} of {total}").format(done=done, total=number_text(stage.total))
    )
    is_done = stage.total is not None and stage.done >= stage.total
    return StageView(
        name=retold(stage.name),
        count=count,
        left="" if is_done else _left_text(stage.seconds_left),
        done=stage.done,
        total=stage.total,
    )


def _left_text(seconds: float | None) -> str:
    """Rounded up, as a person would say it; "" where nobody knows."""
    if seconds is None:
        return ""
    if seconds < 90:
        count = max(5, 5 * ceil(seconds / 5))
        return _("about {seconds} s left").format(seconds=count)
    return _("about {minutes} min left").format(minutes=number_text(ceil(seconds / 60)))


def _estimate_title(games: int) -> str:
    return ngettext(
        "First estimate, from {games} game so far",
        "First estimate, from {games} games so far",
        games,
    ).format(games=number_text(games))


def _asked_for(job: Job, zone: tzinfo) -> str:
    selection = job.order.selection
    if job.order.source == "file":
        return _("from a file")
    parts = [", ".join(speed_name(speed) for speed in selection.speeds)]
    if selection.last:
        parts.append(
            ngettext("the newest {games} game", "the newest {games} games", selection.last).format(
                games=number_text(selection.last)
            )
        )
    if selection.since:
        parts.append(_("since {date}").format(date=date_text(selection.since, zone)))
    if selection.until:
        parts.append(_("until {date}").format(date=date_text(selection.until, zone)))
    if selection.casual:
        parts.append(_("casual games too"))
    return " · ".join(parts)


def _state_text(job: Job) -> str:
    if job.cancel_asked and not job.is_over:
        return _("stopping")
    return {
        "queued": _("waiting"),
        "running": _("being made"),
        "done": _("finished"),
        "failed": _("not made"),
        "cancelled": _("cancelled"),
    }[job.state]


def _sentence(text: str) -> str:
    part = sentence_part(one_line(text, longest=500))
    return f"{part[:1].upper()}{part[1:]}."
