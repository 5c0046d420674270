"""`movelo serve`: the web application, and a worker beside it."""

from __future__ import annotations

import socket
from contextlib import nullcontext
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.errors import SettingsError
from config.language import _
from pipeline.cli.options import BudgetOption, EngineOption, NodesOption, WorkersOption, nodes_of

if TYPE_CHECKING:
    from config.settings import Settings
    from pipeline.store import Store

_BACKLOG = 128
_GRACE_SECONDS = 2
_MOST_CONNECTIONS = 500


def serve(
    host: Annotated[
        str | None,
        typer.Option("--host", metavar="ADDRESS", help="Who can ask: 0.0.0.0 is everybody."),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65_535, metavar="N", help="0 takes any that is free."),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser.")
    ] = False,
    nodes: NodesOption = None,
    budget: BudgetOption = None,
    workers: WorkersOption = None,
    engine: EngineOption = None,
) -> None:
    """Serve movelo as a page: type a name, watch the report being made, come back later.

    Only this machine can ask, unless --host says otherwise.

    Example: movelo serve --open
    """
    from config.settings import load_settings
    from pipeline.cli.logs import log_to_stderr
    from pipeline.cli.schedule_process import scheduling
    from pipeline.cli.storage import open_store
    from pipeline.cli.worker_process import WorkerProcess

    _check_installed()
    settings = load_settings()
    settings = _with_address(settings, host, port)
    nodes_of(nodes, budget, settings.engine)  # what is wrong is said here, not by the worker
    log_to_stderr()
    with (
        _listening(settings.web.host, settings.web.port) as listening,
        open_store(settings) as store,
        WorkerProcess(_worker_options(nodes, budget, workers, engine)),
        scheduling(settings) if settings.schedule.with_serve else nullcontext(),
    ):
        address = _address(listening)
        typer.echo(_("movelo is at {address} (Ctrl-C ends it).").format(address=address), err=True)
        if open_browser:
            import webbrowser

            webbrowser.open(address)
        _serve(settings, store, listening)


def _serve(settings: Settings, store: Store, listening: socket.socket) -> None:
    import uvicorn

    from pipeline.cli.job_queue import job_queue
    from pipeline.cli.output import local_zone
    from pipeline.web.app import create_app
    from pipeline.web.context import WebContext
    from pipeline.web.rate_limit import behind_proxies

    queue = job_queue(store, settings.web)
    app = create_app(
        WebContext(
            store=store, queue=queue, settings=settings, zone=local_zone(), clock=queue.clock
        )
    )
    config = uvicorn.Config(
        behind_proxies(app, settings.web.proxies),
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _with_address(settings: Settings, host: str | None, port: int | None) -> Settings:
    changes: dict[str, object] = {}
    if host is not None:
        changes["host"] = host
    if port is not None:
        changes["port"] = port
    return settings.model_copy(update={"web": settings.web.model_copy(update=changes)})


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SettingsError(
            _(
                "{host}, port {port}, cannot be listened at ({reason}): name another --host or "
                "--port."
            ).format(host=host, port=port, reason=reason)
        ) from error


def _address(listening: socket.socket) -> str:
    """As a browser on this machine asks for it."""
    name, port = listening.getsockname()[:2]
    if ip_address(name).is_unspecified:
        name = "127.0.0.1"
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def _worker_options(
    nodes: int | None, budget: str | None, workers: int | None, engine: Path | None
) -> list[str]:
    given = {"--nodes": nodes, "--budget": budget, "--workers": workers, "--engine": engine}
    return [
        text for name, value in given.items() if value is not None for text in (name, str(value))
    ]


def _check_installed() -> None:
    wanted = ("fastapi", "uvicorn", "python_multipart", "prometheus_client")
    missing = [name for name in wanted if find_spec(name) is None]
    if missing:
        raise SettingsError(
            _(
                "movelo serve needs FastAPI and uvicorn, which are not installed: install them "
                "with: pip install 'movelo[web]'"
            )
        )
