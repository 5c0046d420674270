"""Arrays as the store keeps them: compressed, numbers one after another, little-endian."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.human_likelihoods import HumanLikelihoods

_INTEGERS = ("plies", "legal_move_counts")
_VALUES = (
    "log_probabilities",
    "expected_squares",
    "best_log_probabilities",
    "expected_scores",
)
_MATRICES = ("expected_log_probabilities",)
_BYTES_A_NUMBER = 2


def packed_likelihoods(human: HumanLikelihoods) -> bytes:
    """In half precision, which is far finer than what the strength model makes of them."""
    integers = [getattr(human, name).astype("<i2") for name in _INTEGERS]
    values = [getattr(human, name).astype("<f2") for name in (*_VALUES, *_MATRICES)]
    return zlib.compress(b"".join(column.tobytes() for column in (*integers, *values)))


def unpacked_likelihoods(
    packed: bytes, *, game_id: str, ratings: tuple[int, ...]
) -> HumanLikelihoods | None:
    """None when the bytes are not whole: they can be computed again."""
    width = len(ratings)
    shapes: dict[str, tuple[int, ...]] = {
        **dict.fromkeys(_INTEGERS, ()),
        **dict.fromkeys(_VALUES, (width,)),
        **dict.fromkeys(_MATRICES, (width, width)),
    }
    numbers_a_ply = sum(int(np.prod(shape)) for shape in shapes.values())
    try:
        unpacked = zlib.decompress(packed)
    except zlib.error:
        return None
    plies, rest = divmod(len(unpacked), numbers_a_ply * _BYTES_A_NUMBER)
    if rest:
        return None
    columns: dict[str, npt.NDArray[Any]] = {}
    start = 0
    for name, shape in shapes.items():
        count = plies * int(np.prod(shape))
        kept, wanted = ("<i2", np.int64) if name in _INTEGERS else ("<f2", np.float64)
        column = np.frombuffer(unpacked, kept, count=count, offset=start)
        columns[name] = column.astype(wanted).reshape(plies, *shape)
        start += column.nbytes
    return HumanLikelihoods(game_id=game_id, ratings=ratings, **columns)


def packed_numbers(values: tuple[float, ...]) -> bytes:
    """In full precision."""
    return zlib.compress(np.array(values, dtype="<f8").tobytes())


def unpacked_numbers(packed: bytes) -> tuple[float, ...] | None:
    """None when the bytes are not whole."""
    try:
        return tuple(np.frombuffer(zlib.decompress(packed), "<f8").tolist())
    except (zlib.error, ValueError):
        return None
