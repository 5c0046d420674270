"""Progress as it happens: a stream of server-sent events for each page that watches a job."""

from __future__ import annotations

from collections.abc import AsyncIterator
from time import monotonic

from anyio import sleep
from fastapi import APIRouter, HTTPException
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from config.language import _
from pipeline.jobs import JobQueue
from reports.web_pages import progress_to_html

_LOOK_SECONDS = 0.4
_ALIVE_SECONDS = 15.0  # proxies cut connections on which nothing happens
_RETRY_MILLISECONDS = 1000
_MOST_STREAMS = 200


def event_router(queue: JobQueue) -> APIRouter:
    """`/report/{job_id}/events`: "progress" with a fragment of the page, "finished" at the end."""
    router = APIRouter(include_in_schema=False)
    streams = _Streams(queue)
    router.add_api_route("/report/{job_id}/events", streams.of_job)
    return router


class _Streams:
    def __init__(self, queue: JobQueue) -> None:
        self._queue = queue
        self._open = 0

    async def of_job(self, job_id: str) -> StreamingResponse:
        if await run_in_threadpool(self._queue.job, job_id) is None:
            raise HTTPException(404, _("There is no such report (any more)."))
        if self._open >= _MOST_STREAMS:
            raise HTTPException(
                503, _("Too many pages are watching: reload this one now and then.")
            )
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(
            self._events(job_id), media_type="text/event-stream", headers=headers
        )

    async def _events(self, job_id: str) -> AsyncIterator[str]:
        self._open += 1
        try:
            async for event in self._changes(job_id):
                yield event
        finally:
            self._open -= 1

    async def _changes(self, job_id: str) -> AsyncIterator[str]:
        shown, shown_at = "", monotonic()
        yield f"retry: {_RETRY_MILLISECONDS}\n\n"
        while (fragment := await run_in_threadpool(self._fragment, job_id)) is not None:
            if fragment != shown:
                shown, shown_at = fragment, monotonic()
                yield _event("progress", fragment)
            elif monotonic() > shown_at + _ALIVE_SECONDS:
                shown_at = monotonic()
                yield ": still there\n\n"
            await sleep(_LOOK_SECONDS)
        yield _event("finished", "")

    def _fragment(self, job_id: str) -> str | None:
        """None when there is nothing more to come."""
        job = self._queue.job(job_id)
        return None if job is None or job.is_over else progress_to_html(job)


def _event(name: str, text: str) -> str:
    data = "".join(f"data: {line}\n" for line in text.splitlines() or [""])
    return f"event: {name}\n{data}\n"
