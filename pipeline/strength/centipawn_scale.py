"""What a centipawn was worth when a game was evaluated.

Stockfish 15.1 (December 2022) set 100 centipawns to even chances of winning; before, the same
advantage had been stated higher, and higher from release to release
(https://github.com/official-stockfish/Stockfish/pull/4216). Read as they stand, the same moves
seem to lose more in an old evaluation than in a new one: 150 to 200 rating points' worth.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from pipeline.records import Game, GameAnalysis

OLD_SCALE = 0.71
"""Old centipawns times this are new ones.

Measured, not derived: against local Stockfish 15.1, evaluations of 2021 and 2022 by Lichess
are spread 1 / 0.615 as wide (59 rapid games), those of 2024 1 / 0.862 (954 blitz games).
Readings of 145 rapid games by both kinds then agree within ten points.
"""

_FIRST_OF_NEW_SCALE = (15, 1)
# When Lichess took 15.1 over is not known; from 2023 on its evaluations are on the new scale.
_LICHESS_ON_NEW_SCALE = datetime(2023, 1, 1, tzinfo=UTC)


def centipawn_scale(game: Game, analysis: GameAnalysis) -> float:
    """The factor that brings the game's evaluations to today's centipawns.

    What came with a game is as old as the game; what was computed here as its engine.
    """
    return OLD_SCALE if _on_old_scale(game, analysis) else 1.0


def _on_old_scale(game: Game, analysis: GameAnalysis) -> bool:
    if analysis.limit is None:
        return game.created_at < _LICHESS_ON_NEW_SCALE
    # A development build is named by its date ("Stockfish 20221105"): taken for a new one.
    found = re.search(r"Stockfish (\d+)(?:\.(\d+))?", analysis.engine.name)
    return found is not None and (int(found[1]), int(found[2] or 0)) < _FIRST_OF_NEW_SCALE
