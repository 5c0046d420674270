"""What took long to compute is kept, found again as it was, and never taken for another's."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulated_humans import simulated_likelihoods

from engines.evals import LICHESS_ANALYSIS, EngineId, PositionSequence, SearchLimit
from engines.human_likelihoods import RATINGS, HumanLikelihoods
from pipeline.records import Evidence
from pipeline.store import EvidenceKey, Store
from pipeline.store.packing import packed_numbers, unpacked_numbers

pytest_plugins = ["postgresql_server"]

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
    store_url: Path | str, plies: int
) -> None:
    with Store(store_url) as store:
        assert store.human_likelihoods(GAME, "net") is None
        told = store.add_human_likelihoods(GAME, "net", human(plies))
    with Store(store_url) as store:
        found = store.human_likelihoods(GAME, "net")
    assert found is not None and told.game_id == found.game_id
    for name, column in columns(found).items():
        np.testing.assert_array_equal(columns(told)[name], column)
    assert found is not None and (found.game_id, found.ratings) == ("g", RATINGS)
    for name, column in columns(human(plies)).items():
        back = columns(found)[name]
        assert (back.dtype, back.shape) == (column.dtype, column.shape)
        np.testing.assert_array_equal(back, column.astype(np.float16).astype(column.dtype))


def test_other_moves_and_another_network_are_another_reading(store_url: Path | str) -> None:
    with Store(store_url) as store:
        store.add_human_likelihoods(GAME, "net", human())
        assert store.human_likelihoods(GAME, "net 2") is None
        assert store.human_likelihoods(replace(GAME, moves_uci=("e2e4",)), "net") is None
        renamed = store.human_likelihoods(replace(GAME, game_id="again"), "net")
        assert renamed is not None and renamed.game_id == "again"
        with pytest.raises(ValueError, match="likelihoods are kept for"):
            store.add_human_likelihoods(GAME, "net", replace(human(), ratings=(1, 2, 3, 4, 5)))


@pytest.mark.parametrize("damage", [b"", b"nonsense", packed_numbers((1.0,))])
def test_a_damaged_reading_is_as_good_as_none(
    store_url: Path | str, run_sql: Callable[..., object], damage: bytes
) -> None:
    with Store(store_url) as store:
        store.add_human_likelihoods(GAME, "net", human())
        store.add_evidence(KEY, EVIDENCE)
    run_sql(store_url, "UPDATE human_likelihoods SET likelihoods = :damage", damage=damage)
    run_sql(store_url, "UPDATE evidence SET log_likelihoods = :damage", damage=damage[:-1])
    with Store(store_url) as store:
        assert store.human_likelihoods(GAME, "net") is None
        assert store.evidence(KEY) is None
        store.add_human_likelihoods(GAME, "net", human())
        assert store.human_likelihoods(GAME, "net") is not None


def test_evidence_comes_back_to_the_last_bit_after_reopening(store_url: Path | str) -> None:
    with Store(store_url) as store:
        assert store.evidence(KEY) is None
        store.add_evidence(KEY, EVIDENCE)
    with Store(store_url) as store:
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
    store_url: Path | str, other: dict[str, object]
) -> None:
    with Store(store_url) as store:
        store.add_evidence(KEY, EVIDENCE)
        assert store.evidence(replace(KEY, **other)) is None  # type: ignore[arg-type]


def test_the_games_that_a_model_has_evidence_of_are_known_without_reading_them(
    store_url: Path | str,
) -> None:
    searched = EngineId(name="fish"), SearchLimit(nodes_per_position=10)
    with Store(store_url) as store:
        for game_id in ("given", "g999"):
            store.add_evidence(replace(KEY, game_id=game_id), replace(EVIDENCE, game_id=game_id))
        key = replace(KEY, game_id="own", engine=searched[0], limit=searched[1], human_network="")
        store.add_evidence(key, replace(EVIDENCE, game_id="own"))
        ids = [*(f"g{number}" for number in range(1200)), "given", "own"]

        def known(nodes: int, model: str = "made 1") -> set[tuple[str, str]]:
            return store.games_with_evidence(ids, model=model, nodes_per_position=nodes)

        assert known(10) == {("given", "net"), ("g999", "net"), ("own", "")}
        assert known(20) == {("given", "net"), ("g999", "net")}
        assert known(10, model="another") == set()


def test_evidence_of_a_game_that_came_again_with_more_replaces_the_old(
    store_url: Path | str,
) -> None:
    with Store(store_url) as store:
        store.add_evidence(KEY, EVIDENCE)
        newer = replace(KEY, inputs_digest="with clocks")
        store.add_evidence(newer, replace(EVIDENCE, moves=32))
        assert store.evidence(KEY) is None
        assert store.evidence(newer) == replace(EVIDENCE, moves=32)


@given(st.lists(st.floats(allow_nan=False)))
def test_numbers_survive_packing(values: list[float]) -> None:
    assert unpacked_numbers(packed_numbers(tuple(values))) == tuple(values)
