"""What goes into the API and comes out of it, with units: the types behind its OpenAPI."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from config.choices import Speed
from config.errors import UnknownPlayer
from config.language import retold
from pipeline.fetch.lichess_names import checked_username
from pipeline.jobs import Job, JobProgress, JobSource, JobState, StageProgress
from pipeline.records import NoEstimate, ResultEstimate, SpeedReport, StrengthRange

USERNAME_PATTERN = r"^[A-Za-z0-9_-]{2,30}$"
"""What Lichess could have as a name."""
JOB_ID_PATTERN = r"^[A-Za-z0-9_-]{8,64}$"
VISITOR_PATTERN = r"^[A-Za-z0-9_-]{16,128}$"


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("this moment lies outside of the years 1 to 9999") from error


UtcTime: TypeAlias = Annotated[AwareDatetime, AfterValidator(_in_utc)]


def _lichess_name(name: str) -> str:
    try:
        return checked_username(name)
    except UnknownPlayer as error:
        raise ValueError(str(error)) from error


class Question(BaseModel):
    """Which games a report is to be about; what is left out, the server's settings say.

    Of games that were handed in all are taken where nothing is said, casual ones too.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    speeds: list[Speed] | None = Field(
        None, min_length=1, max_length=7, description="Lichess's words for time controls."
    )
    last: int | None = Field(
        None,
        ge=0,
        le=1_000_000,
        description="The newest so many games; 0, or more than the server takes: as many as it "
        "takes.",
    )
    since: UtcTime | None = Field(None, description="Games from this moment on, with its zone.")
    until: UtcTime | None = Field(None, description="Games up to this moment, with its zone.")
    casual: bool | None = Field(None, description="Whether casual games are taken in.")


class LichessQuestion(Question):
    """A report on a Lichess account's games."""

    username: Annotated[str, AfterValidator(_lichess_name)] = Field(
        description="The account's name; capitals do not matter.",
        json_schema_extra={"pattern": USERNAME_PATTERN},
    )


class StageAnswer(BaseModel):
    """One stage of a job; the names are those that people read."""

    name: str
    done: int = Field(ge=0, description="Steps that are done.")
    total: int | None = Field(description="Steps there are; null where nobody knows.")
    seconds: float = Field(ge=0, description="Seconds since the stage began.")
    seconds_left: float | None = Field(description="Seconds at the pace so far.")


class RangeAnswer(BaseModel):
    """`low` to `high`, in points of `scale`, are to hold the rating with probability `coverage`."""

    scale: str
    low: float
    high: float
    coverage: float = Field(ge=0, le=1)


class NoRangeAnswer(BaseModel):
    """There is no honest number, and why."""

    reason: str


class EstimateAnswer(BaseModel):
    """Both views of the games at one speed so far."""

    speed: str
    games: int = Field(ge=0)
    results: RangeAnswer | NoRangeAnswer = Field(description="What the results say.")
    moves: RangeAnswer | NoRangeAnswer = Field(description="What the moves say.")


class JobAnswer(BaseModel):
    """A report that was asked for, and how far it is."""

    id: str = Field(description="Who knows it may read, cancel and remove the job.")
    state: JobState
    source: JobSource
    player: str = Field(description="Empty where the games that were handed in are to tell.")
    speeds: list[str]
    last: int = Field(ge=0, description="The newest so many games; 0: all that are taken.")
    since: datetime | None
    until: datetime | None
    casual: bool
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    cancel_asked: bool
    jobs_ahead: int = Field(ge=0, description="Jobs that come first, while it is queued.")
    stages: list[StageAnswer]
    games_assessed: int = Field(ge=0)
    estimates: list[EstimateAnswer] = Field(
        description="From the games so far; empty before the fifth."
    )
    sentence: str = Field(description="What a person should know now; empty for nothing.")
    failure: str | None = Field(description="Why there is no report; null unless it failed.")


class JobsAnswer(BaseModel):
    """One visitor's jobs, the newest first."""

    jobs: list[JobAnswer]


class VersionAnswer(BaseModel):
    """What makes the numbers here."""

    movelo_version: str
    model_name: str = Field(description="The strength model.")
    model_speeds: list[str] = Field(description="The speeds that it reads moves at.")
    fitted_on_players: int = Field(ge=0)
    fitted_on_player_games: int = Field(ge=0)
    human_model_installed: bool = Field(description="Without it the ranges are wider.")


def job_answer(job: Job) -> JobAnswer:
    """The job as it is now."""
    selection, progress = job.order.selection, job.progress
    return JobAnswer(
        id=job.id,
        state=job.state,
        source=job.order.source,
        player=selection.player,
        speeds=list(selection.speeds),
        last=selection.last,
        since=selection.since,
        until=selection.until,
        casual=selection.casual,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        cancel_asked=job.cancel_asked,
        jobs_ahead=job.jobs_ahead,
        stages=[_stage(stage) for stage in progress.stages],
        games_assessed=progress.games_assessed,
        estimates=_estimates(progress),
        sentence=retold(progress.sentence),
        failure=None if job.failure is None else retold(job.failure),
    )


def _stage(stage: StageProgress) -> StageAnswer:
    return StageAnswer(
        name=retold(stage.name),
        done=stage.done,
        total=stage.total,
        seconds=stage.seconds,
        seconds_left=stage.seconds_left,
    )


def _estimates(progress: JobProgress) -> list[EstimateAnswer]:
    return [_estimate(speed) for speed in progress.speeds]


def _estimate(speed: SpeedReport) -> EstimateAnswer:
    return EstimateAnswer(
        speed=speed.speed,
        games=speed.games,
        results=_results(speed.result),
        moves=_moves(speed.strength),
    )


def _results(found: ResultEstimate | NoEstimate) -> RangeAnswer | NoRangeAnswer:
    if isinstance(found, NoEstimate):
        return NoRangeAnswer(reason=retold(found.reason))
    return RangeAnswer(
        scale=found.scale,
        low=round(found.performance_low, 1),
        high=round(found.performance_high, 1),
        coverage=found.coverage,
    )


def _moves(found: StrengthRange | NoEstimate) -> RangeAnswer | NoRangeAnswer:
    if isinstance(found, NoEstimate):
        return NoRangeAnswer(reason=retold(found.reason))
    return RangeAnswer(
        scale=found.scale,
        low=round(found.low, 1),
        high=round(found.high, 1),
        coverage=found.coverage,
    )
