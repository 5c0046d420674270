"""What Prometheus is told: requests by route, and whatever the server knows of its jobs.

Labels hold methods, route templates, statuses and jobs' states; never a name, an id or a token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter

from fastapi import APIRouter, Request, Response
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

UNMATCHED = "unmatched"
"""The route of a request that met none: its own path may hold anything."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 10.0, 60.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFigures:
    """How it stands with the jobs, as the server finds it when it is asked.

    `jobs_by_state` counts those that are kept, `games_evaluated` the games whose evaluations
    are. (Engines are started again in the worker's process.)
    """

    jobs_by_state: Mapping[str, int] = field(default_factory=dict)
    games_evaluated: int = 0


class Metrics:
    """The figures of one server; `jobs` is asked anew whenever somebody looks."""

    def __init__(self, jobs: Callable[[], JobFigures]) -> None:
        self.registry = CollectorRegistry(auto_describe=False)
        self.requests = Counter(
            "movelo_requests",
            "Requests answered.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "movelo_request_duration_seconds",
            "Time to the first byte of an answer.",
            ("method", "route"),
            buckets=_BUCKETS_SECONDS,
            registry=self.registry,
        )
        self.registry.register(_Jobs(jobs))


class CountRequests:
    """ASGI middleware: counts each request and times its answer's first byte."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; a failure counts as status 500."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, status = perf_counter(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start" and not status:
                status = message["status"]
                self._count(scope, status, perf_counter() - begun)
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            if not status:
                self._count(scope, 500, perf_counter() - begun)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = route_template(scope)
        self._metrics.requests.labels(method, route, str(status)).inc()
        self._metrics.seconds.labels(method, route).observe(seconds)


def route_template(scope: Scope) -> str:
    """`/report/{job_id}`, with the prefix of what it is mounted in; `unmatched` for no route."""
    route = getattr(scope.get("route"), "path", None)
    if route is None:
        return UNMATCHED
    mounted_at = scope.get("root_path", "").removeprefix(scope.get("app_root_path", ""))
    return mounted_at if mounted_at == route else f"{mounted_at}{route}"


def metrics_router(metrics: Metrics) -> APIRouter:
    """`GET /metrics`, in the format that the asker prefers."""
    router = APIRouter()

    @router.get("/metrics", include_in_schema=False)
    def read_metrics(request: Request) -> Response:
        encode, content_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(metrics.registry), media_type=content_type)

    return router


class _Jobs(Collector):
    def __init__(self, figures: Callable[[], JobFigures]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        figures = self._figures()
        by_state = GaugeMetricFamily("movelo_jobs", "Jobs that are kept.", labels=["state"])
        for state, number in sorted(figures.jobs_by_state.items()):
            by_state.add_metric([state], number)
        yield by_state
        yield GaugeMetricFamily(
            "movelo_queue_length",
            "Jobs that wait for their turn.",
            value=figures.jobs_by_state.get("queued", 0),
        )
        yield GaugeMetricFamily(
            "movelo_games_evaluated",
            "Games whose evaluations are kept.",
            value=figures.games_evaluated,
        )
