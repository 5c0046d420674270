"""A network of Maia's in onnxruntime, on the CPU or a GPU. The only file that imports it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from config.errors import ModelError
from config.language import _
from engines.maia_network import NETWORK_VERSION, VERSION_KEY

_log = logging.getLogger(__name__)

CPU, AUTO = "cpu", "auto"
GPU_PROVIDERS = {
    "cuda": "CUDAExecutionProvider",
    "rocm": "ROCMExecutionProvider",
    "coreml": "CoreMLExecutionProvider",
    "dml": "DmlExecutionProvider",
}
"""Our names and onnxruntime's; `auto` takes the first that is there."""
PROVIDERS = (CPU, AUTO, *GPU_PROVIDERS)

_CPU_PROVIDER = "CPUExecutionProvider"
_PROVIDER_OPTIONS = {"CUDAExecutionProvider": {"use_tf32": "0"}}
"""TF32 keeps 10 bits of each factor: numbers would leave those of other machines."""
_ERRORS_ONLY = 3


class Session(Protocol):
    """An `onnxruntime.InferenceSession`, as far as it is used here."""

    def run(self, outputs: list[str], feed: dict[str, Any]) -> list[npt.NDArray[np.float32]]:
        """The outputs of these names."""
        ...


class LoadedNetwork:
    """A network file, loaded, with a session for each thread that is at work.

    The numbers are the same with one for all, but then two threads take 16.3 to 20.2 ms of CPU
    a position, by the luck of the start; with one each 16.3 to 17.2: 0.92 in the mean of ten
    starts, for 8 MB a session.

    `takes_many_positions` tells the float32 network from that of 7 bits.
    """

    def __init__(self, path: Path, *, threads: int, provider: str) -> None:
        """Load what `install_model` made; `provider` is one of `PROVIDERS`.

        `auto` is a GPU where onnxruntime has one and the network is float32, else the CPU.
        Raises ModelError when the file, onnxruntime or a named provider cannot be used. No
        GPU was at hand to run any of these providers but `cpu`.
        """
        self._path = path
        self._threads = threads
        self._content = _content(path)
        self._onnxruntime = _imported()
        self._provider = _CPU_PROVIDER
        first = self._opened()
        self._check_version(first)
        self.takes_many_positions = bool(first.get_inputs()[0].shape[0] != 1)
        self._idle = [self._on_gpu(provider) or first]

    @contextmanager
    def session(self) -> Iterator[Session]:
        """One that nobody else has for as long."""
        try:
            session = self._idle.pop()
        except IndexError:
            session = self._opened()
        try:
            yield session
        finally:
            self._idle.append(session)

    def _on_gpu(self, provider: str) -> Any | None:
        """A session on the GPU that `provider` means; None where that is the CPU."""
        if provider not in PROVIDERS:
            raise ModelError(
                _(
                    "the human-move model knows no provider '{provider}'; choose one of: "
                    "{providers}"
                ).format(provider=provider, providers=", ".join(PROVIDERS))
            )
        name = self._gpu_provider(provider)
        if name is None:
            return None
        self._provider = name
        session = self._opened()
        if session.get_providers()[0] == name:
            return session
        if provider != AUTO:
            raise ModelError(
                _(
                    "onnxruntime has {name}, but it does not start here; see to its driver "
                    "and libraries, or choose the provider '{cpu}'"
                ).format(name=name, cpu=CPU)
            )
        _log.warning("%s does not start here; the human-move model runs on the CPU", name)
        self._provider = _CPU_PROVIDER
        return None

    def _gpu_provider(self, provider: str) -> str | None:
        there = self._onnxruntime.get_available_providers()
        if provider == AUTO:
            usable = GPU_PROVIDERS.values() if self.takes_many_positions else ()
            return next((name for name in usable if name in there), None)
        name = GPU_PROVIDERS.get(provider)
        if name is not None and name not in there:
            raise ModelError(
                _(
                    "the onnxruntime that is installed has no {name}; install one that has, "
                    "or choose the provider '{cpu}'"
                ).format(name=name, cpu=CPU)
            )
        if name is not None and not self.takes_many_positions:
            raise ModelError(
                _(
                    "the human-move model at {path} is of 7 bits, which only a CPU is quick "
                    "with; for a GPU obtain that of float32 with: movelo model install "
                    "--float32"
                ).format(path=self._path)
            )
        return name

    def _opened(self) -> Any:
        options = self._onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = self._threads
        options.log_severity_level = _ERRORS_ONLY
        # DirectML refuses the memory pattern; source: onnxruntime's page on that provider.
        options.enable_mem_pattern = self._provider != GPU_PROVIDERS["dml"]
        providers = [(self._provider, _PROVIDER_OPTIONS.get(self._provider, {}))]
        if self._provider != _CPU_PROVIDER:
            providers.append((_CPU_PROVIDER, {}))
        try:
            return self._onnxruntime.InferenceSession(self._content, options, providers=providers)
        except Exception as error:  # onnxruntime's own classes are private to it
            raise _unusable(self._path, str(error).splitlines()[0]) from error

    def _check_version(self, session: Any) -> None:
        version = session.get_modelmeta().custom_metadata_map.get(VERSION_KEY)
        if version != NETWORK_VERSION:
            raise _unusable(self._path, _("it was made by another version of movelo"))


def _content(path: Path) -> bytes:
    """Kept, for whoever installs anew while it is at work must not change its numbers."""
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise ModelError(
            _(
                "there is no human-move model at {path}; obtain it with: movelo model install"
            ).format(path=path)
        ) from error
    except OSError as error:
        raise _unusable(path, error.strerror or str(error)) from error


def _imported() -> Any:
    try:
        return import_module("onnxruntime")
    except ImportError as error:
        raise ModelError(
            _(
                "the human-move model needs onnxruntime, which cannot be loaded ({error}); "
                "install it with: pip install onnxruntime"
            ).format(error=error)
        ) from error


def _unusable(path: Path, reason: str) -> ModelError:
    return ModelError(
        _(
            "the human-move model at {path} cannot be used ({reason}); obtain it again with: "
            "movelo model install"
        ).format(path=path, reason=reason)
    )
