"""Requests to a web application in this process, without a server in between."""

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx


class WebClient:
    """Asks one application; a failure in it answers 500, as a server would."""

    def __init__(self, app: Any, *, address: str = "127.0.0.1") -> None:
        self._app = app
        self._address = address

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.request("POST", path, **options)

    def request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **options: Any
    ) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(
                app=self._app, client=(self._address, 1), raise_app_exceptions=False
            )
            async with httpx.AsyncClient(
                transport=transport, base_url="http://127.0.0.1"
            ) as client:
                return await client.request(method, path, headers=headers, **options)

        return asyncio.run(ask())
