"""How a report's numbers are made, and what they cannot know."""

from __future__ import annotations

from config.language import english, retold

METHOD = (
    english(
        "Results: each game is compared with what the two ratings before it let one expect. The "
        "performance rating is the rating that fits the score best, its range the ratings that "
        "fit it well enough."
    ),
    english(
        "Luck: the chance of a score supposes that all ratings were right and that no game touched "
        "another; how often games are drawn is taken from these games."
    ),
    english(
        "Moves: a model fitted on real games compares each move, in its position, with how "
        "players of every rating move. It sees neither names, nor ratings, nor results."
    ),
    english(
        "A game's range is for that game alone; the range over many games is narrower, but it "
        "allows for good and bad days and for a style that the model misreads."
    ),
)
LIMITS = (
    english("One game proves little: its range is wide because there is that little to go by."),
    english(
        "A range is about the strength shown in these games, not about what you can or will play."
    ),
    english("A Lichess rating is itself uncertain by about 45–75 points."),
    english(
        "This is no cheat detector: moves far above or below a rating are no evidence of anything "
        "but those moves."
    ),
    english(
        "Accuracy and average centipawn loss depend on how hard the positions were and on the "
        "engine; they are shown for reference and are no measure of strength."
    ),
)


def method() -> tuple[str, ...]:
    """How the numbers are made, a sentence or two a view."""
    return tuple(map(retold, METHOD))


def limits() -> tuple[str, ...]:
    """What the numbers cannot know."""
    return tuple(map(retold, LIMITS))
