"""The steps that recur in Maia-3's network: products, quantised or not, sums and normalisation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engines.onnx_read import Tensor
from engines.onnx_write import CONTRIBUTED, GraphWriter

_LARGEST_WEIGHT = 63
"""Of 7 bits: see `maia_network`."""
_EPSILON = 1e-5


class NetworkSteps:
    """Every method adds nodes to `graph` and gives the name of what they compute."""

    def __init__(
        self, graph: GraphWriter, weights: Mapping[str, Tensor], *, quantised: bool
    ) -> None:
        self._graph = graph
        self._weights = weights
        self._quantised = quantised

    def multiplied(self, value: str, matrix: Tensor, bias: Tensor | None = None) -> str:
        """The product with a weight matrix, and its bias added."""
        return self.product(value, self.matrix_inputs(matrix), bias)

    def matrix_inputs(self, matrix: Tensor) -> tuple[str, ...]:
        """The matrix, and where it is quantised its scales by column and their zero points."""
        if not self._quantised:
            return (self._graph.constant(matrix),)
        scales = np.abs(matrix).max(axis=0) / np.float32(_LARGEST_WEIGHT)
        rounded = np.rint(matrix / scales).astype(np.int8)
        zeros = np.zeros(scales.shape, dtype=np.int8)
        return tuple(self._graph.constant(part) for part in (rounded, scales, zeros))

    def product(self, value: str, matrix: tuple[str, ...], bias: Tensor | None = None) -> str:
        """The same, with a matrix that `matrix_inputs` has put into the graph already."""
        biases = () if bias is None else (self._graph.constant(bias),)
        if self._quantised:
            return self._graph.node(
                "DynamicQuantizeMatMul", value, *matrix, *biases, domain=CONTRIBUTED
            )
        product = self._graph.node("MatMul", value, *matrix)
        return self._graph.node("Add", product, *biases) if biases else product

    def products(self, value: str, matrices: Sequence[Tensor]) -> list[str]:
        """With each matrix; `value` is quantised once."""
        if not self._quantised:
            return [self.multiplied(value, matrix) for matrix in matrices]
        rounded, scale, zero = self._graph.split("DynamicQuantizeLinear", value, outputs=3)
        return [
            self._graph.node(
                "MatMulIntegerToFloat",
                *(rounded, weights, scale, scales, zero, zeros),
                domain=CONTRIBUTED,
            )
            for weights, scales, zeros in map(self.matrix_inputs, matrices)
        ]

    def linear(self, value: str, name: str) -> str:
        """A layer by its name, in float32: its weights are kept with rows of outputs."""
        weight, bias = (self.weight(f"{name}.{part}") for part in ("weight", "bias"))
        return self._graph.node("Gemm", value, weight, bias, transB=1)

    def gelu(self, value: str) -> str:
        """The activation, as onnxruntime fuses it."""
        return self._graph.node("Gelu", value, domain=CONTRIBUTED)

    def mean(self, squares: str) -> str:
        """Over the squares."""
        return self._graph.node("ReduceMean", squares, self.integers(0), keepdims=0)

    def layer_norm(self, value: str, name: str) -> str:
        """Centred, by the weights of the layer of this name."""
        weight, bias = (self.weight(f"{name}.{part}") for part in ("weight", "bias"))
        return self._graph.node(
            "LayerNormalization", value, weight, bias, axis=-1, epsilon=_EPSILON
        )

    def added_and_normalised(self, value: str, step: str, name: str) -> str:
        """A step added to what went into it; by the root mean square, not centred."""
        together = self._graph.node("Add", value, step)
        return self._graph.node(
            "SimplifiedLayerNormalization",
            *(together, self.weight(f"{name}.weight")),
            axis=-1,
            epsilon=_EPSILON,
        )

    def sliced(self, value: str, start: int, end: int, *, axis: int) -> str:
        """From `start` to before `end`."""
        limits = (self.integers(number) for number in (start, end, axis))
        return self._graph.node("Slice", value, *limits)

    def weight(self, name: str) -> str:
        """A published weight, by its name."""
        return self._graph.constant(self._weights[name])

    def scalar(self, value: float) -> str:
        """A number in float32."""
        return self._graph.constant(np.array(value, dtype=np.float32))

    def integers(self, *values: int) -> str:
        """A list, as shapes and axes are given."""
        return self._graph.constant(np.array(values, dtype=np.int64))
