"""What is kept of a player can be deleted: all of it, and of nobody else."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from simulated_humans import simulated_likelihoods

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
from pipeline.store import EvidenceKey, Forgotten, Store, StoredGame

pytest_plugins = ["postgresql_server"]

ENGINE = EngineId(name="made")
LIMIT = SearchLimit(nodes_per_position=100)
NOTHING = Forgotten(
    games=0,
    evidence=0,
    fetched_spans=0,
    evaluations=0,
    human_likelihoods=0,
    also_of=(),
    unattributed=0,
)
ALL_TABLES = (
    "games", "evidence", "fetched_spans", "evaluations", "human_likelihoods", "game_moves",
)  # fmt: skip
HUMAN = simulated_likelihoods(
    {"white": 1400.0, "black": 1900.0}, np.random.default_rng(1), plies=20
)


def positions(game_id: str, move: str) -> PositionSequence:
    return PositionSequence(game_id=game_id, start_fen="start", moves_uci=(move,))


def key(game_id: str, color: str = "white") -> EvidenceKey:
    return EvidenceKey(
        game_id=game_id,
        color=color,  # type: ignore[arg-type]
        model="made",
        engine=LICHESS_ANALYSIS,
        limit=None,
        human_network="",
        inputs_digest="",
    )


def keep(store: Store, game_id: str, white: str, black: str, *, move: str = "e2e4") -> None:
    """A game with everything that is ever computed of one."""
    store.add_games(
        [
            StoredGame(
                id=game_id, created_at_ms=1, white_id=white, black_id=black, record_json=game_id
            )
        ]
    )
    compute(store, game_id, move)
    for color in ("white", "black"):
        made = Evidence(game_id=game_id, color=color, scale="s", moves=1, log_likelihoods=(0.0,))
        store.add_evidence(key(game_id, color), made)


def compute(store: Store, game_id: str, move: str) -> None:
    went = positions(game_id, move)
    store.add_evals(
        went,
        GameEvals(
            game_id=game_id,
            engine=ENGINE,
            limit=LIMIT,
            evals=(Centipawns(1), None),
            best_moves_uci=(None, None),
        ),
    )
    store.add_human_likelihoods(went, "net", HUMAN)


def is_evaluated(store: Store, game_id: str, move: str) -> bool:
    went = positions(game_id, move)
    found = (store.evals(went, ENGINE, LIMIT), store.human_likelihoods(went, "net"))
    assert (found[0] is None) == (found[1] is None)
    return found[0] is not None


def test_of_who_is_forgotten_nothing_is_left(
    store_url: Path | str, run_sql: Callable[..., list[tuple[object]]]
) -> None:
    with Store(store_url) as store:
        keep(store, "g1", "ann", "bob", move="e2e4")
        keep(store, "g2", "cat", "ann", move="d2d4")
        store.set_fetched_spans("ann", [Span(1, 2), Span(5, 6)])
        assert store.forget("ann") == replace(
            NOTHING, games=2, evidence=4, fetched_spans=2, evaluations=2, human_likelihoods=2
        )
        assert store.forget("ann") == NOTHING
    for table in ALL_TABLES:
        assert run_sql(store_url, f"SELECT count(*) FROM {table}") == [(0,)]


def test_of_others_everything_stays(store_url: Path | str) -> None:
    with Store(store_url) as store:
        keep(store, "g1", "ann", "bob", move="e2e4")
        keep(store, "g2", "bob", "cat", move="d2d4")
        store.set_fetched_spans("ann", [Span(1, 2)])
        store.set_fetched_spans("bob", [Span(1, 3)])
        found = store.forget("ann")
        assert (found.games, found.also_of) == (1, (("bob", 1),))
        assert list(store.games_of("bob")) == ["g2"]
        assert store.fetched_spans("bob") == (Span(1, 3),)
        assert store.evidence(key("g2")) is not None
        assert is_evaluated(store, "g2", "d2d4")


def test_what_was_computed_of_moves_that_another_game_went_by_too_stays(
    store_url: Path | str,
) -> None:
    with Store(store_url) as store:
        keep(store, "g1", "ann", "bob", move="e2e4")
        keep(store, "g2", "bob", "cat", move="e2e4")
        found = store.forget("ann")
        assert (found.games, found.evaluations, found.human_likelihoods) == (1, 0, 0)
        assert is_evaluated(store, "g2", "e2e4")
        assert store.forget("cat").evaluations == 1
        assert not is_evaluated(store, "g2", "e2e4")


def test_another_game_that_only_looked_up_what_was_computed_keeps_it(
    store_url: Path | str,
) -> None:
    with Store(store_url) as store:
        keep(store, "g1", "ann", "bob", move="e2e4")
        assert is_evaluated(store, "from a file", "e2e4")
        assert store.forget("ann").evaluations == 0
        assert is_evaluated(store, "from a file", "e2e4")


def test_what_an_older_movelo_computed_is_told_apart_from_what_is_known(
    store_url: Path | str, run_sql: Callable[..., object]
) -> None:
    with Store(store_url) as store:
        keep(store, "g1", "ann", "bob", move="e2e4")
        keep(store, "g2", "ann", "bob", move="d2d4")
        run_sql(store_url, "DELETE FROM game_moves")  # as in a store that was migrated
        assert is_evaluated(store, "g1", "e2e4")
        found = store.forget("ann")
        assert (found.evaluations, found.human_likelihoods, found.unattributed) == (1, 1, 2)


def test_forgetting_that_fails_half_way_has_forgotten_nothing(
    tmp_path: Path, run_sql: Callable[..., list[tuple[object]]]
) -> None:
    file = tmp_path / "store.sqlite"
    with Store(file) as store:
        keep(store, "g1", "ann", "bob")
        store.set_fetched_spans("ann", [Span(1, 2)])
        before = [run_sql(file, f"SELECT * FROM {table}") for table in ALL_TABLES]
        run_sql(
            file,
            "CREATE TRIGGER held BEFORE DELETE ON fetched_spans "
            "BEGIN SELECT RAISE(ABORT, 'not now'); END",
        )
        with pytest.raises(StoreError, match="not now"):
            store.forget("ann")
        assert [run_sql(file, f"SELECT * FROM {table}") for table in ALL_TABLES] == before
        run_sql(file, "DROP TRIGGER held")
        assert store.forget("ann").games == 1


def test_what_is_forgotten_is_not_in_the_file_any_more(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        keep(store, "g1", "ann-of-green-gables", "bob")
        store.set_fetched_spans("ann-of-green-gables", [Span(1, 2)])
        store.forget("ann-of-green-gables")
    for file in tmp_path.iterdir():
        assert b"green" not in file.read_bytes()
