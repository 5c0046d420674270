"""What Lichess answers over HTTP: JSON, lines of JSON, or one of a few ways of saying no."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from email.utils import parsedate_to_datetime
from typing import Any

import requests
from berserk.exceptions import ApiError, ResponseError
from berserk.formats import FormatHandler
from berserk.session import Requestor
from requests.structures import CaseInsensitiveDict
from urllib3.exceptions import MaxRetryError, NameResolutionError, ReadTimeoutError

from config.errors import LichessError
from config.language import _

Record = dict[str, Any]
Params = Mapping[str, int | bool | str | None]


class NotFound(Exception):
    """HTTP 404."""


class Throttled(Exception):
    """HTTP 429; `retry_after_seconds` where Lichess says how long to wait."""

    def __init__(self, retry_after_seconds: float | None) -> None:
        super().__init__("HTTP 429")
        self.retry_after_seconds = retry_after_seconds


class Unconnected(Exception):
    """There is no connection at all; `str()` says why."""


class Interrupted(Exception):
    """An answer was cut, or was none; it may be whole next time. `str()` says how."""


class NotGames(Interrupted):
    """Something else came in place of what was asked for."""


class _OneRecord(FormatHandler[Record]):
    def __init__(self) -> None:
        super().__init__("application/json")

    def parse(self, response: requests.Response) -> Record:
        _refuse_pages(response)
        return _record(response.content)


class _RecordLines(FormatHandler[Record]):
    def __init__(self) -> None:
        super().__init__("application/x-ndjson")

    def parse_stream(self, response: requests.Response) -> Iterator[Record]:
        with closing(response):
            _refuse_pages(response)
            for line in response.iter_lines():
                if line.strip():
                    yield _record(line)


def one_record(requestor: Requestor[Any], path: str, params: Params) -> Record:
    """The JSON object at `path`. Raises the exceptions above, or LichessError."""
    with _plain_failures():
        record: Record = requestor.get(path, params=params, fmt=_OneRecord())
        return record


def record_lines(requestor: Requestor[Any], path: str, params: Params) -> Generator[Record]:
    """The JSON objects at `path`, one a line, as they arrive. Raises as `one_record` does.

    Closing the iterator closes the connection.
    """
    with _plain_failures():
        records = requestor.get(path, params=params, fmt=_RecordLines(), stream=True)
        yield from records


@contextmanager
def _plain_failures() -> Iterator[None]:
    try:
        yield
    except ResponseError as error:
        with closing(error.response) as response:
            raise _refusal(response) from None
    except ApiError as error:
        raise _failure(error.error) from None
    except requests.RequestException as error:
        raise _failure(error) from None


def _refusal(response: requests.Response) -> Exception:
    status = response.status_code
    if status == 404:
        return NotFound()
    if status == 429:
        return Throttled(_retry_after_seconds(response.headers))
    if status == 401:
        return LichessError(
            _(
                "Lichess does not accept the access token (HTTP 401); make a new one at "
                "https://lichess.org/account/oauth/token, or go on without"
            )
        )
    if status >= 500:
        return Interrupted(_("Lichess answered HTTP {status}").format(status=status))
    return LichessError(
        _("Lichess refused the request (HTTP {status}); try again later").format(status=status)
    )


def _retry_after_seconds(headers: CaseInsensitiveDict[str]) -> float | None:
    """Seconds, or a date that is compared with the answer's own."""
    stated = headers.get("Retry-After", "").strip()
    if stated.isascii() and stated.isdigit():
        return float(stated)
    try:
        wait = parsedate_to_datetime(stated) - parsedate_to_datetime(headers.get("Date", ""))
    except (ValueError, TypeError):
        return None
    return max(0.0, wait.total_seconds())


def _failure(error: Exception) -> Exception:
    match error:
        case requests.exceptions.SSLError():
            return Unconnected(_("its certificate cannot be checked"))
        case requests.exceptions.ProxyError():
            return Unconnected(_("the proxy does not let it through"))
        case requests.exceptions.ConnectTimeout():
            return Unconnected(_("it does not answer"))
        case requests.ConnectionError(args=(MaxRetryError(reason=NameResolutionError()), *_)):
            return Unconnected(_("its name cannot be looked up"))
        case requests.ConnectionError(args=(MaxRetryError(), *_)):
            return Unconnected(_("no connection can be made"))
        case requests.exceptions.InvalidURL() | requests.exceptions.InvalidSchema():
            return Unconnected(_("that, or the proxy's address, is not a web address"))
        case requests.exceptions.MissingSchema():
            return Unconnected(_("that is not a web address"))
        case requests.Timeout() | requests.ConnectionError(args=(ReadTimeoutError(), *_)):
            return Interrupted(_("Lichess fell silent"))
        case requests.RequestException():
            return Interrupted(_("the connection was cut"))
        case _:
            return error


def _refuse_pages(response: requests.Response) -> None:
    if "html" in response.headers.get("Content-Type", "").lower():
        response.close()
        raise NotGames(_("Lichess answered with a web page"))


def _record(text: bytes) -> Record:
    if text.lstrip().startswith(b"<"):
        raise NotGames(_("Lichess answered with a web page"))
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        raise Interrupted(_("the answer was cut within a line")) from None
    if not isinstance(record, dict):
        raise NotGames(_("Lichess answered with something else"))
    if "error" in record and "id" not in record:
        raise NotGames(
            _("Lichess answered with the error {record}").format(
                record=f"{str(record['error'])[:80]!r}"
            )
        )
    return record
