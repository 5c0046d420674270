"""A Lichess on this machine: a real HTTP server with real faults, for tests from end to end.

    with FakeLichess() as lichess:
        lichess.add_player("Quillfeather", games=export_games(50))
        lichess.faults.games += [Cut(after_bytes=5_000), too_many_requests()]
        ...  # point movelo at lichess.base_url
        assert lichess.most_at_once == 1

It answers /api/user/NAME, /api/games/user/NAME (since, until, max, sort), /game/export/ID,
/api/team/ID/users and /api/tournament/ID/results (see `teams` and `arenas`), and for positions
(see fake_positions) /api/cloud-eval and /standard. Each request takes the next fault of its kind,
in order; without one it is answered well. What was asked is in `seen`.
"""

from __future__ import annotations

import gzip
import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from fake_positions import FakePositions

Record = dict[str, Any]

GENERIC_USER_AGENTS = ("curl", "python-requests", "python-urllib3", "python-httpx", "Python-urllib")

HTML = b"<!DOCTYPE html><html><head><title>Page</title></head><body>Sorry</body></html>"


# --- the faults ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Cut:
    """The connection ends after so many bytes of the body, without a proper end."""

    after_bytes: int


@dataclass(frozen=True)
class CutInsideCharacter:
    """The connection ends between the two bytes of the first "é" of the body."""


@dataclass(frozen=True)
class EndedInsideLine:
    """The body ends properly, but in the middle of a line, after so many bytes."""

    after_bytes: int


@dataclass(frozen=True)
class Stall:
    """Nothing comes for so many seconds after so many bytes; then the rest does."""

    seconds: float
    after_bytes: int = 0


@dataclass(frozen=True)
class StallForEver:
    """Nothing comes any more after so many bytes, until the server is closed."""

    after_bytes: int = 0


@dataclass(frozen=True)
class Drip:
    """So few bytes at once, with a pause before each of them."""

    bytes_at_once: int
    pause_seconds: float


@dataclass(frozen=True)
class Gzipped:
    """Packed, as a client that accepts it may get it; cut after so many packed bytes."""

    cut_after_bytes: int | None = None


@dataclass(frozen=True)
class Answer:
    """Any other answer: a status, a body, headers."""

    status: int
    body: bytes = b""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Changed:
    """The games that would be sent, changed by `change` (doubled, shuffled, fields left out).

    `then` may be a further fault, of those that concern the body.
    """

    change: Callable[[list[Record]], Iterable[Record]]
    then: Cut | EndedInsideLine | Stall | StallForEver | None = None


@dataclass(frozen=True)
class HangUp:
    """The connection is closed before any answer."""


Fault = (
    Cut
    | CutInsideCharacter
    | EndedInsideLine
    | Stall
    | StallForEver
    | Drip
    | Gzipped
    | Answer
    | Changed
    | HangUp
)


def too_many_requests(*, body: bool = True, retry_after: str | None = None) -> Answer:
    """A 429, as Lichess sends it: with or without a body, rarely with Retry-After."""
    message = b'{"error":"Please only run 1 request(s) at a time"}' if body else b""
    headers = (("Retry-After", retry_after),) if retry_after else ()
    return Answer(429, message, headers=headers)


def html_page(status: int = 200) -> Answer:
    """A web page in place of games."""
    return Answer(status, HTML, content_type="text/html; charset=utf-8")


def bad_gateway() -> Answer:
    """A 502 from the server in front of Lichess."""
    return Answer(502, HTML, content_type="text/html")


def error_object(message: str, status: int = 200) -> Answer:
    """An error as JSON, even with status 200."""
    return Answer(status, json.dumps({"error": message}).encode(), "application/x-ndjson")


def not_found() -> Answer:
    """A 404, deserved or not."""
    return Answer(404, b'{"error":"Not found"}')


# --- the server ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """One request: its path, its query (one value a key), its headers (lower-case names)."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]


@dataclass
class Faults:
    """What is to go wrong next, per kind of request; each is used once."""

    games: list[Fault] = field(default_factory=list)
    user: list[Fault] = field(default_factory=list)
    game: list[Fault] = field(default_factory=list)
    cloud: list[Fault] = field(default_factory=list)
    tablebase: list[Fault] = field(default_factory=list)
    roster: list[Fault] = field(default_factory=list)


class FakeLichess:
    """The server; a context manager. See the module's description."""

    def __init__(self, *, inclusive_bounds: bool = True) -> None:
        self.inclusive_bounds = inclusive_bounds
        self.accounts: dict[str, Record] = {}
        self.games_of: dict[str, list[Record]] = {}
        self.teams: dict[str, list[str]] = {}
        self.arenas: dict[str, list[str]] = {}
        self.positions = FakePositions()
        self.faults = Faults()
        self.seen: list[Seen] = []
        self.most_at_once = 0
        self.answering: set[socket.socket] = set()
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.lichess = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}
        )

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> FakeLichess:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.hang_up()
        self._thread.join()
        self._server.server_close()

    def add_player(
        self,
        name: str,
        games: Iterable[Record] = (),
        *,
        closed: bool = False,
        marked: bool = False,
    ) -> None:
        """An account with its games. Lichess exports no games of a closed account."""
        self.games_of[name.lower()] = list(games)
        account: Record = {"id": name.lower(), "username": name}
        if closed:
            account["disabled"] = True
        else:
            account |= _open_account(self.games_of[name.lower()])
        if marked:
            account["tosViolation"] = True
        self.accounts[name.lower()] = account

    def paths(self) -> list[str]:
        """The paths asked for, in order."""
        return [request.path for request in self.seen]

    def export(self, name: str, query: dict[str, str]) -> list[Record]:
        """The games of a player between `since` and `until`, in the order asked for."""
        since, until = int(query.get("since", 0)), int(query.get("until", 2**62))
        edge = 0 if self.inclusive_bounds else 1
        games = [
            game
            for game in self.games_of[name]
            if since + edge <= game.get("createdAt", since + edge) <= until - edge
        ]
        newest_first = query.get("sort", "dateDesc") == "dateDesc"
        games.sort(key=lambda game: game.get("createdAt", 0), reverse=newest_first)
        return games[: int(query.get("max", len(games)))]


def _open_account(games: list[Record]) -> Record:
    speeds = [game["speed"] for game in games if game.get("rated") and "speed" in game]
    return {
        "createdAt": 1_500_000_000_000,
        "perfs": {
            speed: {"games": speeds.count(speed), "rating": 1500, "rd": 60, "prog": 0}
            for speed in sorted(set(speeds))
        },
        "count": {"all": len(games), "rated": len(speeds)},
    }


class _Server(ThreadingHTTPServer):
    lichess: FakeLichess
    daemon_threads = False

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._connections: list[socket.socket] = []

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._connections.append(connection)
        return connection, address

    def hang_up(self) -> None:
        for connection in self._connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    timeout = 10
    disable_nagle_algorithm = True  # or each answer waits for the acknowledgement of its headers

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        with self._counted(), suppress(OSError):
            url = urlsplit(self.path)
            query = {key: values[-1] for key, values in parse_qs(url.query).items()}
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.server.lichess.seen.append(Seen(url.path, query, headers))
            match url.path.strip("/").split("/"):
                case ["api", "user", name]:
                    self._user(name.lower())
                case ["api", "games", "user", name]:
                    self._games(name.lower(), query)
                case ["game", "export", game_id]:
                    self._game(game_id)
                case ["api", "team", team, "users"]:
                    members = self.server.lichess.teams.get(team)
                    self._roster(members and [{"id": n.lower(), "name": n} for n in members])
                case ["api", "tournament", arena, "results"]:
                    players = self.server.lichess.arenas.get(arena)
                    self._roster(players and [{"rank": 1, "username": n} for n in players])
                case ["api", "cloud-eval"]:
                    lichess = self.server.lichess
                    self._record(lichess.positions.cloud_eval(query), lichess.faults.cloud)
                case ["standard"]:
                    lichess = self.server.lichess
                    self._record(lichess.positions.tablebase(query), lichess.faults.tablebase)
                case _:
                    self._answer(not_found())

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count this request, and those whose clients still wait for their ends."""
        lichess = self.server.lichess
        with lichess.lock:
            waiting = sum(not _is_closed(client) for client in lichess.answering)
            lichess.most_at_once = max(lichess.most_at_once, waiting + 1)
            lichess.answering.add(self.connection)
        try:
            yield
        finally:
            lichess.answering.discard(self.connection)

    def _user(self, name: str) -> None:
        lichess = self.server.lichess
        self._record(lichess.accounts.get(name), lichess.faults.user)

    def _game(self, game_id: str) -> None:
        lichess = self.server.lichess
        games = [game for games in lichess.games_of.values() for game in games]
        found = [game for game in games if game.get("id") == game_id]
        self._record(found[0] if found else None, lichess.faults.game)

    def _record(self, record: Record | None, faults: list[Fault]) -> None:
        good = Answer(200, json.dumps(record).encode()) if record else not_found()
        self._send(good, _next(faults))

    def _roster(self, records: list[Record] | None) -> None:
        body = "".join(json.dumps(record) + "\n" for record in records or ()).encode()
        good = Answer(200, body, "application/x-ndjson") if records else not_found()
        self._send(good, _next(self.server.lichess.faults.roster))

    def _games(self, name: str, query: dict[str, str]) -> None:
        lichess = self.server.lichess
        account = lichess.accounts.get(name)
        generic = self.headers.get("User-Agent", "").startswith(GENERIC_USER_AGENTS)
        fault = _next(lichess.faults.games)
        if account is None or account.get("disabled") or generic:
            self._send(not_found(), fault)
            return
        games = lichess.export(name, query)
        if isinstance(fault, Changed):
            games, fault = list(fault.change(games)), fault.then
        body = "".join(json.dumps(game, ensure_ascii=False) + "\n" for game in games).encode()
        self._send(Answer(200, body, "application/x-ndjson"), fault)

    def _send(self, good: Answer, fault: Fault | None) -> None:
        match fault:
            case Answer():
                self._answer(fault)
            case HangUp():
                self._hang_up()
            case Cut(after_bytes):
                self._answer(good, after_bytes)
                self._hang_up()
            case CutInsideCharacter():
                self._answer(good, good.body.index("é".encode()) + 1)
                self._hang_up()
            case EndedInsideLine(after_bytes):
                self._answer(Answer(200, good.body[:after_bytes], good.content_type))
            case Stall(seconds, after_bytes):
                self._answer(good, after_bytes)
                time.sleep(seconds)
                self._chunks(good.body[after_bytes:])
            case Drip() | Gzipped():
                self._send_otherwise(good, fault)
            case StallForEver(after_bytes):
                self._answer(good, after_bytes)
                self.server.lichess.closing.wait(timeout=30)
                self._hang_up()
            case _:
                self._answer(good)

    def _send_otherwise(self, good: Answer, how: Drip | Gzipped) -> None:
        if isinstance(how, Drip):
            self._answer(good, 0)
            self._chunks(good.body, size=how.bytes_at_once, pause_seconds=how.pause_seconds)
            return
        packing = (("Content-Encoding", "gzip"),)
        packed = Answer(200, gzip.compress(good.body), good.content_type, packing)
        self._answer(packed, how.cut_after_bytes)
        if how.cut_after_bytes is not None:
            self._hang_up()

    def _answer(self, answer: Answer, first_bytes: int | None = None) -> None:
        """Send the answer in chunks; only its first bytes, and no end, where they are given."""
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        for name, value in answer.headers:
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if first_bytes is None:
            self._chunks(answer.body)
        else:
            self._chunks(answer.body[:first_bytes], end=False)

    def _chunks(
        self, body: bytes, *, end: bool = True, size: int = 1500, pause_seconds: float = 0.0
    ) -> None:
        for start in range(0, len(body), size):
            chunk = body[start : start + size]
            time.sleep(pause_seconds)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        if end:
            self.server.lichess.answering.discard(self.connection)
            self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _hang_up(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


def _is_closed(client: socket.socket) -> bool:
    try:
        readable, _, _ = select.select([client], [], [], 0)
        return bool(readable) and client.recv(1, socket.MSG_PEEK) == b""
    except (OSError, ValueError):
        return True


def _next(faults: list[Fault]) -> Fault | None:
    return faults.pop(0) if faults else None
