"""Reading and writing of ONNX files without the package `onnx`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_maia import made_weights, published_bytes

from config.errors import ModelError
from engines.onnx_read import read_weights
from engines.onnx_write import GraphWriter
from engines.protobuf import Message, bytes_field, integer_field

numbers = st.integers(min_value=0, max_value=2**64 - 1)


# --- the wire format -----------------------------------------------------------------------


def test_an_integer_takes_seven_bits_a_byte_lowest_first() -> None:
    # The example of https://protobuf.dev/programming-guides/encoding/#simple
    assert integer_field(1, 150) == bytes([0x08, 0x96, 0x01])


def test_a_text_follows_its_length() -> None:
    # The example of https://protobuf.dev/programming-guides/encoding/#length-types
    assert bytes_field(2, "testing") == bytes([0x12, 0x07]) + b"testing"


@given(st.lists(numbers), st.lists(st.binary(max_size=300)), st.integers(1, 5000))
def test_what_is_written_is_read_back(
    integers: list[int], contents: list[bytes], number: int
) -> None:
    parts = [integer_field(number, value) for value in integers]
    parts += [bytes_field(number + 1, content) for content in contents]
    message = Message(b"".join(parts))
    assert message.integers(number) == integers
    assert [bytes(content) for content in message.contents(number + 1)] == contents


@given(st.lists(numbers, min_size=1))
def test_packed_integers_are_read_like_single_ones(integers: list[int]) -> None:
    packed = b"".join(integer_field(1, value)[1:] for value in integers)
    assert Message(bytes_field(7, packed)).integers(7) == integers


def test_fields_of_fixed_size_are_stepped_over() -> None:
    message = Message(
        bytes([1 << 3 | 5]) + b"abcd" + bytes([2 << 3 | 1]) + b"12345678" + b"\x18\x05"
    )
    assert message.integers(3) == [5]


@pytest.mark.parametrize(
    "content",
    [b"\x12\x07test", b"\x08\x96", b"\x0b", b"\x12"],
    ids=["text", "number", "kind", "length"],
)
def test_bytes_that_are_no_message_are_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"cut short|unknown"):
        Message(content)


# --- weights -------------------------------------------------------------------------------


def test_weights_are_read_from_inside_and_from_beside_the_file() -> None:
    made = made_weights()
    read = read_weights(*published_bytes(made))
    for name, tensor in made.by_name.items():
        assert (read.by_name[name] == tensor).all()
    assert len(read.matrices) == len(made.matrices)
    for found, matrix in zip(read.matrices, made.matrices, strict=True):
        assert (found == matrix).all()


@pytest.mark.parametrize("damage", ["empty", "text", "cut", "weights cut"])
def test_a_damaged_model_is_refused_in_a_sentence(damage: str) -> None:
    network, beside = published_bytes(made_weights())
    contents = {
        "empty": (b"", beside),
        "text": (b"<html>not found</html>", beside),
        "cut": (network[:-10], beside),
        "weights cut": (network, beside[:-10]),
    }
    with pytest.raises(ModelError, match="cannot be read as ONNX"):
        read_weights(*contents[damage])


# --- a graph -------------------------------------------------------------------------------


def test_onnxruntime_computes_what_was_written() -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    graph = GraphWriter("sum")
    x = graph.input("x", "float32", ("rows", 2))
    matrix = graph.constant(np.array([[1, 2], [3, 4]], dtype=np.float32))
    first, second = graph.split(
        "Split", graph.node("MatMul", x, matrix), outputs=2, axis=1, num_outputs=2
    )
    graph.output(graph.node("Sub", first, second), "difference", ("rows", 1))
    session = onnxruntime.InferenceSession(graph.serialised({"made": "by movelo"}))
    rows = np.array([[1, 0], [0, 1], [1, -2]], dtype=np.float32)
    (found,) = session.run(["difference"], {"x": rows})
    assert found.tolist() == [[-1], [-1], [1]]
    assert session.get_modelmeta().custom_metadata_map == {"made": "by movelo"}


def test_a_written_file_is_valid_onnx() -> None:
    onnx = pytest.importorskip("onnx")
    graph = GraphWriter("sum")
    x = graph.input("x", "float32", ("rows", 2))
    halved = graph.node("Mul", x, graph.constant(np.array(0.5, dtype=np.float32)))
    graph.output(graph.node("Transpose", halved, perm=(1, 0)), "y", (2, "rows"))
    onnx.checker.check_model(onnx.load_from_string(graph.serialised({})), full_check=True)
