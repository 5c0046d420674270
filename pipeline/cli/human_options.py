"""The options by which measuring and fitting are told about the human-move model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

HumanOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--human",
        metavar="DIR",
        help="Likelihoods of the human-move model, by game; what is computed is kept there.",
    ),
]
HumanGamesOption: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--human-games",
        min=0,
        metavar="N",
        help="Ask the human-move model about up to N games that DIR lacks, always the same "
        "ones; a second or two a game.",
    ),
]
