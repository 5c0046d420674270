import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.evals import (
    Centipawns,
    Eval,
    Mate,
    SearchLimit,
    eval_from_text,
    eval_to_text,
    policy_with,
)

evaluations: st.SearchStrategy[Eval] = st.one_of(
    st.builds(Centipawns, st.integers(-30_000, 30_000)),
    st.builds(Mate, st.sampled_from(["white", "black"]), st.integers(0, 250)),
)


@given(evaluations)
def test_an_evaluation_survives_being_written_and_read(evaluation: Eval) -> None:
    assert eval_from_text(eval_to_text(evaluation)) == evaluation


@given(evaluations, evaluations)
def test_different_evaluations_are_written_differently(one: Eval, other: Eval) -> None:
    assert (eval_to_text(one) == eval_to_text(other)) == (one == other)


@pytest.mark.parametrize(
    ("evaluation", "text"),
    [
        (Centipawns(-120), "-120"),
        (Mate("white", 3), "#3"),
        (Mate("black", 3), "#-3"),
        (Mate("white", 0), "#+0"),
        (Mate("black", 0), "#-0"),
    ],
)
def test_mates_are_written_from_whites_side(evaluation: Eval, text: str) -> None:
    assert eval_to_text(evaluation) == text


@pytest.mark.parametrize("text", ["", "#", "mate 3", "#x", "1.5"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        eval_from_text(text)


# --- what gives other numbers ----------------------------------------------------------------


def test_without_options_the_policy_is_the_usual_one() -> None:
    assert policy_with([]) == SearchLimit(nodes_per_position=1).policy


@pytest.mark.parametrize("options", [[], [("Contempt", 7)]])
def test_with_all_nodes_the_policy_is_the_one_of_what_was_kept_before_nodes_were_spared(
    options: list[tuple[str, int]],
) -> None:
    limit = SearchLimit(nodes_per_position=1, policy=policy_with(options))
    whole = limit.with_all_nodes().policy
    assert whole.partition(",")[0] == "backwards-warm-hash"
    assert whole.partition(", options ")[2] == limit.policy.partition(", options ")[2]
    assert len(whole) < len(limit.policy)


@pytest.mark.parametrize("options", [[], [("Contempt", 7)]])
def test_what_earlier_versions_searched_with_more_hash_or_nodes_is_as_good(
    options: list[tuple[str, int]],
) -> None:
    today, more_hash, more_nodes = (
        limit.policy
        for limit in SearchLimit(nodes_per_position=1, policy=policy_with(options)).as_good()
    )
    assert today == policy_with(options)
    assert more_hash == policy_with(options, hash_mebibytes=64)
    suffix = more_hash.partition(", options")[1:]
    assert more_nodes == "backwards-warm-hash" + "".join(suffix)


def test_with_the_hash_of_earlier_versions_what_they_found_is_found() -> None:
    limit = SearchLimit(nodes_per_position=1, policy=policy_with([], hash_mebibytes=64))
    assert limit.as_good() == (limit, limit.with_all_nodes())


def test_other_options_are_another_policy() -> None:
    policies = [
        policy_with([]),
        policy_with([], hash_mebibytes=32),
        policy_with([], hash_mebibytes=64),
        policy_with([("SyzygyPath", "/tables")]),
        policy_with([("SyzygyPath", "/others")]),
        policy_with([("SyzygyPath", "/tables"), ("EvalFile", "net.nnue")]),
    ]
    assert len(set(policies)) == len(policies)


def test_the_order_of_options_and_the_case_of_their_names_make_no_difference() -> None:
    one = policy_with([("SyzygyPath", "/tables"), ("Use NNUE", True)])
    assert policy_with([("use nnue", "true"), ("syzygypath", "/tables")]) == one
