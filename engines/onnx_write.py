"""Write an ONNX model: constants, nodes, inputs and outputs, serialised.

Source of the field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy.typing as npt

from engines.protobuf import bytes_field, float_field, integer_field

Attribute: TypeAlias = int | float | Sequence[int]
Shape: TypeAlias = Sequence[int | str]
"""A dimension is a size, or the name of one that is known only when the model runs."""

CONTRIBUTED = "com.microsoft"
"""onnxruntime's own operators; source: its docs/ContribOperators.md."""

_OPSETS = {"": 18, CONTRIBUTED: 1}
_IR_VERSION = 10
_ELEMENT_TYPES = {"float32": 1, "int8": 3, "int64": 7}
_FLOAT, _INT, _INTS = 1, 2, 7


class GraphWriter:
    """Collects a graph, naming each value itself; `serialised` gives the file's content."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._fields: list[bytes] = []
        self._values = 0

    def input(self, name: str, element_type: str, shape: Shape) -> str:
        """Declare an input, and give its name back."""
        self._fields.append(bytes_field(11, _value_info(name, element_type, shape)))
        return name

    def constant(self, values: npt.NDArray[Any]) -> str:
        """Add a tensor, and give its name back."""
        name = self._new_name()
        self._fields.append(bytes_field(5, _tensor(name, values)))
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: Attribute) -> str:
        """Add a node of one output, and give that one's name back."""
        return self.split(operator, *inputs, outputs=1, domain=domain, **attributes)[0]

    def split(
        self, operator: str, *inputs: str, outputs: int, domain: str = "", **attributes: Attribute
    ) -> tuple[str, ...]:
        """Add a node of several outputs, and give their names back."""
        names = tuple(self._new_name() for _ in range(outputs))
        self._add_node(operator, inputs, names, domain, attributes)
        return names

    def output(self, value: str, name: str, shape: Shape) -> None:
        """Let a float32 value leave the graph under `name`."""
        self._add_node("Identity", (value,), (name,), "", {})
        self._fields.append(bytes_field(12, _value_info(name, "float32", shape)))

    def serialised(self, metadata: Mapping[str, str]) -> bytes:
        """The whole model, with `metadata` in it."""
        graph = bytes_field(2, self._name) + b"".join(self._fields)
        parts = [integer_field(1, _IR_VERSION), bytes_field(2, "movelo"), bytes_field(7, graph)]
        for domain, version in _OPSETS.items():
            parts.append(bytes_field(8, bytes_field(1, domain) + integer_field(2, version)))
        for key, value in metadata.items():
            parts.append(bytes_field(14, bytes_field(1, key) + bytes_field(2, value)))
        return b"".join(parts)

    def _new_name(self) -> str:
        self._values += 1
        return f"value_{self._values}"

    def _add_node(
        self,
        operator: str,
        inputs: Sequence[str],
        outputs: Sequence[str],
        domain: str,
        attributes: Mapping[str, Attribute],
    ) -> None:
        parts = [bytes_field(1, name) for name in inputs]
        parts += [bytes_field(2, name) for name in outputs]
        parts += [bytes_field(4, operator), bytes_field(7, domain)]
        parts += [bytes_field(5, _attribute(*item)) for item in attributes.items()]
        self._fields.append(bytes_field(1, b"".join(parts)))


def _tensor(name: str, values: npt.NDArray[Any]) -> bytes:
    little_endian = values.astype(values.dtype.newbyteorder("<"))
    dimensions = b"".join(integer_field(1, size) for size in values.shape)
    element_type = integer_field(2, _ELEMENT_TYPES[values.dtype.name])
    return (
        dimensions + element_type + bytes_field(8, name) + bytes_field(9, little_endian.tobytes())
    )


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, int):
        return bytes_field(1, name) + integer_field(3, value) + integer_field(20, _INT)
    if isinstance(value, float):
        return bytes_field(1, name) + float_field(2, value) + integer_field(20, _FLOAT)
    values = b"".join(integer_field(8, item) for item in value)
    return bytes_field(1, name) + values + integer_field(20, _INTS)


def _value_info(name: str, element_type: str, shape: Shape) -> bytes:
    dimensions = b"".join(bytes_field(1, _dimension(size)) for size in shape)
    tensor = integer_field(1, _ELEMENT_TYPES[element_type]) + bytes_field(2, dimensions)
    return bytes_field(1, name) + bytes_field(2, bytes_field(1, tensor))


def _dimension(size: int | str) -> bytes:
    return bytes_field(2, size) if isinstance(size, str) else integer_field(1, size)
