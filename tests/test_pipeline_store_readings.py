"""What took long to compute is kept, found again as it was, and never taken for another's."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_humans import simulated_likelihoods

from engines.evals import LICHESS_ANALYSIS, EngineId, PositionSequence, SearchLimit
from engines.maia import RATINGS, HumanLikelihoods
from pipeline.records import Evidence
from pipeline.store import EvidenceKey, Store
from pipeline.store.packing import packed_numbers, unpacked_numbers

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
GAME = PositionSequence(game_id="g", start_fen=START, moves_uci=("e2e4", "e7e5"))
KEY = EvidenceKey(
    game_id="g",
    color="white",
    model="made 1",
    engine=LICHESS_ANALYSIS,
    limit=None,
    human_network="net",
    inputs_digest="a",
)
EVIDENCE = Evidence(
    game_id="g",
    color="white",
    scale="lichess_blitz",
    moves=31,
    log_likelihoods=(-0.1, -3.0, float(np.nextafter(0.3, 1))),
    with_human_model=True,
)


def human(plies: int = 70) -> HumanLikelihoods:
    levels = {"white": 1400.0, "black": 1900.0}
    found = simulated_likelihoods(levels, np.random.default_rng(1), plies=plies)  # type: ignore[arg-type]
    found.expected_scores[:1] = np.nan
    return found


def columns(of: HumanLikelihoods) -> dict[str, np.ndarray]:
    names = HumanLikelihoods.__dataclass_fields__
    return {n: getattr(of, n) for n in names if isinstance(getattr(of, n), np.ndarray)}


@pytest.mark.parametrize("plies", [70, 7, 6])
def test_human_likelihoods_come_back_in_half_precision_after_reopening(
    tmp_path: Path, plies: int
) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        assert store.human_likelihoods(GAME, "net") is None
        store.add_human_likelihoods(GAME, "net", human(plies))
    with Store(tmp_path / "store.sqlite") as store:
        found = store.human_likelihoods(GAME, "net")
    assert found is not None and (found.game_id, found.ratings) == ("g", RATINGS)
    for name, column in columns(human(plies)).items():
        back = columns(found)[name]
        assert (back.dtype, back.shape) == (column.dtype, column.shape)
        np.testing.assert_array_equal(back, column.astype(np.float16).astype(column.dtype))


def test_other_moves_and_another_network_are_another_reading(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        store.add_human_likelihoods(GAME, "net", human())
        assert store.human_likelihoods(GAME, "net 2") is None
        assert store.human_likelihoods(replace(GAME, moves_uci=("e2e4",)), "net") is None
        renamed = store.human_likelihoods(replace(GAME, game_id="again"), "net")
        assert renamed is not None and renamed.game_id == "again"
        with pytest.raises(ValueError, match="likelihoods are kept for"):
            store.add_human_likelihoods(GAME, "net", replace(human(), ratings=(1, 2, 3, 4, 5)))


@pytest.mark.parametrize("damage", [b"", b"nonsense", packed_numbers((1.0,))])
def test_a_damaged_reading_is_as_good_as_none(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "store.sqlite"
    with Store(file) as store:
        store.add_human_likelihoods(GAME, "net", human())
        store.add_evidence(KEY, EVIDENCE)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE human_likelihoods SET likelihoods = ?", (damage,))
        connection.execute("UPDATE evidence SET log_likelihoods = ?", (damage[:-1],))
    connection.close()
    with Store(file) as store:
        assert store.human_likelihoods(GAME, "net") is None
        assert store.evidence(KEY) is None
        store.add_human_likelihoods(GAME, "net", human())
        assert store.human_likelihoods(GAME, "net") is not None


def test_evidence_comes_back_to_the_last_bit_after_reopening(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        assert store.evidence(KEY) is None
        store.add_evidence(KEY, EVIDENCE)
    with Store(tmp_path / "store.sqlite") as store:
        assert store.evidence(KEY) == EVIDENCE


@pytest.mark.parametrize(
    "other",
    [
        {"game_id": "h"},
        {"color": "black"},
        {"model": "made 2"},
        {"engine": EngineId(name="Stockfish 15.1", network="nn-1.nnue")},
        {"limit": SearchLimit(nodes_per_position=10_000)},
        {"human_network": ""},
        {"inputs_digest": "b"},
    ],
)
def test_evidence_of_something_else_or_made_by_something_else_is_not_taken(
    tmp_path: Path, other: dict[str, object]
) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        store.add_evidence(KEY, EVIDENCE)
        assert store.evidence(replace(KEY, **other)) is None  # type: ignore[arg-type]


def test_evidence_of_a_game_that_came_again_with_more_replaces_the_old(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        store.add_evidence(KEY, EVIDENCE)
        newer = replace(KEY, inputs_digest="with clocks")
        store.add_evidence(newer, replace(EVIDENCE, moves=32))
        assert store.evidence(KEY) is None
        assert store.evidence(newer) == replace(EVIDENCE, moves=32)


@given(st.lists(st.floats(allow_nan=False)))
def test_numbers_survive_packing(values: list[float]) -> None:
    assert unpacked_numbers(packed_numbers(tuple(values))) == tuple(values)


def test_a_store_from_before_there_were_readings_opens_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite"
    with sqlite3.connect(file) as connection:
        connection.executescript(YESTERDAY)
    connection.close()
    with Store(file) as store:
        assert list(store.games_of("ann")) == ['{"id":"a"}']
        store.add_evidence(KEY, EVIDENCE)
        store.add_human_likelihoods(GAME, "net", human())
        assert store.evidence(KEY) == EVIDENCE
        assert store.human_likelihoods(GAME, "net") is not None


YESTERDAY = """
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
"""
"""What version 0.1.0 made."""
