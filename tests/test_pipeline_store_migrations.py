"""Stores of older movelos are taken over whole, once; those of newer ones are left alone."""

import hashlib
import logging
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from config.errors import StoreError
from engines.evals import (
    LICHESS_ANALYSIS,
    Centipawns,
    EngineId,
    GameEvals,
    PositionSequence,
    SearchLimit,
)
from pipeline.records import Evidence
from pipeline.spans import Span
from pipeline.store import EvidenceKey, Store, StoredGame, migrating, tables
from pipeline.store.packing import packed_numbers

pytest_plugins = ["postgresql_server"]

ROOT = Path(__file__).parent.parent
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
GAME = PositionSequence(game_id="a", start_fen=START, moves_uci=("e2e4",))
KEY = EvidenceKey(
    game_id="a",
    color="white",
    model="made 1",
    engine=LICHESS_ANALYSIS,
    limit=None,
    human_network="",
    inputs_digest="d",
)


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    """A store that movelo 0.1.0 made."""
    file = tmp_path / "store.sqlite"
    with sqlite3.connect(file) as connection:
        connection.executescript(FIRST_TABLES + LATER_TABLES)
        digest = hashlib.sha256(f"{START}|e2e4".encode()).hexdigest()
        made_by = ("Stockfish 15.1", "nn-1.nnue", 1000, "backwards-warm-hash")
        row = (digest, *made_by, "20 -5", "e2e4 -")
        connection.execute("INSERT INTO evaluations VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        made = ("a", "white", "made 1", LICHESS_ANALYSIS.name, "", 0, "", "", "d")
        said = ("lichess_blitz", 31, 1, packed_numbers((-0.5,)))
        marks = ", ".join("?" * 13)
        connection.execute(f"INSERT INTO evidence VALUES ({marks})", (*made, *said))
    connection.close()
    return file


def test_a_store_of_movelo_0_1_0_is_taken_over_without_loss(old_file: Path) -> None:
    engine = EngineId(name="Stockfish 15.1", network="nn-1.nnue")
    limit = SearchLimit(nodes_per_position=1000).as_good()[-1]  # as there was no other
    with Store(old_file):
        pass
    with Store(old_file) as store:
        assert list(store.games_of("ann")) == ['{"id":"a"}']
        assert store.fetched_spans("ann") == (Span(1, 9),)
        assert store.evals(GAME, engine, limit) == GameEvals(
            game_id="a",
            engine=engine,
            limit=limit,
            evals=(Centipawns(20), Centipawns(-5)),
            best_moves_uci=("e2e4", None),
        )
        assert store.evidence(KEY) == Evidence(
            game_id="a",
            color="white",
            scale="lichess_blitz",
            moves=31,
            log_likelihoods=(-0.5,),
            with_human_model=True,
        )


def test_a_store_from_before_there_were_readings_is_taken_over_too(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    with sqlite3.connect(file) as connection:
        connection.executescript(FIRST_TABLES)
    connection.close()
    evidence = Evidence(game_id="a", color="white", scale="s", moves=1, log_likelihoods=(0.0,))
    with Store(file) as store:
        assert list(store.games_of("ann")) == ['{"id":"a"}']
        store.add_evidence(KEY, evidence)
        assert store.evidence(KEY) == evidence


def test_a_movelo_from_before_alembic_sees_that_the_store_is_too_new_for_it(
    store_url: Path | str, run_sql: Callable[..., list[tuple[object]]]
) -> None:
    with Store(store_url):
        pass
    # All that movelo 0.1.0 looks at.
    ((found,),) = run_sql(store_url, "SELECT value FROM meta WHERE key = 'schema_version'")
    assert int(str(found)) == tables.SCHEMA_VERSION > 1


def test_a_store_of_a_newer_movelo_is_refused_with_one_sentence(
    store_url: Path | str, run_sql: Callable[..., object]
) -> None:
    with Store(store_url):
        pass
    run_sql(store_url, "UPDATE meta SET value = '99'")
    with pytest.raises(StoreError, match=r"newer movelo \(schema 99.*install that"):
        Store(store_url)


def test_what_is_no_store_of_movelo_is_refused_with_one_sentence(
    store_url: Path | str, run_sql: Callable[..., object]
) -> None:
    with Store(store_url):
        pass
    run_sql(store_url, "UPDATE meta SET value = 'blue'")
    with pytest.raises(StoreError, match=r"is no store of movelo.*'blue'.*another place"):
        Store(store_url)


def test_the_migrations_end_in_the_tables_that_the_code_works_with(store_url: Path | str) -> None:
    with Store(store_url) as store:
        differences = store._database.write(
            lambda connection: compare_metadata(
                MigrationContext.configure(connection), tables.metadata
            )
        )
    assert differences == []


def test_the_newest_migration_has_the_number_of_the_schema() -> None:
    scripts = ScriptDirectory(str(ROOT / "pipeline" / "store" / "migrations"))
    assert scripts.get_current_head() == f"{tables.SCHEMA_VERSION:04}"


def test_a_migration_that_is_cut_short_leaves_the_old_store_and_is_done_later(
    old_file: Path, run_sql: Callable[..., list[tuple[object]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = migrating._upgrade

    def cut_short(connection: sa.Connection) -> None:
        whole(connection)
        raise OSError("the lights went out")

    schema = "SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2"
    before = run_sql(old_file, schema)
    with monkeypatch.context() as patched, pytest.raises(StoreError, match="the lights went out"):
        patched.setattr(migrating, "_upgrade", cut_short)
        Store(old_file)
    assert run_sql(old_file, schema) == before
    with Store(old_file) as store:
        assert list(store.games_of("ann")) == ['{"id":"a"}']
    assert run_sql(old_file, schema) != before


OPENER = """
import logging, sys
from pathlib import Path
from pipeline.store import Store
logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(name)s: %(message)s")
where = sys.argv[1] if "://" in sys.argv[1] else Path(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
with Store(where):
    print("opened")
"""


@pytest.mark.parametrize("place", ["old file", "new file", "new database"])
def test_processes_that_open_a_store_at_once_migrate_it_once(
    place: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    if place == "new database":
        where = request.getfixturevalue("postgresql").database()
    else:
        where = request.getfixturevalue("old_file") if place == "old file" else tmp_path / "new"
    openers = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", OPENER, str(where)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for _ in range(3)
    ]
    for opener in openers:
        assert opener.stdout is not None and opener.stdout.readline() == "ready\n"
    for opener in openers:
        print("go", file=opener.stdin, flush=True)
    told = [opener.communicate(timeout=60) for opener in openers]
    assert [err for _, err in told] == [""] * 3
    assert all(out.endswith("opened\n") for out, _ in told)
    assert "".join(out for out, _ in told).count("store migrated from schema") == 1


def test_a_store_that_is_up_to_date_is_opened_without_alembic(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite"):
        pass
    script = (
        "import sys; from pathlib import Path; from pipeline.store import Store\n"
        "with Store(Path(sys.argv[1])): print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "store.sqlite")]
    assert subprocess.check_output(command, text=True, cwd=ROOT) == "False\n"


def test_a_migration_is_noted_in_the_log(old_file: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO), Store(old_file), Store(old_file) as store:
        store.add_games(
            [StoredGame(id="b", created_at_ms=2, white_id=None, black_id=None, record_json="{}")]
        )
    told = [record.getMessage() for record in caplog.records if "migrated" in record.message]
    assert told == [f"store migrated from schema 1 to {tables.SCHEMA_VERSION}"]


FIRST_TABLES = """
CREATE TABLE meta (key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (key));
CREATE TABLE games (id TEXT NOT NULL, created_at_ms BIGINT NOT NULL, white_id TEXT, black_id TEXT,
                    record_json TEXT NOT NULL, PRIMARY KEY (id));
CREATE INDEX ix_games_white_id ON games (white_id);
CREATE INDEX ix_games_black_id ON games (black_id);
CREATE TABLE fetched_spans (player_id TEXT NOT NULL, oldest_ms BIGINT NOT NULL,
                            newest_ms BIGINT NOT NULL, PRIMARY KEY (player_id, oldest_ms));
CREATE TABLE evaluations (moves_digest TEXT NOT NULL, engine TEXT NOT NULL, network TEXT NOT NULL,
                          nodes_per_position INTEGER NOT NULL, policy TEXT NOT NULL,
                          evals TEXT NOT NULL, best_moves_uci TEXT NOT NULL,
                          PRIMARY KEY (moves_digest, engine, network, nodes_per_position, policy));
INSERT INTO meta VALUES ('schema_version', '1');
INSERT INTO games VALUES ('a', 1, 'ann', 'bob', '{"id":"a"}');
INSERT INTO fetched_spans VALUES ('ann', 1, 9);
"""
LATER_TABLES = """
CREATE TABLE human_likelihoods (moves_digest TEXT NOT NULL, network TEXT NOT NULL,
    ratings TEXT NOT NULL, first_ply INTEGER NOT NULL, likelihoods BLOB NOT NULL,
    PRIMARY KEY (moves_digest, network, ratings, first_ply));
CREATE TABLE evidence (game_id TEXT NOT NULL, color TEXT NOT NULL, model TEXT NOT NULL,
    engine TEXT NOT NULL, network TEXT NOT NULL, nodes_per_position INTEGER NOT NULL,
    policy TEXT NOT NULL, human_network TEXT NOT NULL, inputs_digest TEXT NOT NULL,
    scale TEXT NOT NULL, moves INTEGER NOT NULL, with_human_model BOOLEAN NOT NULL,
    log_likelihoods BLOB NOT NULL, PRIMARY KEY (game_id, color, model, engine, network,
    nodes_per_position, policy, human_network));
"""
