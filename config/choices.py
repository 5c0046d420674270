"""The words that settings and options choose from."""

from __future__ import annotations

from typing import Literal

Speed = Literal["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence", "unknown"]
"""Lichess's words; "unknown" is that of a PGN without a time control."""

Budget = Literal["fast", "standard", "deep"]
"""How long an engine thinks about each position; config/defaults.toml says what they mean."""

Provider = Literal["cpu", "auto", "cuda", "rocm", "coreml", "dml"]
"""Where the human-move model computes; auto takes a GPU that onnxruntime knows, if there is one."""

Format = Literal["terminal", "html", "pdf", "json", "csv"]
"""What a report can be written as."""

Language = Literal["en", "fr", "pt"]
"""What movelo speaks."""
