"""What is kept between runs comes back as it was, once, from SQLite and from PostgreSQL."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.evals import Centipawns, EngineId, GameEvals, Mate, PositionSequence, SearchLimit
from pipeline.spans import Span
from pipeline.store import Store, StoredGame

pytest_plugins = ["postgresql_server"]

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


def test_evaluations_come_back_as_they_were_kept_after_reopening(store_url: Path | str) -> None:
    with Store(store_url) as store:
        assert store.evals(FOOLS_MATE, ENGINE, LIMIT) is None
        store.add_evals(FOOLS_MATE, EVALS)
    with Store(store_url) as store:
        assert store.evals(FOOLS_MATE, ENGINE, LIMIT) == EVALS


def test_another_engine_budget_or_move_is_another_evaluation(store_url: Path | str) -> None:
    with Store(store_url) as store:
        store.add_evals(FOOLS_MATE, EVALS)
        shorter = PositionSequence(game_id="g1", start_fen=START, moves_uci=("f2f3",))
        assert store.evals(shorter, ENGINE, LIMIT) is None
        assert store.evals(FOOLS_MATE, EngineId(name="Stockfish 17"), LIMIT) is None
        assert store.evals(FOOLS_MATE, ENGINE, SearchLimit(nodes_per_position=2000)) is None


def test_of_several_limits_the_first_that_was_searched_within_counts(
    store_url: Path | str,
) -> None:
    best, good, other = (SearchLimit(nodes_per_position=nodes) for nodes in (3000, 2000, 500))
    with Store(store_url) as store:
        assert store.evals(FOOLS_MATE, ENGINE, best, good) is None
        for limit in (other, good):
            store.add_evals(FOOLS_MATE, replace(EVALS, limit=limit))
        found = replace(EVALS, limit=good)
        assert store.evals(FOOLS_MATE, ENGINE, best, good, other) == found
        store.add_evals(FOOLS_MATE, replace(EVALS, limit=best))
        assert store.evals(FOOLS_MATE, ENGINE, best, good) == replace(EVALS, limit=best)


def test_a_game_kept_twice_is_there_once_as_it_came_last(store_url: Path | str) -> None:
    with Store(store_url) as store:
        store.add_games([stored_game("a", 1), stored_game("b", 2)])
        analysed = StoredGame(
            id="a", created_at_ms=1, white_id="ann", black_id="bob", record_json='{"id":"a","x":1}'
        )
        store.add_games([analysed])
        assert list(store.games_of("ann")) == ['{"id":"b"}', '{"id":"a","x":1}']


def test_a_player_s_games_come_newest_first_within_the_times_asked_for(
    store_url: Path | str,
) -> None:
    with Store(store_url) as store:
        store.add_games([stored_game(str(i), i * 10) for i in range(6)])
        store.add_games([stored_game("other", 30, "cat", "dan")])
        found = list(store.games_of("bob", since_ms=20, until_ms=40))
        assert found == ['{"id":"4"}', '{"id":"3"}', '{"id":"2"}']
        assert list(store.games_of("nobody")) == []


def test_how_far_fetching_got_is_remembered(store_url: Path | str) -> None:
    with Store(store_url) as store:
        assert store.fetched_spans("ann") == ()
        store.set_fetched_spans("ann", [Span(1, 3), Span(5, 9)])
        store.set_fetched_spans("ann", [Span(5, 12), Span(1, 3)])
    with Store(store_url) as store:
        assert store.fetched_spans("ann") == (Span(1, 3), Span(5, 12))
        assert store.fetched_spans("bob") == ()


def test_two_stores_in_one_place_do_not_get_in_each_other_s_way(store_url: Path | str) -> None:
    with Store(store_url) as one, Store(store_url) as two:
        for i in range(20):
            one.add_games([stored_game(f"one{i}", i)])
            two.add_games([stored_game(f"two{i}", i)])
        assert len(list(one.games_of("ann"))) == len(list(two.games_of("bob"))) == 40


def test_games_that_began_together_come_in_the_same_order_from_both_databases(
    store_url: Path | str,
) -> None:
    ids = ["b", "B", "a", "é", "_", "Z", "z", "0"]
    with Store(store_url) as store:
        for game_id in ids:
            players = ("ann", "bob") if game_id < "b" else ("bob", "ann")
            store.add_games([stored_game(game_id, 5, *players)])
        found = [json.loads(record)["id"] for record in store.games_of("ann")]
    assert found == sorted(ids, reverse=True)


def test_a_game_that_comes_twice_in_one_go_is_kept_as_it_came_last(store_url: Path | str) -> None:
    with Store(store_url) as store:
        store.add_games([stored_game("a", 1), stored_game("a", 2, "cat")])
        assert store.count_games_of("ann") == 0
        assert store.count_games_of("cat") == store.count_games_of("bob") == 1


def test_more_games_than_fit_into_one_transaction_all_come_back(store_url: Path | str) -> None:
    with Store(store_url) as store:
        store.add_games(stored_game(str(i), i) for i in range(2500))
        coming = store.games_of("ann")
        first = next(coming)
        store.add_games([stored_game("later", 9999)])  # while another reads
        assert [first, *coming] == [f'{{"id":"{i}"}}' for i in reversed(range(2500))]
        assert store.count_games_of("ann") == 2501


@given(text=st.text(st.characters(codec=None), max_size=20))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_can_be_kept_and_is_found_by_it_again(any_store: Store, text: str) -> None:
    record = json.dumps({"id": text}, ensure_ascii=False)
    any_store.add_games(
        [StoredGame(id=text, created_at_ms=1, white_id=text, black_id=None, record_json=record)]
    )
    assert {"id": text} in [json.loads(record) for record in any_store.games_of(text)]


@pytest.fixture
def any_store(store_url: Path | str) -> Iterator[Store]:
    with Store(store_url) as store:
        yield store
