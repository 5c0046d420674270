"""Files over real HTTP on this machine, for the tests of what is downloaded."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FileServer:
    """Serves `files` by path; `cut` announces more bytes than it sends."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cut = False
        self.requested: list[str] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.requested.append(self.path)
                body = server.files.get(self.path)
                self.send_response(404 if body is None else 200)
                body = body or b"not found"
                self.send_header("Content-Length", str(len(body) + (1000 if server.cut else 0)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler
