"""What the moves of both sides of a game say: from the store, or made and kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from config.language import english
from engines.evals import COLORS, Color
from engines.human_likelihoods import HumanLikelihoods
from pipeline.human_moves import HumanReading
from pipeline.records import Evidence, Game, GameAnalysis, NoEstimate, StrengthRange
from pipeline.store import EvidenceKey, Store
from pipeline.strength.aggregate import Pooling


class StrengthEstimator(Protocol):
    """What the fitted model is to a run."""

    @property
    def name(self) -> str:
        """What the report calls it."""
        ...

    @property
    def id(self) -> str:
        """What no other model shares."""
        ...

    def reads_human_likelihoods(self, speed: str) -> bool:
        """Whether the human-move model makes a difference at this speed."""
        ...

    def refusal(self, game: Game, own_moves: int) -> NoEstimate | None:
        """Why there is no evidence of so many scored moves of a side; None when there is."""
        ...

    def evidence(
        self,
        game: Game,
        analysis: GameAnalysis,
        color: Color,
        human: HumanLikelihoods | None = None,
    ) -> Evidence | NoEstimate:
        """What one side's moves say."""
        ...

    def strength_range(
        self, evidences: Sequence[Evidence], *, speed: str
    ) -> StrengthRange | NoEstimate:
        """The range for one game's evidence, or for many games' together."""
        ...

    def strength_range_with_pairing(
        self,
        evidences: Sequence[Evidence],
        opponents: Sequence[Sequence[Evidence]],
        *,
        speed: str,
    ) -> StrengthRange | NoEstimate:
        """The same, from the opponents' moves too: one entry a person."""
        ...

    def pooling(self, evidences: Sequence[Evidence], *, speed: str) -> Pooling | NoEstimate:
        """With what many games are pooled, for those who do it step by step."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One side of a game, and what the moves of both sides say."""

    game: Game
    color: Color
    evidence: Mapping[Color, Evidence | NoEstimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceMaker:
    """Makes evidence once, and finds it in the store from then on.

    At `pairing_speeds` the opponents' moves in rated games have a part in ranges.
    """

    estimator: StrengthEstimator
    store: Store
    pairing_speeds: tuple[str, ...] = ()

    def wants_human_moves(self, game: Game, own_moves: Iterable[int]) -> bool:
        """Whether what the human-move model says of this game makes a difference.

        `own_moves` are how many scored moves each side has.
        """
        return self.estimator.reads_human_likelihoods(game.speed) and any(
            self.estimator.refusal(game, moves) is None for moves in own_moves
        )

    def evidence(
        self, game: Game, analysis: GameAnalysis, reading: HumanReading
    ) -> dict[Color, Evidence | NoEstimate]:
        """Of both sides."""
        found: dict[Color, Evidence | NoEstimate] = {}
        keys: list[EvidenceKey] = []
        digest = _inputs_digest(game, analysis)
        for color in COLORS:
            if refusal := self.estimator.refusal(game, len(analysis.own_moves(color))):
                found[color] = refusal
            else:
                keys.append(self._key(game, analysis, color, reading, digest))
        if keys:
            found.update(self.store.evidence_of_sides(keys))
            missing = [key for key in keys if key.color not in found]
            found.update(self._made(game, analysis, missing, reading))
        return {color: found[color] for color in COLORS}

    def _made(
        self,
        game: Game,
        analysis: GameAnalysis,
        keys: Sequence[EvidenceKey],
        reading: HumanReading,
    ) -> dict[Color, Evidence | NoEstimate]:
        made: dict[Color, Evidence | NoEstimate] = {
            key.color: self.estimator.evidence(game, analysis, key.color, reading.human)
            for key in keys
        }
        usable = [(key, made[key.color]) for key in keys]
        kept = [(key, one) for key, one in usable if isinstance(one, Evidence)]
        if kept:
            self.store.add_evidence_of_sides(kept)
        return made

    def _key(
        self,
        game: Game,
        analysis: GameAnalysis,
        color: Color,
        reading: HumanReading,
        inputs_digest: str,
    ) -> EvidenceKey:
        return EvidenceKey(
            game_id=game.id,
            color=color,
            model=self.estimator.id,
            engine=analysis.engine,
            limit=analysis.limit,
            human_network=reading.network if reading.human is not None else "",
            inputs_digest=inputs_digest,
        )

    def strength_range(self, played: Sequence[Played], *, speed: str) -> StrengthRange | NoEstimate:
        """Of all one player's games; without evidence, why there is none of the first."""
        found = [p.evidence[p.color] for p in played]
        usable = [e for e in found if isinstance(e, Evidence)]
        if not usable:
            reasons = [e.reason for e in found if isinstance(e, NoEstimate)]
            return NoEstimate(reason=reasons[0] if reasons else english("no game with evaluations"))
        if speed in self.pairing_speeds:
            opponents = _opponents_evidence(played)
            return self.estimator.strength_range_with_pairing(usable, opponents, speed=speed)
        return self.estimator.strength_range(usable, speed=speed)

    def pooling(self, played: Sequence[Played], *, speed: str) -> Pooling | NoEstimate:
        """With what the own moves of one player's games are pooled."""
        found = [p.evidence[p.color] for p in played]
        usable = [evidence for evidence in found if isinstance(evidence, Evidence)]
        return self.estimator.pooling(usable, speed=speed)


def _opponents_evidence(played: Sequence[Played]) -> list[list[Evidence]]:
    """By person: in rated games, as casual ones pair anybody with anybody."""
    found: dict[str, list[Evidence]] = {}
    for p in played:
        evidence = p.evidence["black" if p.color == "white" else "white"]
        if p.game.rated and isinstance(evidence, Evidence):
            name = p.game.opponent(p.color).name
            person = f"anonymous in {p.game.id}" if name is None else name.casefold()
            found.setdefault(person, []).append(evidence)
    return list(found.values())


def _inputs_digest(game: Game, analysis: GameAnalysis) -> str:
    """Of everything that evidence is made of, apart from who makes it.

    Whatever else an analysis says of a move follows from the moves.
    """
    rules = (game.speed, game.variant, game.initial_fen)
    played = (game.moves_san, game.clock, game.clocks_centiseconds)
    evaluated = [(m.ply, m.win_percent_before, m.win_percent_after) for m in analysis.moves]
    return sha256(repr((rules, played, evaluated)).encode()).hexdigest()
