"""Take the weights out of a published ONNX model.

Source of the field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from config.errors import ModelError
from config.language import _
from engines.protobuf import Message

Tensor: TypeAlias = npt.NDArray[np.float32]

_MODEL_GRAPH = 7
_GRAPH_NODES, _GRAPH_TENSORS = 1, 5
_NODE_INPUTS, _NODE_OPERATOR = 1, 4
_TENSOR_DIMENSIONS, _TENSOR_TYPE, _TENSOR_NAME = 1, 2, 8
_TENSOR_CONTENT, _TENSOR_ELSEWHERE = 9, 13
_ENTRY_KEY, _ENTRY_VALUE = 1, 2
_FLOAT32 = 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PublishedWeights:
    """The float32 tensors of a model: all of them `by_name`, and its `matrices`.

    `matrices` are what its MatMul nodes multiply with, in the order of the graph: the exporter
    gives those names without a meaning.
    """

    by_name: dict[str, Tensor]
    matrices: tuple[Tensor, ...]


def read_weights(model: bytes, external_data: bytes) -> PublishedWeights:
    """The weights of a serialised model whose larger tensors lie in `external_data`.

    Raises ModelError where the bytes are no such model.
    """
    try:
        graph = _only(Message(model).messages(_MODEL_GRAPH), "graph")
        by_name = dict(_float_tensors(graph, external_data))
        names = [name for name in _multiplied_with(graph) if name in by_name]
    except (ValueError, KeyError, IndexError) as error:
        raise ModelError(
            _(
                "the downloaded human-move model cannot be read as ONNX ({error}); obtain it "
                "again with: movelo model install"
            ).format(error=error)
        ) from error
    return PublishedWeights(by_name=by_name, matrices=tuple(by_name[name] for name in names))


def _float_tensors(graph: Message, external_data: bytes) -> Iterator[tuple[str, Tensor]]:
    for tensor in graph.messages(_GRAPH_TENSORS):
        if _FLOAT32 in tensor.integers(_TENSOR_TYPE):
            shape = tensor.integers(_TENSOR_DIMENSIONS)
            content = _content(tensor, 4 * prod(shape), external_data)
            yield tensor.texts(_TENSOR_NAME)[0], np.frombuffer(content, "<f4").reshape(shape)


def _content(tensor: Message, size_bytes: int, external_data: bytes) -> bytes | memoryview:
    place = dict(_entry(message) for message in tensor.messages(_TENSOR_ELSEWHERE))
    if not place:
        return tensor.contents(_TENSOR_CONTENT)[0]
    offset = int(place.get("offset", "0"))
    return external_data[offset : offset + size_bytes]


def _entry(message: Message) -> tuple[str, str]:
    return message.texts(_ENTRY_KEY)[0], message.texts(_ENTRY_VALUE)[0]


def _multiplied_with(graph: Message) -> Iterator[str]:
    for node in graph.messages(_GRAPH_NODES):
        if node.texts(_NODE_OPERATOR) == ["MatMul"]:
            yield node.texts(_NODE_INPUTS)[1]


def _only(messages: list[Message], what: str) -> Message:
    if len(messages) != 1:
        raise ValueError(_("it has no {what}").format(what=what))
    return messages[0]
