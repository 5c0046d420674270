"""Whatever is sent to `movelo serve`: an answer that it means to give, never a 500.

    python tests/fuzz_web.py --seconds 600

See `fuzz_driver` for what else it can be told. Requests go to the application itself, so that
paths, headers and bodies arrive that no client would send.
"""

import asyncio
import atexit
import itertools
import json
import logging
import random
import tempfile
from contextlib import ExitStack
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from fuzz_driver import NASTY, broken, main
from made_reports import made_player_report
from made_web import made_context

from pipeline.jobs import Job, JobLimits, JobOrder, JobProgress
from pipeline.selection import Selection
from pipeline.web.app import create_app
from pipeline.web.calculators import CALCULATORS, calculator

_FORM = b"content-type: application/x-www-form-urlencoded\n\n"
_JSON = b"content-type: application/json\n\n"
_PARTS = b"content-type: multipart/form-data; boundary=x\n\n"
SEEDS = (
    *(b"GET /\ncookie: movelo_visitor=aaaaaaaaaaaaaaaaaaaa\n\n", b"GET /healthz\n\n"),
    b"POST /reports\n" + _FORM + b"player=Quillfeather&speeds=blitz&speeds=rapid&last=50"
    b"&since=2026-01-01&until=2026-02-01&casual=on",
    b"POST /upload\n" + _PARTS + b'--x\r\nContent-Disposition: form-data; name="file"; '
    b'filename="g.pgn"\r\n\r\n1. e4 e5\r\n--x\r\nContent-Disposition: form-data; '
    b'name="file_player"\r\n\r\nZoe\r\n--x--\r\n',
    b"POST /language\nreferer: http://127.0.0.1/elo?a=b\n" + _FORM + b"lang=fr",
    *(b"GET /report/JOB\n\n", b"GET /report/JOB/whole\n\n", b"GET /report/JOB/game/1\n\n"),
    *(b"GET /report/JOB/report.json\n\n", b"GET /report/JOB/games.csv\n\n"),
    *(b"POST /report/JOB/again\n\n", b"POST /report/JOB/cancel\n\n"),
    *(b"GET /static/site.css\n\n", b"GET /metrics\n\n", b"GET /calculators\n\n"),
    b"POST /report/JOB/remove\nhost: movelo.example\norigin: http://127.0.0.1\n\n",
    b"POST /report/JOB/cancel\nsec-fetch-site: same-origin\nx-forwarded-for: 1.2.3.4\n\n",
    b"POST /api/v1/jobs\n" + _JSON + b'{"username": "Quillfeather", "speeds": ["blitz"], '
    b'"last": 5, "since": "2026-01-01T00:00:00Z", "casual": true}',
    b"POST /api/v1/jobs/pgn?last=5&speeds=blitz\nmovelo-player: Zoe\n"
    b"content-type: application/x-chess-pgn\n\n1. e4 e5 1-0",
    *(b"GET /api/v1/jobs\nmovelo-visitor: aaaaaaaaaaaaaaaaaaaa\n\n", b"GET /api/v1/version\n\n"),
    *(b"GET /api/v1/jobs/JOB/report\n\n", b"GET /api/v1/jobs/JOB/games/Made0001\n\n"),
    *(b"GET /api/v1/openapi.json\n\n",),
)
CALCULATOR_SEEDS = tuple(
    b"GET %s/calculators/%s?%s\naccept-language: fr\n\n"
    % (place, name.encode(), quote(calculator(name).form.example, safe="=&+:").encode())
    for name in CALCULATORS
    for place in (b"", b"/api/v1")
)
_COUNT = itertools.count()
"""Every request comes from another address: none is asked to wait."""


def check_request(data: bytes) -> None:
    """`METHOD path?query`, headers one a line, an empty line, the body."""
    head, _separator, body = data.partition(b"\n\n")
    first, *lines = head.split(b"\n")
    method, _space, address = first.partition(b" ")
    path, _mark, query = address.partition(b"?")
    app, job_id = _application()
    raw_path = path.replace(b"JOB", job_id.encode()) or b"/"
    headers = [(b"host", b"127.0.0.1")]
    for line in lines:
        name, _colon, value = line.partition(b":")
        if (plain := name.strip().lower()) and plain.replace(b"-", b"").isalnum():
            headers.append((plain, value.strip()))
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "root_path": "",
        "client": (str(ip_address(167772160 + next(_COUNT))), 1),
        "method": method.decode("latin-1").upper() or "GET",
        "path": unquote_to_bytes(raw_path).decode("utf-8", "replace"),
        "raw_path": raw_path,
        "query_string": query,
        "headers": headers,
    }
    status, kind, answer = _loop().run_until_complete(_answer(app, scope, body))
    assert status < 500 or status == 503, (status, answer[:300])
    assert b"Traceback" not in answer
    if "json" in kind:
        json.loads(answer)


async def _answer(app: Any, scope: dict[str, Any], body: bytes) -> tuple[int, str, bytes]:
    pieces = [body[:7], body[7:]]
    status, kind, answer = 0, "", bytearray()

    async def receive() -> dict[str, Any]:
        if not pieces:
            await asyncio.sleep(3600)
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status, kind
        if message["type"] == "http.response.start":
            status = message["status"]
            kind = dict(message["headers"]).get(b"content-type", b"").decode("latin-1")
        else:
            answer.extend(message.get("body", b""))

    await asyncio.wait_for(app(scope, receive, send), 20)
    return status, kind, bytes(answer)


def changed(seed: bytes, chance: random.Random) -> bytes:
    """A value of a form, a query or a body is another one, percent-encoded or as it is."""
    marks = [at for at, byte in enumerate(seed) if byte in b"=:/"]
    if not marks or chance.random() < 0.5:
        return broken(seed, chance)
    start = chance.choice(marks) + 1
    end = min(at for sign in b"&/ \n" if (at := seed.find(sign, start)) >= 0 or (at := len(seed)))
    word = chance.choice(NASTY)
    if chance.random() < 0.5:
        word = b"".join(b"%%%02x" % byte for byte in word[:300])
    return seed[:start] + word + seed[end:]


@cache
def _application() -> tuple[Any, str]:
    """With one finished report in it."""
    kept = ExitStack()
    atexit.register(kept.close)
    folder = kept.enter_context(tempfile.TemporaryDirectory())
    limits = JobLimits(waiting=2000, waiting_per_address=2000)
    context = kept.enter_context(made_context(Path(folder), limits=limits))
    selection = Selection(player="Quillfeather", speeds=("blitz",))
    job = context.queue.submit(JobOrder(selection=selection, source="lichess"))
    assert isinstance(job, Job)
    assert context.queue.claim("fuzz")
    assert context.queue.end_done(job.id, "fuzz", JobProgress(), made_player_report())
    return create_app(context), job.id


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    main(check_request, (*SEEDS, *CALCULATOR_SEEDS), change=changed)
