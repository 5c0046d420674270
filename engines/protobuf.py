"""The wire format of protocol buffers: what it takes to read and write an ONNX file.

Source: https://protobuf.dev/programming-guides/encoding. The packages `onnx` and `protobuf`
would do it too, but they are larger than the model, and nothing else here needs them.
"""

from __future__ import annotations

import struct
from collections import defaultdict

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIXED_SIZES = {_FIXED64: 8, _FIXED32: 4}


class Message:
    """A message's fields by number, unread until asked for. ValueError where it is none."""

    def __init__(self, content: bytes | memoryview) -> None:
        self._integers: defaultdict[int, list[int]] = defaultdict(list)
        self._contents: defaultdict[int, list[memoryview]] = defaultdict(list)
        self._split(memoryview(content))

    def integers(self, number: int) -> list[int]:
        """A repeated integer field, whether its writer packed it or not."""
        packed = [value for content in self._contents[number] for value in _varints(content)]
        return self._integers[number] + packed

    def contents(self, number: int) -> list[memoryview]:
        """A repeated field of bytes."""
        return self._contents[number]

    def texts(self, number: int) -> list[str]:
        """A repeated field of text."""
        return [bytes(content).decode() for content in self._contents[number]]

    def messages(self, number: int) -> list[Message]:
        """A repeated field of messages."""
        return [Message(content) for content in self._contents[number]]

    def _split(self, content: memoryview) -> None:
        position = 0
        while position < len(content):
            key, position = _varint(content, position)
            number, kind = key >> 3, key & 7
            if kind == _VARINT:
                value, position = _varint(content, position)
                self._integers[number].append(value)
            else:
                length, position = _length(content, position, kind)
                self._contents[number].append(_slice(content, position, length))
                position += length


def integer_field(number: int, value: int) -> bytes:
    """An integer, 0 or more or a 64-bit negative one."""
    return _key(number, _VARINT) + _varint_bytes(value & 0xFFFF_FFFF_FFFF_FFFF)


def float_field(number: int, value: float) -> bytes:
    """A 32-bit float."""
    return _key(number, _FIXED32) + struct.pack("<f", value)


def bytes_field(number: int, content: bytes | str) -> bytes:
    """Bytes, a text or a serialised message."""
    encoded = content.encode() if isinstance(content, str) else content
    return _key(number, _BYTES) + _varint_bytes(len(encoded)) + encoded


def _length(content: memoryview, position: int, kind: int) -> tuple[int, int]:
    if kind == _BYTES:
        return _varint(content, position)
    if kind not in _FIXED_SIZES:
        raise ValueError(f"wire type {kind} is unknown")
    return _FIXED_SIZES[kind], position


def _slice(content: memoryview, position: int, length: int) -> memoryview:
    if position + length > len(content):
        raise ValueError("a field is cut short")
    return content[position : position + length]


def _varints(content: memoryview) -> list[int]:
    values: list[int] = []
    position = 0
    while position < len(content):
        value, position = _varint(content, position)
        values.append(value)
    return values


def _varint(content: memoryview, position: int) -> tuple[int, int]:
    """Seven bits a byte, lowest first; the top bit says that another byte follows."""
    value = shift = 0
    while position < len(content):
        byte = content[position]
        value |= (byte & 127) << shift
        position, shift = position + 1, shift + 7
        if byte < 128:
            return value, position
    raise ValueError("an integer is cut short")


def _varint_bytes(value: int) -> bytes:
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def _key(number: int, kind: int) -> bytes:
    return _varint_bytes(number << 3 | kind)
