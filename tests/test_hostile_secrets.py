"""The token and the database's password are in nothing that movelo says, writes or is called."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil  # type: ignore[import-untyped,unused-ignore]
import pytest
import requests
from fake_lichess import FakeLichess
from made_games import export_games
from web_server import WebServer

from config.errors import SettingsError
from config.settings import load_settings
from pipeline.fetch.session import lichess_session

ROOT = Path(__file__).parent.parent
TOKEN = "lip_MarkedTokenOfTheTests"
PASSWORD = "Marked-Passw0rd-of-the-tests"
NO_SERVER = f"postgresql://movelo:{PASSWORD}@127.0.0.1:1/movelo"


class Runs:
    """Every run's words and name; the folder has all that was written."""

    def __init__(self, folder: Path, lichess: FakeLichess) -> None:
        self.folder = folder
        self.lichess = lichess
        self.said: list[str] = []
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("MOVELO_", "LICHESS_"))},
            "MOVELO_DATA": str(folder / "data"),
            "MOVELO_CONFIG": str(folder / "movelo.toml"),
            "MOVELO_LICHESS__BASE_URL": lichess.base_url,
            "MOVELO_STRENGTH__HUMAN_MODEL": "false",
            "LICHESS_TOKEN": TOKEN,
            "NO_PROXY": "127.0.0.1",
            "PYTHONASYNCIODEBUG": "1",
            "TZ": "UTC",
        }

    def __call__(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        process = subprocess.Popen(
            [sys.executable, "-m", "pipeline.cli", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=self.environment | environment,
        )
        names = " ".join(psutil.Process(process.pid).cmdline())
        out, err = process.communicate(timeout=120)
        self.said += [names, out, err]
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def check(self, *secrets: str) -> None:
        texts = [text.encode() for text in self.said]
        texts += [file.read_bytes() for file in self.folder.rglob("*") if file.is_file()]
        assert len(texts) > 1
        for secret in secrets:
            assert not any(secret.encode() in text for text in texts)


@pytest.fixture
def lichess() -> Iterator[FakeLichess]:
    with FakeLichess() as lichess:
        yield lichess


@pytest.fixture
def runs(tmp_path: Path, lichess: FakeLichess) -> Runs:
    return Runs(tmp_path, lichess)


def test_the_token_is_sent_to_lichess_and_is_nowhere_else(runs: Runs) -> None:
    runs.lichess.add_player("Quillfeather", export_games(3))
    done = runs("sync", "Quillfeather", "--json")
    assert done.returncode == 0, done.stderr
    assert any(TOKEN in str(seen) for seen in runs.lichess.seen), "it was not sent at all"
    runs("doctor")
    runs("sync", "Quillfeather", MOVELO_LICHESS__BASE_URL="http://127.0.0.1:1")
    runs("sync", "Quillfeather", LICHESS_TOKEN=f"{TOKEN}\u00e9 ")
    runs.check(TOKEN)


@pytest.mark.parametrize("arguments", [["doctor"], ["serve", "--port", "0"]])
def test_a_database_s_password_is_in_no_word_about_it(runs: Runs, arguments: list[str]) -> None:
    done = runs(*arguments, MOVELO_DATABASE_URL=NO_SERVER)
    assert done.returncode != 0
    assert "127.0.0.1" in done.stdout + done.stderr  # it does say which
    assert "Traceback" not in done.stderr
    runs.check(PASSWORD)


@pytest.mark.parametrize(
    "text",
    [
        f'[store]\nurl = "{NO_SERVER}"\nnonsense = 1\n',
        f'[store]\nurl = ["{NO_SERVER}"]\n',
        f"[store]\nurl = {NO_SERVER}\n",
        f'[store]\nurl = "{NO_SERVER}\n',
        f'store = "{NO_SERVER}"\n',
    ],
)
def test_a_password_in_the_settings_file_is_not_repeated_when_the_file_is_wrong(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "movelo.toml").write_text(text)
    monkeypatch.setenv("MOVELO_CONFIG", str(tmp_path / "movelo.toml"))
    with pytest.raises(SettingsError) as refused:
        load_settings()
    assert PASSWORD not in str(refused.value)


def test_a_server_its_metrics_pages_and_workers_say_nothing_of_the_token(
    tmp_path: Path, lichess: FakeLichess
) -> None:
    lichess.add_player("Quillfeather", export_games(3))
    with WebServer(tmp_path, lichess, late_seconds=0.0) as server:
        secret = "lip_secretOfTheTests"
        asked = httpx.post(
            f"{server.address}api/v1/jobs", json={"username": "Quillfeather"}, timeout=60
        )
        job = f"{server.address}api/v1/jobs/{asked.json()['id']}"
        for _ in range(120):
            if httpx.get(job, timeout=60).json()["state"] not in ("queued", "running"):
                break
            time.sleep(0.5)  # more often than four times a second would be refused
        me = psutil.Process()
        names = [str(child.cmdline()) for child in me.children(recursive=True)]
        paths = ("", "metrics", "healthz", "api/v1/version", "report/nothing", "calculators")
        pages = [httpx.get(f"{server.address}{path}", timeout=60).text for path in paths]
        pages.append(httpx.get(job, timeout=60).text)
        pages.append(httpx.get(f"{job}/report", timeout=60).text)
    assert any(secret in str(seen) for seen in lichess.seen), "it was not sent at all"
    files = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    texts = [text.encode() for text in (*names, *pages, *server.said)]
    assert len(names) >= 2  # the server and its worker at least
    assert not any(secret.encode() in text for text in (*files, *texts))


@pytest.mark.parametrize(
    ("address", "is_sent"),
    [
        ("https://lichess.org/api", True),
        ("http://127.0.0.1:9/api", True),
        ("http://lichess.org/api", False),
        ("http://127.0.0.1.example/api", False),
    ],
)
def test_the_token_leaves_this_machine_encrypted_or_not_at_all(address: str, is_sent: bool) -> None:
    session = lichess_session(
        token=TOKEN, user_agent="tests", connect_timeout_seconds=1, read_timeout_seconds=1
    )
    prepared = session.prepare_request(requests.Request("GET", address))
    assert (TOKEN in str(prepared.headers)) == is_sent
    assert TOKEN not in f"{session!r}{session.auth!r}{vars(session)}"
