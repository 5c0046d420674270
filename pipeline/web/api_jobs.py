"""Reports for programs: ask for one, follow it, read it, cancel it, have it forgotten."""

from __future__ import annotations

from typing import Annotated, get_args

from fastapi import APIRouter, Depends, Header, HTTPException, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from config.choices import Speed
from config.language import _, retold
from pipeline.jobs import Job, JobOrder, JobSource, Refusal
from pipeline.records import PlayerReport
from pipeline.selection import Selection
from pipeline.web.api_models import (
    JOB_ID_PATTERN,
    VISITOR_PATTERN,
    JobAnswer,
    JobsAnswer,
    LichessQuestion,
    Question,
    job_answer,
)
from pipeline.web.api_problems import problem_responses
from pipeline.web.context import Context, WebContext, address_of
from reports.to_json import game_to_json, report_to_json

PGN_TYPES = ("application/x-chess-pgn", "application/x-ndjson", "application/octet-stream")
"""A form of somebody else's page can send none of these without asking the browser first."""

_SECRET = Header(
    alias="Movelo-Visitor",
    pattern=VISITOR_PATTERN,
    description="A secret of your own choice: jobs asked for with it are listed for it.",
)
Visitor = Annotated[str | None, _SECRET]
KnownVisitor = Annotated[str, _SECRET]
JobId = Annotated[str, Path(pattern=JOB_ID_PATTERN, description="As the job was answered.")]


def found_job(job_id: JobId, context: Context) -> Job:
    """A dependency: the job of the path; 404 for an unknown id."""
    job = context.queue.job(job_id)
    if job is None:
        raise HTTPException(404, _("There is no report of this id: it may have been removed."))
    return job


FoundJob = Annotated[Job, Depends(found_job)]


def jobs_router() -> APIRouter:
    """`/jobs`."""
    router = APIRouter(prefix="/jobs", tags=["jobs"])
    add = router.add_api_route
    add("", _create, methods=["POST"], status_code=202, responses=problem_responses())
    add(
        "/pgn",
        _create_from_games,
        methods=["POST"],
        status_code=202,
        responses=problem_responses(413, 415),
        openapi_extra={"requestBody": _GAMES_BODY},
    )
    add("", _list, responses=problem_responses())
    add("/{job_id}", _read, responses=problem_responses(404))
    add(
        "/{job_id}",
        _remove,
        methods=["DELETE"],
        status_code=204,
        responses=problem_responses(404, 409),
    )
    add(
        "/{job_id}/cancel",
        _cancel,
        methods=["POST"],
        status_code=202,
        responses=problem_responses(404),
    )
    add("/{job_id}/report", _report, responses=_made_of("player_report"))
    add("/{job_id}/games/{game_id}", _game, responses=_made_of("game_report"))
    return router


_GAMES_BODY = {
    "description": "Games as PGN, or as Lichess's NDJSON.",
    "required": True,
    "content": {kind: {"schema": {"type": "string"}} for kind in PGN_TYPES},
}


def _made_of(schema: str) -> dict[int | str, dict[str, object]]:
    """A report as `movelo report --format json` writes it."""
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {
        **problem_responses(404, 409, 410),
        200: {"description": "OK", "content": content},
    }


def _create(
    question: LichessQuestion,
    request: Request,
    response: Response,
    context: Context,
    visitor: Visitor = None,
) -> JobAnswer:
    """Ask for a report on a Lichess account; what was asked for already is not done twice."""
    order = _order(question, question.username, "lichess", context)
    return _submitted(order, None, request, response, context, visitor)


async def _create_from_games(
    request: Request,
    response: Response,
    context: Context,
    question: Annotated[Question, Query()],
    player: Annotated[
        str,
        Header(
            alias="Movelo-Player",
            max_length=100,
            description="Whose games they are; left out: whoever played most of them.",
        ),
    ] = "",
    visitor: Visitor = None,
) -> JobAnswer:
    """Ask for a report on the games in the body: PGN, or Lichess's NDJSON."""
    content = await _body(request, context)
    order = _order(question, player.strip(), "file", context)
    return await run_in_threadpool(_submitted, order, content, request, response, context, visitor)


def _list(context: Context, visitor: KnownVisitor) -> JobsAnswer:
    """The newest jobs that were asked for with this header."""
    return JobsAnswer(jobs=[job_answer(job) for job in context.queue.recent(visitor)])


def _read(job: FoundJob) -> JobAnswer:
    """How far a job is."""
    return job_answer(job)


def _cancel(job: FoundJob, context: Context) -> JobAnswer:
    """Have a job stopped; one that is over stays as it is."""
    context.queue.cancel(job.id)
    return job_answer(context.queue.job(job.id) or job)


def _remove(job: FoundJob, context: Context) -> Response:
    """Forget a job that is over, and its report."""
    if not context.queue.remove(job.id) and context.queue.job(job.id) is not None:
        raise HTTPException(409, _("This report is still being made: cancel it first."))
    return Response(status_code=204)


def _report(job: FoundJob, context: Context) -> Response:
    """The report, as the file that `movelo report --format json` writes."""
    return Response(report_to_json(_finished(job, context)), media_type="application/json")


def _game(
    job: FoundJob,
    context: Context,
    game_id: Annotated[str, Path(max_length=200, description="As the report names it.")],
) -> Response:
    """One game of the report, with its moves."""
    for game in _finished(job, context).games:
        if game.id == game_id:
            return Response(game_to_json(game), media_type="application/json")
    raise HTTPException(404, _("This report has no game of this id: the report names them all."))


def _finished(job: Job, context: WebContext) -> PlayerReport:
    if job.failure is not None:
        raise HTTPException(409, retold(job.failure))
    if job.state == "cancelled":
        raise HTTPException(409, _("This report was cancelled: ask for it again."))
    if job.state != "done":
        raise HTTPException(409, _("This report is not finished yet: ask for its state."))
    report = context.queue.report(job.id)
    if report is None:
        raise HTTPException(
            410, _("This report was made by another version of movelo: ask for it again.")
        )
    return report


def _order(question: Question, player: str, source: JobSource, context: WebContext) -> JobOrder:
    """What is left out, the settings say; of games that were handed in all are taken."""
    usual, is_file = context.settings.games, source == "file"
    speeds = question.speeds or (get_args(Speed) if is_file else usual.speeds)
    casual = is_file or usual.casual
    last = 0 if is_file else usual.last
    selection = Selection(
        player=player,
        speeds=tuple(dict.fromkeys(speeds)),
        last=last if question.last is None else question.last,
        since=question.since,
        until=question.until,
        casual=casual if question.casual is None else question.casual,
    )
    return JobOrder(selection=selection, source=source)


def _submitted(
    order: JobOrder,
    content: bytes | None,
    request: Request,
    response: Response,
    context: WebContext,
    visitor: str | None,
) -> JobAnswer:
    made = context.queue.submit(
        order, visitor=visitor or "", address=address_of(request), content=content
    )
    if isinstance(made, Refusal):
        raise HTTPException(
            429 if made.whose == "address" else 503, made.reason, headers={"Retry-After": "60"}
        )
    response.headers["Location"] = f"{request.scope.get('root_path', '')}/jobs/{made.id}"
    return job_answer(made)


async def _body(request: Request, context: WebContext) -> bytes:
    """What was sent; 415 for another type, 413 as soon as it is too large, 422 for nothing."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in PGN_TYPES:
        raise HTTPException(415, _("Send the games as {types}.").format(types=", ".join(PGN_TYPES)))
    mebibytes = context.settings.web.upload_mebibytes
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > mebibytes * 2**20:
            raise HTTPException(
                413,
                _("These are more than {mebibytes} MiB: send fewer games.").format(
                    mebibytes=f"{mebibytes:g}"
                ),
            )
    if not content.strip():
        raise HTTPException(422, _("There are no games in the body: send PGN or NDJSON."))
    return bytes(content)
