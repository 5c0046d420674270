"""A tiny network of Maia's shape: random weights, as they are published, and what they compute."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from math import erf, sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engines.maia_network import write_network
from engines.maia_sources import PublishedFile, PublishedModel
from engines.onnx_read import PublishedWeights
from engines.protobuf import bytes_field, integer_field

WIDTH, WIDE, HEADS, LAYERS = 16, 24, 2, 2
RATING_WIDTH, SUMMARY, BIAS_WIDTH = 4, 6, 4

Array = npt.NDArray[np.float64]


def made_weights(seed: int = 0) -> PublishedWeights:
    """Weights as large as makes the answers differ clearly."""
    random = np.random.default_rng(seed)

    def some(*shape: int) -> npt.NDArray[np.float32]:
        return (random.normal(size=shape) * 0.5).astype(np.float32)

    by_name = {
        "elo_embedding_low.weight": some(1, RATING_WIDTH) * 4,
        "elo_embedding_high.weight": some(1, RATING_WIDTH) * 4,
        "token_projection.bias": some(WIDTH),
        "fc_value_hid.weight": some(WIDTH, WIDTH),
        "fc_value_hid.bias": some(WIDTH),
        "fc_value.weight": some(3, WIDTH),
        "fc_value.bias": some(3),
        f"transformer.layers.{LAYERS - 1}.self_attn.gab_weight": some(4096, BIAS_WIDTH),
    }
    for name, size in (("transformer.norm", WIDTH), ("last_ln", WIDTH)):
        by_name |= {f"{name}.weight": 1 + some(size), f"{name}.bias": some(size)}
    matrices = [some(96 + 2 * RATING_WIDTH, WIDTH)]
    for layer in range(LAYERS):
        by_name |= _layer_weights(f"transformer.layers.{layer}", some)
        shapes = ((WIDTH, 3 * WIDTH), (WIDTH, WIDTH), (WIDTH, WIDE), (WIDE, WIDTH))
        matrices += [some(*shape) for shape in shapes]
    matrices += [2 * some(WIDTH, WIDTH), some(WIDTH, WIDTH), some(WIDTH, 4)]
    return PublishedWeights(by_name=by_name, matrices=tuple(matrices))


def _layer_weights(layer, some):  # type: ignore[no-untyped-def]
    name = f"{layer}.self_attn"
    return {
        f"{name}.sm2.weight": some(SUMMARY, WIDTH),
        f"{name}.sm2.bias": some(SUMMARY),
        f"{name}.ln1.weight": 1 + some(SUMMARY),
        f"{name}.ln1.bias": some(SUMMARY),
        f"{name}.sm3.weight": some(HEADS * BIAS_WIDTH, SUMMARY),
        f"{name}.sm3.bias": some(HEADS * BIAS_WIDTH),
        f"{name}.ln2.weight": 1 + some(HEADS * BIAS_WIDTH),
        f"{name}.ln2.bias": some(HEADS * BIAS_WIDTH),
        f"{layer}.linear1.bias": some(WIDE),
        f"{layer}.linear2.bias": some(WIDTH),
        f"{layer}.norm1.weight": 1 + some(WIDTH),
        f"{layer}.norm2.weight": 1 + some(WIDTH),
    }


def write_made_model(path: Path, *, quantised: bool = True) -> Path:
    """A file that `MaiaModel` loads."""
    path.write_bytes(write_network(made_weights(), {}, quantised=quantised))
    return path


# --- the same network, computed plainly ----------------------------------------------------


def plain_logits(weights: PublishedWeights, tokens: Array, rating: float) -> tuple[Array, Array]:
    """Move logits [4352] and value logits [3] of `tokens` [64, 96], one rating for both."""
    w = {name: tensor.astype(float) for name, tensor in weights.by_name.items()}
    matrices = [matrix.astype(float) for matrix in weights.matrices]
    share = min(max(rating, 0), 5000) / 5000
    low, high = w["elo_embedding_low.weight"], w["elo_embedding_high.weight"]
    elo = np.repeat(share * low + (1 - share) * high, 64, axis=0)
    x = np.concatenate([tokens, elo, elo], axis=1) @ matrices[0] + w["token_projection.bias"]
    bias_matrix = w[f"transformer.layers.{LAYERS - 1}.self_attn.gab_weight"].T
    for number in range(LAYERS):
        x = _plain_layer(
            x, w, f"transformer.layers.{number}", matrices[1 + 4 * number :], bias_matrix
        )
    x = _norm(x, w, "transformer.norm")
    origins, targets = x @ matrices[-3], x @ matrices[-2]
    pairs = origins @ targets.T / sqrt(WIDTH)
    pieces = targets[56:] @ matrices[-1] * sqrt(WIDTH)
    promotions = pairs[48:56, 56:, np.newaxis] + pieces[np.newaxis]
    hidden = _linear(_norm(x.mean(axis=0), w, "last_ln"), w, "fc_value_hid")
    value = _linear(np.maximum(hidden, 0), w, "fc_value")
    return np.concatenate([pairs.ravel(), promotions.ravel()]), value


def _plain_layer(x, w, layer, matrices, bias_matrix):  # type: ignore[no-untyped-def]
    name = f"{layer}.self_attn"
    summary = _norm(_gelu(_linear(x.mean(axis=0), w, f"{name}.sm2")), w, f"{name}.ln1")
    summary = _norm(_gelu(_linear(summary, w, f"{name}.sm3")), w, f"{name}.ln2")
    biases = (summary.reshape(HEADS, BIAS_WIDTH) @ bias_matrix).reshape(HEADS, 64, 64)
    query, key, value = np.split(x @ matrices[0], 3, axis=1)
    head_width = WIDTH // HEADS
    attended = []
    for head in range(HEADS):
        part = slice(head * head_width, (head + 1) * head_width)
        scores = query[:, part] @ key[:, part].T / sqrt(head_width) + biases[head]
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        attended.append(weights / weights.sum(axis=1, keepdims=True) @ value[:, part])
    x = _root_mean_square(x + np.concatenate(attended, axis=1) @ matrices[1], w, f"{layer}.norm1")
    wide = _gelu(x @ matrices[2] + w[f"{layer}.linear1.bias"])
    narrow = wide @ matrices[3] + w[f"{layer}.linear2.bias"]
    return _root_mean_square(x + narrow, w, f"{layer}.norm2")


def _linear(x: Array, w: dict[str, Array], name: str) -> Array:
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def _gelu(x: Array) -> Array:
    return np.asarray(x * 0.5 * (1 + np.vectorize(erf)(x / sqrt(2))))


def _norm(x: Array, w: dict[str, Array], name: str) -> Array:
    centred = x - x.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
    return np.asarray(scaled * w[f"{name}.weight"] + w[f"{name}.bias"])


def _root_mean_square(x: Array, w: dict[str, Array], name: str) -> Array:
    return np.asarray(x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5) * w[f"{name}.weight"])


# --- as it would be published --------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class MadePackage:
    """The two files' contents, and their description with digests for `base_url`."""

    network: bytes
    weights: bytes
    model: PublishedModel


def made_package(base_url: str, seed: int = 0) -> MadePackage:
    """Large tensors outside the ONNX file and small ones inside, as PyTorch exports them."""
    network, weights = published_bytes(made_weights(seed))
    model = PublishedModel(
        package="made-maia",
        version="1.0.0",
        base_url=base_url,
        network=described("models/made.onnx", network),
        weights=described("models/made.onnx.data", weights),
        origin="made for tests",
        license="none",
        citation="none",
    )
    return MadePackage(network=network, weights=weights, model=model)


def described(path: str, content: bytes) -> PublishedFile:
    """A file with the size and digest of `content`."""
    digest = hashlib.sha256(content).hexdigest()
    return PublishedFile(path=path, size_bytes=len(content), sha256=digest)


def published_bytes(weights: PublishedWeights) -> tuple[bytes, bytes]:
    """The ONNX file and the file beside it."""
    fields, outside = [], b""
    numbered = {f"val_{number}": matrix for number, matrix in enumerate(weights.matrices)}
    for name, tensor in (weights.by_name | numbered).items():
        content = tensor.astype("<f4").tobytes()
        if len(content) > 256:
            place = _entry("location", "made.onnx.data") + _entry("offset", str(len(outside)))
            where = place + _entry("length", str(len(content))) + integer_field(14, 1)
            outside += content
        else:
            where = bytes_field(9, content)
        sizes = b"".join(integer_field(1, size) for size in tensor.shape)
        fields.append(bytes_field(5, sizes + integer_field(2, 1) + bytes_field(8, name) + where))
    fields += [_matmul("x", name) for name in numbered] + [_matmul("x", "computed_elsewhere")]
    graph = bytes_field(2, "main_graph") + b"".join(fields)
    return integer_field(1, 10) + bytes_field(7, graph), outside


def _entry(key: str, value: str) -> bytes:
    return bytes_field(13, bytes_field(1, key) + bytes_field(2, value))


def _matmul(left: str, right: str) -> bytes:
    return bytes_field(1, bytes_field(1, left) + bytes_field(1, right) + bytes_field(4, "MatMul"))
