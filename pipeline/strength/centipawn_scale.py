"""What a centipawn was worth when a game was evaluated.

Stockfish 15.1 (December 2022) set 100 centipawns to even chances of winning; before, the same
advantage had been stated higher, and higher from release to release
(https://github.com/official-stockfish/Stockfish/pull/4216). Read as they stand, the same moves
seem to lose more in an old evaluation than in a new one: 150 rating points' worth.
"""

from __future__ import annotations

import re

from pipeline.records import Game, GameAnalysis

OLD_SCALE = 0.71
"""Old centipawns times this are new ones.

Measured, not derived: against local Stockfish 15.1, evaluations of 2021 and 2022 by Lichess
are spread 1 / 0.615 as wide (59 rapid games), those of 2024 1 / 0.862 (954 blitz games).
"""

FIRST_YEAR_OF_NEW = 2023
_FIRST_VERSION_OF_NEW = (15, 1)


def centipawn_scale(game: Game, analysis: GameAnalysis) -> float:
    """The factor that brings the game's evaluations to today's centipawns.

    What came with a game is as old as the game; what was computed here as its engine.
    """
    if analysis.limit is None:
        return OLD_SCALE if game.created_at.year < FIRST_YEAR_OF_NEW else 1.0
    found = re.search(r"Stockfish (\d+)(?:\.(\d+))?", analysis.engine.name)
    if found is None:
        return 1.0
    version = int(found[1]), int(found[2] or 0)
    # A development build is named by its date: "Stockfish 20221105".
    return OLD_SCALE if version < _FIRST_VERSION_OF_NEW else 1.0
