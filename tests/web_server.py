"""`movelo serve` as a process of its own, with a store, a Lichess and an engine of its own."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

from fake_lichess import FakeLichess
from fake_uci_engine import searches_of, write_fake_engine

ROOT = Path(__file__).parent.parent


class WebServer:
    """A context manager. The engine takes `late_seconds` for each position.

    Started again, it listens at the same port, as whoever has its pages open expects.
    """

    def __init__(self, folder: Path, lichess: FakeLichess, *, late_seconds: float) -> None:
        self.folder = folder
        self.engine = write_fake_engine(folder, "--late", str(late_seconds))
        self.said: list[str] = []
        self.address = ""
        self._port = 0
        self._process: subprocess.Popen[str] | None = None
        self._environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("MOVELO_", "LICHESS_"))},
            "MOVELO_DATA": str(folder / "data"),
            "MOVELO_CONFIG": str(folder / "movelo.toml"),
            "MOVELO_LICHESS__BASE_URL": lichess.base_url,
            "MOVELO_STRENGTH__HUMAN_MODEL": "false",
            "MOVELO_WEB__UPLOAD_MEBIBYTES": "2",
            "NO_PROXY": "127.0.0.1",
            "LICHESS_TOKEN": "lip_secretOfTheTests",
            "TZ": "UTC",
        }

    def __enter__(self) -> "WebServer":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def searches(self) -> int:
        """How many positions its engines have searched."""
        return searches_of(self.engine)

    def start(self) -> None:
        options = ["--port", str(self._port), "--workers", "1", "--engine", str(self.engine)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pipeline.cli", "serve", *options],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=self._environment,
        )
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self.said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                self.address, self._port = found[0], int(found[1])
                break
        else:
            raise RuntimeError("".join(self.said))
        self._listener = threading.Thread(target=self._listen, args=(self._process.stderr,))
        self._listener.start()

    def _listen(self, stderr: IO[str]) -> None:
        with stderr:
            self.said.extend(stderr)

    def stop(self) -> int:
        """As its keeper would; its exit code."""
        return self._end("terminate")

    def kill(self) -> None:
        """As a power cut would."""
        self._end("kill")

    def _end(self, how: str) -> int:
        if self._process is None:
            return 0
        getattr(self._process, how)()
        code = self._process.wait(timeout=30)
        self._listener.join(timeout=30)
        self._process = None
        return code
