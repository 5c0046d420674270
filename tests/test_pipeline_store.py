"""What is kept between runs: nothing twice, nothing lost, clear words when it cannot be."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from config.errors import StoreError
from engines.evals import Centipawns, EngineId, GameEvals, Mate, PositionSequence, SearchLimit
from pipeline.spans import Span
from pipeline.store import Store, StoredGame

ENGINE = EngineId(name="Stockfish 15.1", network="nn-1.nnue")
LIMIT = SearchLimit(nodes_per_position=1000)
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FOOLS_MATE = PositionSequence(
    game_id="g1", start_fen=START, moves_uci=("f2f3", "e7e5", "g2g4", "d8h4")
)
EVALS = GameEvals(
    game_id="g1",
    engine=ENGINE,
    limit=LIMIT,
    evals=(Centipawns(20), Centipawns(-70), None, Mate("black", 1), Mate("black", 0)),
    best_moves_uci=("e2e4", "e7e5", "e2e4", "d8h4", None),
)


def stored_game(id: str, created_at_ms: int, white: str = "ann", black: str = "bob") -> StoredGame:
    return StoredGame(
        id=id,
        created_at_ms=created_at_ms,
        white_id=white,
        black_id=black,
        record_json=f'{{"id":"{id}"}}',
    )


def test_evaluations_come_back_as_they_were_kept_after_reopening(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        assert store.evals(FOOLS_MATE, ENGINE, LIMIT) is None
        store.add_evals(FOOLS_MATE, EVALS)
    with Store(tmp_path / "store.sqlite") as store:
        assert store.evals(FOOLS_MATE, ENGINE, LIMIT) == EVALS


def test_another_engine_budget_or_move_is_another_evaluation(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        store.add_evals(FOOLS_MATE, EVALS)
        shorter = PositionSequence(game_id="g1", start_fen=START, moves_uci=("f2f3",))
        assert store.evals(shorter, ENGINE, LIMIT) is None
        assert store.evals(FOOLS_MATE, EngineId(name="Stockfish 17"), LIMIT) is None
        assert store.evals(FOOLS_MATE, ENGINE, SearchLimit(nodes_per_position=2000)) is None


def test_a_game_kept_twice_is_there_once_as_it_came_last(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        store.add_games([stored_game("a", 1), stored_game("b", 2)])
        analysed = StoredGame(
            id="a", created_at_ms=1, white_id="ann", black_id="bob", record_json='{"id":"a","x":1}'
        )
        store.add_games([analysed])
        assert list(store.games_of("ann")) == ['{"id":"b"}', '{"id":"a","x":1}']


def test_a_player_s_games_come_newest_first_within_the_times_asked_for(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        store.add_games([stored_game(str(i), i * 10) for i in range(6)])
        store.add_games([stored_game("other", 30, "cat", "dan")])
        found = list(store.games_of("bob", since_ms=20, until_ms=40))
        assert found == ['{"id":"4"}', '{"id":"3"}', '{"id":"2"}']
        assert list(store.games_of("nobody")) == []


def test_how_far_fetching_got_is_remembered(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        assert store.fetched_spans("ann") == ()
        store.set_fetched_spans("ann", [Span(1, 3), Span(5, 9)])
        store.set_fetched_spans("ann", [Span(5, 12), Span(1, 3)])
    with Store(tmp_path / "store.sqlite") as store:
        assert store.fetched_spans("ann") == (Span(1, 3), Span(5, 12))
        assert store.fetched_spans("bob") == ()


def test_a_store_of_a_newer_movelo_is_refused_with_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    with Store(file):
        pass
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE meta SET value = '99'")
    connection.close()
    with pytest.raises(StoreError, match=r"newer movelo \(schema 99.*install that"):
        Store(file)


def test_a_file_that_is_no_store_is_refused_with_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    file.write_text("this is not a database, and it is long enough to be read as a header")
    with pytest.raises(StoreError, match=r"cannot be used: file is not a database.*move the file"):
        Store(file)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be used"):
        Store(tmp_path / "file" / "store.sqlite")


def test_a_full_disk_is_said_and_what_was_kept_stays(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    with Store(file) as store:
        store.add_games([stored_game("a", 1)])
        store._database._connection.exec_driver_sql("PRAGMA max_page_count = 20")
        store._database._connection.commit()
        with pytest.raises(StoreError, match=r"full.*free some disk space"):
            store.add_games([stored_game(str(i), i, "x" * 500) for i in range(2000)])
    with Store(file) as store:
        assert list(store.games_of("ann")) == ['{"id":"a"}']


WRITER = """
import sys
from pathlib import Path
from pipeline.store import Store, StoredGame
with Store(Path(sys.argv[1])) as store:
    for i in range(100_000):
        store.add_games([StoredGame(id=str(i), created_at_ms=i, white_id="ann", black_id=None,
                                    record_json="{}" * 500)])
        print(i, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is a POSIX signal")
def test_a_killed_writer_leaves_a_store_that_opens_and_has_all_it_confirmed(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    root = Path(__file__).parent.parent
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE, text=True, cwd=root
    )
    assert process.stdout is not None
    confirmed = [process.stdout.readline() for _ in range(20)]
    time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split()
    process.stdout.close()
    process.wait()
    with Store(file) as store:
        kept = len(list(store.games_of("ann")))
    assert kept >= len(confirmed) + len(rest)


def test_two_stores_on_one_file_do_not_get_in_each_other_s_way(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    with Store(file) as one, Store(file) as two:
        for i in range(20):
            one.add_games([stored_game(f"one{i}", i)])
            two.add_games([stored_game(f"two{i}", i)])
        assert len(list(one.games_of("ann"))) == len(list(two.games_of("bob"))) == 40
