"""Maia-3's network written anew from its published weights, for fast evaluation on a CPU.

The published export takes one position at one rating. This one takes one position at any
number of ratings, uses onnxruntime's fused operators, and multiplies with 7-bit weights:
about half the time. 7 bits and not 8, because processors without VNNI saturate on 8, and
the numbers would depend on the machine. Onnxruntime scales activations by the largest of a
whole batch; a batch of one position keeps them independent of what else is evaluated.

Source: Monroe et al., Chessformer, ICLR 2026; https://huggingface.co/UofTCSSLab/Maia3-5M. The
board's 64 squares are the tokens. A bias for each layer's attention is computed from the mean
of all squares. Normalisation follows each step (by the root mean square, not centred).

Between the layers the squares come first, [64, R, width]: attention then needs no copies in
another order. With three products for query, key and value instead of one that is split, and
the sum before its normalisation, that took 0.87 of the time (one thread).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.maia_steps import NetworkSteps
from engines.onnx_read import PublishedWeights, Tensor
from engines.onnx_write import CONTRIBUTED, GraphWriter

SQUARES = 64
HISTORY_PLANES = 96
SQUARE_PAIRS = SQUARES * SQUARES
PROMOTIONS = 256

NETWORK_VERSION = "2"
"""To be raised when what `write_network` writes changes: earlier files are then refused."""
VERSION_KEY = "movelo_network_version"

_HIGHEST_RATING = 5000.0
_MATRICES_PER_LAYER = 4
_FLOAT = 1
_SQUARES_FIRST = (1, 0, 2)
"""Swaps squares and ratings, one way and the other."""
_SEVENTH_RANK, _EIGHTH_RANK, _AFTER_ALL_RANKS = 48, 56, 64


def write_network(
    weights: PublishedWeights, metadata: Mapping[str, str], *, quantised: bool = True
) -> bytes:
    """An ONNX file: `tokens` [1, 64, 96] and `self_elo`, `oppo_elo` [R] to logits per rating.

    Not quantised, that is in float32, it also takes `tokens` [R, 64, 96]: a position for each
    rating. `logits_move` [R, 4352] has the order of `maia_tokens.move_index`; `logits_value`
    [R, 3] is loss, draw, win for the side to move. KeyError or IndexError when weights are
    missing.
    """
    graph = GraphWriter("maia")
    _Network(graph, weights, quantised).write()
    return graph.serialised({**metadata, VERSION_KEY: NETWORK_VERSION})


class _Network:
    """The layers in order; every method adds nodes and gives the name of what they compute."""

    def __init__(self, graph: GraphWriter, weights: PublishedWeights, quantised: bool) -> None:
        self._graph = graph
        self._weights = weights.by_name
        self._embedding = weights.matrices[0]
        self._layers = (len(weights.matrices) - 1) // _MATRICES_PER_LAYER
        self._matrices = weights.matrices[1:]
        self._quantised = quantised
        self._steps = NetworkSteps(graph, weights.by_name, quantised=quantised)
        bias_weights = self._weights[f"{_layer(self._layers - 1)}.self_attn.gab_weight"]
        self._bias_width = bias_weights.shape[1]
        self._heads = self._weights[f"{_layer(0)}.self_attn.sm3.bias"].size // self._bias_width
        self._bias_matrix = self._steps.matrix_inputs(bias_weights.T)

    def write(self) -> None:
        squares = self._embedded()
        for layer in range(self._layers):
            squares = self._after_layer(squares, layer)
        squares = self._steps.layer_norm(squares, "transformer.norm")
        move_logits = self._move_logits(squares)
        self._graph.output(move_logits, "logits_move", ("ratings", SQUARE_PAIRS + PROMOTIONS))
        self._graph.output(self._value_logits(squares), "logits_value", ("ratings", 3))

    def _embedded(self) -> str:
        """The position is projected once; a rating adds the same vector to all its squares."""
        positions = 1 if self._quantised else "positions"
        tokens = self._graph.input("tokens", "float32", (positions, SQUARES, HISTORY_PLANES))
        projection = self._graph.constant(self._embedding[:HISTORY_PLANES])
        squares = self._graph.node("Transpose", tokens, perm=_SQUARES_FIRST)
        position = self._graph.node("MatMul", squares, projection)
        return self._graph.node("Add", position, self._rating_vector())

    def _rating_vector(self) -> str:
        """A rating lies between two learned vectors: `low` weighs rating / 5000."""
        low, high = (self._weights[f"elo_embedding_{end}.weight"] for end in ("low", "high"))
        own, opponents = np.split(self._embedding[HISTORY_PLANES:], 2)
        constant = high @ own + high @ opponents + self._weights["token_projection.bias"]
        both = self._graph.node(
            "Add",
            self._rating_term("self_elo", (low - high) @ own),
            self._rating_term("oppo_elo", (low - high) @ opponents),
        )
        return self._graph.node("Add", both, self._graph.constant(constant))

    def _rating_term(self, name: str, direction: npt.NDArray[np.floating[Any]]) -> str:
        rating = self._graph.node("Cast", self._graph.input(name, "int64", ("ratings",)), to=_FLOAT)
        highest = self._steps.scalar(_HIGHEST_RATING)
        clipped = self._graph.node("Clip", rating, self._steps.scalar(0.0), highest)
        share = self._graph.node("Div", clipped, highest)
        column = self._graph.node("Unsqueeze", share, self._steps.integers(1))
        return self._graph.node("Mul", column, self._graph.constant(direction))

    def _after_layer(self, squares: str, layer: int) -> str:
        first = layer * _MATRICES_PER_LAYER
        to_attention, from_attention, widen, narrow = self._matrices[first : first + 4]
        attended = self._attended(squares, layer, to_attention)
        mixed = self._steps.multiplied(attended, from_attention)
        squares = self._steps.added_and_normalised(squares, mixed, f"{_layer(layer)}.norm1")
        wide = self._steps.multiplied(
            squares, widen, self._weights[f"{_layer(layer)}.linear1.bias"]
        )
        narrowed = self._steps.multiplied(
            self._steps.gelu(wide), narrow, self._weights[f"{_layer(layer)}.linear2.bias"]
        )
        return self._steps.added_and_normalised(squares, narrowed, f"{_layer(layer)}.norm2")

    def _attended(self, squares: str, layer: int, matrix: Tensor) -> str:
        query, key, value = self._steps.products(squares, np.split(matrix, 3, axis=1))
        width = matrix.shape[1] // 3 // self._heads
        by_head = self._steps.integers(SQUARES, -1, self._heads, width)
        query, key, value = (self._graph.node("Reshape", x, by_head) for x in (query, key, value))
        likeness = self._graph.node(
            "FusedMatMul",
            *(query, key),
            domain=CONTRIBUTED,
            transBatchA=1,
            transBatchB=1,
            transB=1,
            alpha=1 / sqrt(width),
        )
        biased = self._graph.node("Add", likeness, self._attention_bias(squares, layer))
        weights = self._graph.node("Softmax", biased, axis=-1)
        mixed = self._graph.node("FusedMatMul", weights, value, domain=CONTRIBUTED, transBatchB=1)
        squares_first = self._graph.node("Transpose", mixed, perm=(2, 0, 1, 3))
        together = self._steps.integers(SQUARES, -1, self._heads * width)
        return self._graph.node("Reshape", squares_first, together)

    def _attention_bias(self, squares: str, layer: int) -> str:
        """For every head, how much each square should look at each other in such a position."""
        name = f"{_layer(layer)}.self_attn"
        summary = self._steps.mean(squares)
        for step, norm in (("sm2", "ln1"), ("sm3", "ln2")):
            summary = self._steps.gelu(self._steps.linear(summary, f"{name}.{step}"))
            summary = self._steps.layer_norm(summary, f"{name}.{norm}")
        by_head = self._graph.node(
            "Reshape", summary, self._steps.integers(-1, self._heads, self._bias_width)
        )
        flat = self._steps.product(by_head, self._bias_matrix)
        return self._graph.node(
            "Reshape", flat, self._steps.integers(-1, self._heads, SQUARES, SQUARES)
        )

    def _move_logits(self, squares: str) -> str:
        """How well each from-square fits each to-square; promotions add the piece's own term."""
        origin, target, promoted = self._matrices[self._layers * _MATRICES_PER_LAYER :]
        squares = self._graph.node("Transpose", squares, perm=_SQUARES_FIRST)
        origins, targets = (
            self._steps.multiplied(squares, origin),
            self._steps.multiplied(squares, target),
        )
        turned = self._graph.node("Transpose", targets, perm=(0, 2, 1))
        raw = self._graph.node("MatMul", origins, turned)
        width = sqrt(origin.shape[1])
        pairs = self._graph.node("Mul", raw, self._steps.scalar(1 / width))
        flat = self._graph.node("Reshape", pairs, self._steps.integers(-1, SQUARE_PAIRS))
        promotions = self._promotion_logits(pairs, targets, promoted * np.float32(width))
        return self._graph.node("Concat", flat, promotions, axis=1)

    def _promotion_logits(self, pairs: str, targets: str, matrix: Tensor) -> str:
        """From the seventh rank to the eighth, for each of the pieces."""
        origins = self._steps.sliced(pairs, _SEVENTH_RANK, _EIGHTH_RANK, axis=1)
        moves = self._steps.sliced(origins, _EIGHTH_RANK, _AFTER_ALL_RANKS, axis=2)
        last_rank = self._steps.sliced(targets, _EIGHTH_RANK, _AFTER_ALL_RANKS, axis=1)
        pieces = self._graph.node("MatMul", last_rank, self._graph.constant(matrix))
        by_move = self._graph.node("Unsqueeze", moves, self._steps.integers(3))
        by_piece = self._graph.node("Unsqueeze", pieces, self._steps.integers(1))
        added = self._graph.node("Add", by_move, by_piece)
        return self._graph.node("Reshape", added, self._steps.integers(-1, PROMOTIONS))

    def _value_logits(self, squares: str) -> str:
        summary = self._steps.layer_norm(self._steps.mean(squares), "last_ln")
        hidden = self._graph.node("Relu", self._steps.linear(summary, "fc_value_hid"))
        return self._steps.linear(hidden, "fc_value")


def _layer(number: int) -> str:
    return f"transformer.layers.{number}"
