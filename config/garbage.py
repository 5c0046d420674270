"""How often Python looks for objects that hold each other."""

import gc

_OBJECTS_BETWEEN_LOOKS = 50_000


def look_seldom() -> None:
    """Let very many objects be made between two looks; for programs, not for libraries.

    A game is thousands of small objects, hardly any of which hold each other, and Python's usual
    700 let it look through all that is there again and again: 11 % of a batch's time
    (`tests/bench_batch.py`, alternating).
    """
    gc.set_threshold(_OBJECTS_BETWEEN_LOOKS, 20, 20)
