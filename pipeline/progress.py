"""How a long job tells whoever watches how far it is."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """A door shows it (bars, events); a test records it; `Silent` ignores it."""

    def begin(self, stage: str, total: int | None) -> None:
        """A stage starts; `total` steps are ahead, None where nobody knows yet.

        Called again for the same stage once the total is known. Stages may overlap.
        """

    def advance(self, stage: str, steps: int = 1) -> None:
        """So many more steps of that stage are done."""

    def say(self, sentence: str) -> None:
        """Something a person should know now (a wait, a cut stream)."""


class Silent:
    """Nobody watches."""

    def begin(self, stage: str, total: int | None) -> None:
        """Ignored."""

    def advance(self, stage: str, steps: int = 1) -> None:
        """Ignored."""

    def say(self, sentence: str) -> None:
        """Ignored."""
