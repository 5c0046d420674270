"""Whatever is wrong with a disk, a file or the clock is one sentence, and nothing is lost."""

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from config.errors import StoreError
from pipeline.progress import Silent
from pipeline.store import Store, StoredGame
from pipeline.sync import sync

pytest_plugins = ["postgresql_server"]

ROOT = Path(__file__).parent.parent


def game(number: int, characters: int = 0) -> StoredGame:
    record = json.dumps({"id": str(number), "moves": "x" * characters})
    return StoredGame(
        id=str(number), created_at_ms=number, white_id="ann", black_id=None, record_json=record
    )


def one_sentence(error: "pytest.ExceptionInfo[StoreError]") -> str:
    text = str(error.value)
    assert "\n" not in text and "sqlalche.me" not in text and text.endswith(".")
    return text


def test_a_file_that_is_no_database_is_said_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    text = "this is not a database, and it is long enough to be read as a header" * 20
    file.write_text(text)
    with pytest.raises(StoreError, match=r"file is not a database; move the file away") as error:
        Store(file)
    assert str(file) in one_sentence(error)
    assert file.read_text() == text


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_file_is_said_and_a_copy_put_back_goes_on(tmp_path: Path, share: float) -> None:
    file, copy = tmp_path / "store.sqlite", tmp_path / "copy"
    with Store(file) as store:
        store.add_games(game(n, 500) for n in range(200))
    shutil.copy(file, copy)
    with file.open("r+b") as cut:
        cut.truncate(int(file.stat().st_size * share))
    with pytest.raises(StoreError, match=r"malformed; move the file away, or put back") as error:
        Store(file)
    one_sentence(error)
    shutil.copy(copy, file)
    with Store(file) as store:
        assert store.count_games_of("ann") == 200


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be used.*MOVELO_DATA") as error:
        Store(tmp_path / "file" / "store.sqlite")
    one_sentence(error)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Root may write anywhere, so for so long we are nobody."""
    is_root = os.geteuid() == 0
    folder.chmod(0o555)
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o755)


@pytest.mark.parametrize("is_new", [True, False])
def test_a_folder_that_cannot_be_written_to_is_said_and_what_is_there_stays(
    open_folder: Path, is_new: bool
) -> None:
    file = open_folder / "store.sqlite"
    if not is_new:
        with Store(file) as store:
            store.add_games([game(1)])
    with read_only(open_folder), pytest.raises(StoreError, match="be written to") as error:
        Store(file)
    assert str(file) in one_sentence(error)
    with Store(file) as store:
        assert store.count_games_of("ann") == (0 if is_new else 1)


def test_a_full_disk_is_said_and_when_there_is_room_it_goes_on(small_disk: Path) -> None:
    file, ballast = small_disk / "store.sqlite", small_disk / "ballast"
    with Store(file) as store:
        store.add_games([game(1)])
        ballast.write_bytes(bytes(1_500_000))
        with pytest.raises(StoreError, match=r"full; nothing.*lost: free some disk") as error:
            store.add_games(game(n, 3000) for n in range(2, 900))
        one_sentence(error)
        kept = store.count_games_of("ann")
        assert 1 <= kept < 899
        ballast.unlink()
        store.add_games([game(1000)])
        assert store.count_games_of("ann") == kept + 1
    with Store(file) as store:
        assert store.count_games_of("ann") == kept + 1


FILLER = """
import resource, sys
from pathlib import Path
from test_pipeline_store_faults import Store, game
with Store(Path(sys.argv[1])) as store:
    store.add_games([game(1)])
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    try:
        store.add_games(game(n, 3000) for n in range(2, 900))
    except Exception as error:
        print(type(error).__name__, error)
"""


def test_a_quota_that_is_used_up_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    told = subprocess.check_output(
        [sys.executable, "-c", FILLER, str(file)],
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert told.startswith("StoreError The store ") and "quota" in told
    with Store(file) as store:
        assert store.count_games_of("ann") >= 1
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 400_000


class OneGame:
    """A Lichess with one game, which counts how often it is asked."""

    def __init__(self, created_at: datetime) -> None:
        self.record = {"id": "a", "createdAt": round(created_at.timestamp() * 1000)}
        self.record["players"] = {"white": {"user": {"name": "Ann"}}}  # type: ignore[assignment]
        self.asked = 0

    def games(
        self, username: str, *, since: datetime | None, until: datetime | None
    ) -> Iterator[dict[str, object]]:
        self.asked += 1
        yield dict(self.record)


def test_a_clock_that_was_set_back_loses_nothing(store_url: Path | str) -> None:
    now = datetime(2026, 6, 1, tzinfo=UTC)
    source = OneGame(now - timedelta(days=300))
    with Store(store_url) as store:
        for at in (now, now - timedelta(days=4000), now + timedelta(minutes=1)):
            list(
                sync(
                    "Ann",
                    source=source,
                    store=store,
                    wanted=lambda record: None,
                    last=0,
                    since=None,
                    until=None,
                    now=at,
                    progress=Silent(),
                )
            )
            assert store.count_games_of("ann") == 1
            (span,) = store.fetched_spans("ann")
            played = (now - timedelta(days=300)).timestamp() * 1000
            assert span.oldest_ms == 0 and span.newest_ms == played
