"""Whatever is wrong with a server is one sentence, without a password, and nothing is lost."""

import json
import logging
import shutil
import sys
from pathlib import Path

import pytest
from postgresql_server import PASSWORD, PostgresqlServer

from config.errors import StoreError
from pipeline.store import Store, StoredGame

pytest_plugins = ["postgresql_server"]


def game(number: int, characters: int = 0) -> StoredGame:
    record = json.dumps({"id": str(number), "moves": "x" * characters})
    return StoredGame(
        id=str(number), created_at_ms=number, white_id="ann", black_id=None, record_json=record
    )


def one_sentence(error: "pytest.ExceptionInfo[StoreError]") -> str:
    text = str(error.value)
    assert "\n" not in text and "sqlalche.me" not in text and text.endswith(".")
    return text


@pytest.mark.parametrize(
    "url",
    [
        "mysql://ann:S3cret@host/games",
        "postgresql+psycopg2://ann:S3cret@host/games",
        "postgresql://ann:S3cret@host",
        "postgresql://ann:S3cret@host:port/games",
        "postgresql://ann:S3cret@word@host/games",
        "postgresql://ann:x@S3cret/y@host/games",
        "postgresql:/ann:S3cret@host/games",
        "ann:S3cret@host",
        "sqlite:///S3cret.sqlite",
    ],
)
def test_a_url_that_is_none_is_said_and_not_repeated(url: str) -> None:
    with pytest.raises(StoreError, match=r"MOVELO_DATABASE_URL.*is not of the form") as error:
        Store(url)
    assert "S3cret" not in one_sentence(error)


def test_without_the_driver_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"ann@host/games needs.*pip install") as error:
        Store("postgresql://ann:S3cret@host/games")
    assert "S3cret" not in one_sentence(error)


def test_where_no_server_listens_is_said() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match="see that the server runs") as error:
        Store("postgresql://ann:S3cret@127.0.0.1:9/games")
    assert "S3cret" not in one_sentence(error)
    assert "postgresql://ann@127.0.0.1:9/games" in one_sentence(error)


def test_a_server_that_lets_us_not_in_is_one_sentence_each(postgresql: PostgresqlServer) -> None:
    for url, words in (
        (postgresql.url("postgres", password="Wr0ng-one"), "correct the user and the password"),
        (postgresql.url("postgres", user="nobody-here"), "correct the user and the password"),
        (postgresql.url("nowhere"), r"nowhere.*create it \(createdb\)"),
        (postgresql.url("postgres").replace(f":{PASSWORD}", ""), "give one in the database URL"),
    ):
        with pytest.raises(StoreError, match=words) as error:
            Store(url)
        assert PASSWORD not in one_sentence(error) and "Wr0ng" not in one_sentence(error)


def test_a_user_without_rights_is_one_sentence_each(postgresql: PostgresqlServer) -> None:
    url = postgresql.database()
    name = url.rpartition("/")[2]
    guest = postgresql.url(name, user="guest")
    postgresql.run(f"CREATE ROLE guest LOGIN PASSWORD '{PASSWORD}'")
    with pytest.raises(StoreError, match="GRANT this user the right to create") as error:
        Store(guest)
    one_sentence(error)
    postgresql.run(f"REVOKE CONNECT ON DATABASE {name} FROM PUBLIC")
    with pytest.raises(StoreError, match="GRANT this user the right to CONNECT") as error:
        Store(guest)
    one_sentence(error)
    postgresql.run(f"GRANT ALL ON DATABASE {name} TO guest")
    postgresql.run("GRANT ALL ON SCHEMA public TO guest", url=url)
    with Store(guest) as store:
        store.add_games([game(1)])
        assert store.count_games_of("ann") == 1


def test_a_database_that_takes_no_writes_is_said_and_what_is_there_stays(
    postgresql: PostgresqlServer,
) -> None:
    url = postgresql.database()
    with Store(url) as store:
        store.add_games([game(1)])
    name = url.rpartition("/")[2]
    postgresql.run(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with Store(url) as store:
        assert store.count_games_of("ann") == 1
        with pytest.raises(StoreError, match=r"read-only.*a server that takes writes") as error:
            store.add_games([game(2)])
        one_sentence(error)


def test_a_server_whose_disk_is_full_is_said_and_when_there_is_room_it_goes_on(
    postgresql: PostgresqlServer, small_disk: Path
) -> None:
    url = postgresql.database()
    name, ballast = url.rpartition("/")[2], small_disk / "ballast"
    shutil.chown(small_disk, "postgres")
    postgresql.run(f"CREATE TABLESPACE small LOCATION '{small_disk}'")
    postgresql.run(f"ALTER DATABASE {name} SET default_tablespace = small")
    try:
        with Store(url) as store:
            store.add_games([game(1)])
            ballast.write_bytes(bytes(1_200_000))
            with pytest.raises(StoreError, match=r"free some disk space on the server") as error:
                # Text that cannot be compressed much.
                store.add_games(game(n, 2000) for n in range(2, 20_000))
            one_sentence(error)
            kept = store.count_games_of("ann")
            ballast.unlink()
            store.add_games([game(100_000)])
            assert store.count_games_of("ann") == kept + 1 >= 2
    finally:
        postgresql.run(f"DROP DATABASE {name}", "DROP TABLESPACE small")


def test_a_server_that_goes_away_is_said_and_found_again(postgresql: PostgresqlServer) -> None:
    with Store(postgresql.database()) as store:
        store.add_games([game(1)])
        postgresql.stop()
        try:
            with pytest.raises(StoreError, match="see that the server runs") as error:
                store.add_games([game(2)])
        finally:
            postgresql.start()
        assert PASSWORD not in one_sentence(error)
        assert store.count_games_of("ann") == 1


def test_a_password_is_in_no_log_and_in_no_name(
    postgresql: PostgresqlServer, caplog: pytest.LogCaptureFixture
) -> None:
    url = postgresql.database()
    for name in ("sqlalchemy.engine", "sqlalchemy.pool", "psycopg"):
        caplog.set_level(logging.DEBUG, logger=name)
    with caplog.at_level(logging.DEBUG), Store(url) as store:
        store.add_games([game(1)])
        shown = (store.place, str(store._database.place), repr(store._database.place))
        assert all(PASSWORD not in text for text in shown)
        assert store.place == url.replace(f":{PASSWORD}", "")
    assert caplog.records and PASSWORD not in caplog.text
