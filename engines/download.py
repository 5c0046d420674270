"""Download one file of known content."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import requests

from config.errors import EngineInstallError
from config.language import _

Progress: TypeAlias = Callable[[int, int | None], None]
"""Told the bytes that have arrived, and how many there will be if that is known."""

_CHUNK_BYTES = 1 << 20
_CONNECT_SECONDS = 10.0
_SILENCE_SECONDS = 30.0


def download(
    url: str,
    target: Path,
    *,
    sha256: str,
    max_bytes: int,
    session: requests.Session,
    progress: Progress,
) -> None:
    """Write what `url` answers to `target`; raises EngineInstallError unless it is `sha256`.

    After an error `target` may hold a part of the file: the caller owns its folder.
    """
    try:
        digest = _stream(url, target, max_bytes, session, progress)
    except requests.RequestException as error:
        raise EngineInstallError(
            _(
                "{url} could not be downloaded ({error}); try again when the connection works"
            ).format(url=url, error=_reason(error))
        ) from error
    if digest != sha256:
        raise EngineInstallError(
            _(
                "{url} is not the file that was published (SHA-256 {digest} instead of "
                "{sha256}); it was thrown away: try again, or from another network"
            ).format(url=url, digest=digest, sha256=sha256)
        )


def _stream(
    url: str, target: Path, max_bytes: int, session: requests.Session, progress: Progress
) -> str:
    digest = hashlib.sha256()
    arrived = 0
    with (
        session.get(
            url,
            stream=True,
            timeout=(_CONNECT_SECONDS, _SILENCE_SECONDS),
            headers={"Accept-Encoding": "identity"},  # the digest is that of the archive itself
        ) as response,
        target.open("wb") as file,
    ):
        response.raise_for_status()
        _refuse_detour(url, response)
        expected = _content_length(response)
        for chunk in _bounded(response, max_bytes, url):
            file.write(chunk)
            digest.update(chunk)
            arrived += len(chunk)
            progress(arrived, expected)
    return digest.hexdigest()


def _refuse_detour(url: str, response: requests.Response) -> None:
    """What is asked for over HTTPS comes over HTTPS, wherever it is redirected to."""
    steps = [step.url for step in (*response.history, response)]
    if url.startswith("https://") and not all(step.startswith("https://") for step in steps):
        raise EngineInstallError(
            _(
                "{url} leads to a place without encryption, where anybody could answer; nothing "
                "was taken: try again, or from another network"
            ).format(url=url)
        )


def _bounded(response: requests.Response, max_bytes: int, url: str) -> Iterator[bytes]:
    arrived = 0
    for chunk in response.iter_content(_CHUNK_BYTES):
        arrived += len(chunk)
        if arrived > max_bytes:
            raise EngineInstallError(
                _(
                    "{url} is larger than {max_bytes} bytes, too large for what it should "
                    "be; it was thrown away: try again, or from another network"
                ).format(url=url, max_bytes=max_bytes)
            )
        yield chunk


def _content_length(response: requests.Response) -> int | None:
    text = response.headers.get("Content-Length", "")
    return int(text) if text.isdigit() else None


def _reason(error: requests.RequestException) -> str:
    if error.response is not None:
        return _("the server answered {status_code}").format(status_code=error.response.status_code)
    if isinstance(error, requests.Timeout):
        return _("the server went silent")
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return _("the connection was cut")
    return _("there was no connection")
