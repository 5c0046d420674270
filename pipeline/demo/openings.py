"""The names of common openings, for games that come without one: the longest match counts."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.records import Opening

_NAMED = {
    "e4": ("B00", "King's Pawn Game"),
    "e4 e5": ("C20", "King's Pawn Game"),
    "e4 e5 Nf3": ("C40", "King's Knight Opening"),
    "e4 e5 Nf3 Nc6": ("C44", "King's Knight Opening: Normal Variation"),
    "e4 e5 Nf3 Nc6 Bc4": ("C50", "Italian Game"),
    "e4 e5 Nf3 Nc6 Bb5": ("C60", "Ruy Lopez"),
    "e4 e5 Nf3 Nc6 d4": ("C44", "Scotch Game"),
    "e4 e5 Nf3 Nc6 Nc3": ("C46", "Three Knights Opening"),
    "e4 e5 Nf3 d6": ("C41", "Philidor Defense"),
    "e4 e5 Nf3 Nf6": ("C42", "Petrov's Defense"),
    "e4 e5 Bc4": ("C23", "Bishop's Opening"),
    "e4 e5 Nc3": ("C25", "Vienna Game"),
    "e4 e5 d4": ("C21", "Center Game"),
    "e4 e5 f4": ("C30", "King's Gambit"),
    "e4 c5": ("B20", "Sicilian Defense"),
    "e4 e6": ("C00", "French Defense"),
    "e4 c6": ("B10", "Caro-Kann Defense"),
    "e4 d5": ("B01", "Scandinavian Defense"),
    "e4 d6": ("B07", "Pirc Defense"),
    "e4 g6": ("B06", "Modern Defense"),
    "e4 Nf6": ("B02", "Alekhine Defense"),
    "e4 Nc6": ("B00", "Nimzowitsch Defense"),
    "e4 b6": ("B00", "Owen Defense"),
    "d4": ("A40", "Queen's Pawn Game"),
    "d4 d5": ("D00", "Queen's Pawn Game"),
    "d4 d5 Bf4": ("D00", "Queen's Pawn Game: Accelerated London System"),
    "d4 d5 c4": ("D06", "Queen's Gambit"),
    "d4 d5 c4 e6": ("D30", "Queen's Gambit Declined"),
    "d4 d5 c4 c6": ("D10", "Slav Defense"),
    "d4 d5 c4 dxc4": ("D20", "Queen's Gambit Accepted"),
    "d4 Nf6": ("A45", "Indian Defense"),
    "d4 e6": ("A40", "Horwitz Defense"),
    "c4": ("A10", "English Opening"),
    "Nf3": ("A04", "Zukertort Opening"),
    "b3": ("A01", "Nimzo-Larsen Attack"),
    "f4": ("A02", "Bird Opening"),
}
"""ECO code and name as Lichess writes them (https://github.com/lichess-org/chess-openings)."""

_LONGEST = max(len(line.split()) for line in _NAMED)


def opening_of(moves_san: Sequence[str]) -> Opening | None:
    """The opening that the moves begin with; None when it is none of the common ones."""
    for plies in range(min(_LONGEST, len(moves_san)), 0, -1):
        if found := _NAMED.get(" ".join(moves_san[:plies])):
            eco, name = found
            return Opening(eco=eco, name=name, ply=plies)
    return None
