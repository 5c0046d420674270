"""A real PostgreSQL server on a free port, started by the first test that wants one.

Its data lie in a temporary folder; it stops with the tests. PostgreSQL refuses to run as root,
so where the tests do, it runs as the user that its package made.

PYTEST_DONT_REWRITE: tests import it before pytest loads it as a plugin.
"""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

PASSWORD = "S3cret-of-the-tests"
USER = "movelo"

_USUAL_PLACES = (
    ("/usr/lib/postgresql", "*/bin/initdb"),
    ("/opt/homebrew/opt", "postgresql*/bin/initdb"),
    ("/usr/local/opt", "postgresql*/bin/initdb"),
)


class PostgresqlServer:
    """A context manager. Whoever asks gets a database of their own."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = _folder_for_all()
        self._user = "postgres" if os.geteuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def __enter__(self) -> "PostgresqlServer":
        password = self._folder / "password"
        password.write_text(PASSWORD)
        if self._user:
            for path in (self._folder, password):
                shutil.chown(path, self._user)
        subprocess.run(
            [
                *(self._programs / "initdb", "--pgdata", self._data, "--username", USER),
                *("--auth", "scram-sha-256", "--pwfile", password, "--no-sync"),
                *("--encoding", "UTF8", "--no-locale"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            user=self._user,
            cwd=self._folder,
        )
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def start(self) -> None:
        """On the port that it had before, if it had one."""
        self.port = self.port or _free_port()
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(self._programs / "postgres", "-D", self._data, "-p", str(self.port)),
                    *("-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="),
                    # Nothing here is to outlast a power cut.
                    *("-c", "fsync=off", "-c", "shared_buffers=32MB", "-c", "max_wal_size=128MB"),
                ],
                stderr=log,
                user=self._user,
                cwd=self._folder,
            )
        self._wait()

    def stop(self) -> None:
        """At once; whoever is connected loses the connection."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(timeout=30)

    def database(self) -> str:
        """The URL of a new, empty database."""
        name = f"store_{secrets.token_hex(6)}"
        self.run(f"CREATE DATABASE {name}")
        return self.url(name)

    def url(self, database: str, *, user: str = USER, password: str = PASSWORD) -> str:
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def run(self, *statements: str, url: str | None = None) -> None:
        """As whoever `url` says, else as the superuser."""
        import psycopg

        with psycopg.connect(url or self.url("postgres"), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _wait(self) -> None:
        import psycopg

        for _ in range(600):
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                assert self._process is not None
                if self._process.poll() is not None:
                    raise RuntimeError((self._folder / "log").read_text()) from None
                time.sleep(0.05)
            else:
                return
        raise TimeoutError((self._folder / "log").read_text())


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """One server for all tests of a process."""
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here (Debian: apt install postgresql)")
    pytest.importorskip("psycopg")
    with PostgresqlServer(programs) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where a new store may be: a test that takes this runs on both databases."""
    if request.param == "sqlite":
        return tmp_path / "store.sqlite"
    server: PostgresqlServer = request.getfixturevalue("postgresql")
    return server.database()


@pytest.fixture
def run_sql() -> Callable[..., list[tuple[object, ...]]]:
    """What another program does to a store: one statement, committed; rows come back."""
    return _run_sql


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """One that other users may look into: those of pytest they may not."""
    folder = _folder_for_all()
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def small_disk(open_folder: Path) -> Iterator[Path]:
    """One of two megabytes, where this machine lets us mount it."""
    options = ["-t", "tmpfs", "-o", "size=2m,mode=777", "tmpfs", str(open_folder)]
    if os.geteuid() != 0 or subprocess.run(["mount", *options], capture_output=True).returncode:
        pytest.skip("only root can mount a small disk, and not in every container")
    yield open_folder
    subprocess.run(["umount", "--lazy", str(open_folder)], check=True)


def _run_sql(where: Path | str, statement: str, **values: object) -> list[tuple[object, ...]]:
    url = str(where).replace("postgresql://", "postgresql+psycopg://")
    engine = sa.create_engine(f"sqlite:///{where}" if isinstance(where, Path) else url)
    try:
        with engine.begin() as connection:
            found = connection.execute(sa.text(statement), values)
            return [tuple(row) for row in found] if found.returns_rows else []
    finally:
        engine.dispose()


def _programs() -> Path | None:
    on_path = shutil.which("initdb")
    found = [Path(on_path)] if on_path else []
    for folder, pattern in _USUAL_PLACES:
        found += sorted(Path(folder).glob(pattern), reverse=True)
    is_runnable = os.geteuid() != 0 or any(user.pw_name == "postgres" for user in pwd.getpwall())
    return found[0].parent if found and is_runnable else None


def _folder_for_all() -> Path:
    """Root's own folder for temporary files may be closed to the users that we become."""
    is_root = os.geteuid() == 0
    return Path(tempfile.mkdtemp(prefix="movelo-tests-", dir="/tmp" if is_root else None))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
