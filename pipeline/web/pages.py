"""The pages: start, a report that is being made, a finished one and all that hangs on it."""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData, UploadFile

from config.language import LANGUAGES, _, language
from pipeline.jobs import Job, JobOrder, Refusal
from pipeline.web import languages
from pipeline.web.context import WebContext, address_of
from pipeline.web.kept_pages import KeptPages, policy_of
from pipeline.web.orders import Typed, empty_form, file_order, lichess_order, with_error
from reports.web_pages import StartForm, job_to_html, start_to_html

VISITOR = "movelo_visitor"
_SECONDS_A_DAY = 24 * 60 * 60
_FIELDS = 40
_FORM_BYTES = 64 * 1024


def page_router(context: WebContext) -> APIRouter:
    """All of them, but calculators and events."""
    router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
    pages = _Pages(context)
    router.add_api_route("/", pages.start)
    router.add_api_route("/reports", pages.order, methods=["POST"])
    router.add_api_route("/upload", pages.upload, methods=["POST"])
    router.add_api_route("/language", pages.language, methods=["POST"])
    router.add_api_route("/report/{job_id}", pages.job)
    router.add_api_route("/report/{job_id}/whole", pages.whole)
    router.add_api_route("/report/{job_id}/game/{number}", pages.game)
    router.add_api_route("/report/{job_id}/report.html", pages.download_html)
    router.add_api_route("/report/{job_id}/report.json", pages.download_json)
    router.add_api_route("/report/{job_id}/games.csv", pages.download_csv)
    router.add_api_route("/report/{job_id}/cancel", pages.cancel, methods=["POST"])
    router.add_api_route("/report/{job_id}/again", pages.again, methods=["POST"])
    router.add_api_route("/report/{job_id}/remove", pages.remove, methods=["POST"])
    return router


class _Pages:
    def __init__(self, context: WebContext) -> None:
        self._context = context
        self._queue = context.queue
        self._settings = context.settings
        self._kept = KeptPages(context.queue, context.zone)

    # --- asking for a report ---

    def start(self, request: Request) -> HTMLResponse:
        return self._start(request, empty_form(self._settings))

    async def order(self, request: Request) -> Response:
        async with _form(request, most_bytes=_FORM_BYTES) as form:
            typed = _typed(form)
        found = lichess_order(typed, self._settings, self._context.zone)
        return await run_in_threadpool(self._taken, request, typed, found, None)

    async def upload(self, request: Request) -> Response:
        most_bytes = int(self._settings.web.upload_mebibytes * 2**20)
        async with _form(request, most_bytes=most_bytes) as form:
            typed, content = _typed(form), await _content(form)
        found = file_order(typed, content, self._settings)
        return await run_in_threadpool(self._taken, request, typed, found, content)

    def again(self, job_id: str, request: Request) -> Response:
        job = self._job(job_id)
        if job.order.source == "file":
            raise HTTPException(
                409, _("The games that were handed in are gone: hand them in again.")
            )
        typed = Typed(texts={"player": job.player})
        return self._taken(request, typed, job.order, None)

    def _taken(
        self, request: Request, typed: Typed, found: JobOrder | StartForm, content: bytes | None
    ) -> Response:
        if isinstance(found, StartForm):
            return self._start(request, found, status=422)
        visitor = request.cookies.get(VISITOR) or secrets.token_urlsafe(16)
        job = self._queue.submit(
            found, visitor=visitor, address=address_of(request), content=content
        )
        if isinstance(job, Refusal):
            form = with_error(typed, self._settings, "form", job.reason)
            return self._start(request, form, status=429 if job.whose == "address" else 503)
        answer = _to(f"/report/{job.id}")
        self._remember(request, answer, VISITOR, visitor)
        return answer

    def _start(self, request: Request, form: StartForm, *, status: int = 200) -> HTMLResponse:
        page = start_to_html(
            form,
            self._queue.recent(request.cookies.get(VISITOR, "")),
            zone=self._context.zone,
            most_games=self._settings.web.games_per_job,
            most_mebibytes=self._settings.web.upload_mebibytes,
        )
        return HTMLResponse(page, status)

    # --- one report ---

    def job(self, job_id: str) -> str:
        job = self._job(job_id)
        report = self._kept.report(job_id) if job.state == "done" else None
        return job_to_html(job, report=report, zone=self._context.zone)

    def whole(self, job_id: str) -> HTMLResponse:
        return _alone(self._found(self._kept.whole(self._done(job_id), language())))

    def game(self, job_id: str, number: int) -> HTMLResponse:
        return _alone(self._found(self._kept.game(self._done(job_id), number)))

    def download_html(self, job_id: str) -> Response:
        page = self._found(self._kept.file(self._done(job_id), language()))
        return self._download(job_id, page, "html", "text/html")

    def download_json(self, job_id: str) -> Response:
        text = self._found(self._kept.json(self._done(job_id)))
        return self._download(job_id, text, "json", "application/json")

    def download_csv(self, job_id: str) -> Response:
        text = self._found(self._kept.csv(self._done(job_id)))
        return self._download(job_id, text, "csv", "text/csv")

    def cancel(self, job_id: str) -> Response:
        self._queue.cancel(self._job(job_id).id)
        return _to(f"/report/{job_id}")

    def remove(self, job_id: str) -> Response:
        self._queue.remove(self._job(job_id).id)
        return _to("/")

    # --- everywhere ---

    async def language(self, request: Request) -> Response:
        async with _form(request, most_bytes=_FORM_BYTES) as form:
            wanted = _typed(form)["lang"]
        answer = _to(_page_before(request))
        if wanted in LANGUAGES:
            self._remember(request, answer, languages.COOKIE, wanted)
        return answer

    def _job(self, job_id: str) -> Job:
        job = self._queue.job(job_id)
        if job is None:
            raise HTTPException(404, _("There is no such report (any more)."))
        return job

    def _done(self, job_id: str) -> str:
        if self._job(job_id).state != "done":
            raise HTTPException(404, _("This report is not finished."))
        return job_id

    @staticmethod
    def _found(page: str | None) -> str:
        if page is None:
            raise HTTPException(404, _("There is no such page in this report."))
        return page

    def _download(self, job_id: str, text: str, ending: str, kind: str) -> Response:
        report = self._kept.report(job_id)
        name = re.sub(r"[^A-Za-z0-9_-]+", "-", report.player if report else "")[:40]
        headers = {"Content-Disposition": f'attachment; filename="{name or "report"}.{ending}"'}
        return Response(text, media_type=kind, headers=headers)

    def _remember(self, request: Request, answer: Response, name: str, value: str) -> None:
        answer.set_cookie(
            name,
            value,
            max_age=self._settings.web.keep_days * _SECONDS_A_DAY,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )


@asynccontextmanager
async def _form(request: Request, *, most_bytes: int) -> AsyncIterator[FormData]:
    reading = request.form(max_files=1, max_fields=_FIELDS, max_part_size=most_bytes)
    try:
        form = await reading
    except HTTPException as error:
        raise HTTPException(400, _("This form cannot be read: send it again.")) from error
    try:
        yield form
    finally:
        await form.close()


def _typed(form: FormData) -> Typed:
    texts = {name: value for name, value in form.multi_items() if isinstance(value, str)}
    speeds = [value for value in form.getlist("speeds") if isinstance(value, str)]
    return Typed(texts=texts, speeds=speeds)


async def _content(form: FormData) -> bytes:
    file, pasted = form.get("file"), form.get("pasted")
    content = await file.read() if isinstance(file, UploadFile) else b""
    if content or not isinstance(pasted, str):
        return content
    return pasted.encode("utf-8", "replace")


def _alone(page: str) -> HTMLResponse:
    """A page that carries its own style and script."""
    return HTMLResponse(page, headers={"Content-Security-Policy": policy_of(page)})


def _page_before(request: Request) -> str:
    """Where the visitor came from, if that was here."""
    try:
        before = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return "/"
    is_here = before.netloc == request.headers.get("host") and before.path.startswith("/")
    if not is_here or before.path.startswith("//"):
        return "/"
    kept = [(name, value) for name, value in parse_qsl(before.query) if name != "lang"]
    return f"{before.path}?{urlencode(kept)}" if kept else before.path


def _to(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303)
