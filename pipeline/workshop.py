"""What a run works with: everything that has effects or was fitted, passed in once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from engines.evals import EngineId, SearchLimit
from pipeline.evaluation import AskOthers, OpenEvaluator
from pipeline.evidence import EvidenceMaker, StrengthEstimator
from pipeline.human_moves import OpenHumanModel
from pipeline.progress import Progress
from pipeline.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """The store, the fitted model, who evaluates and reads moves, whoever watches, the time.

    `open_human_model` is None when the human-move model is not wanted, `ask_others` when nobody
    but the engine is asked for evaluations; `others_names` are who. At `pairing_speeds` the
    opponents' moves count too. Hours and weekdays are those of `zone`, the player's.
    `noted_engine` says which engine it would be, where that is known without starting one.
    """

    store: Store
    estimator: StrengthEstimator
    limit: SearchLimit
    open_evaluator: OpenEvaluator
    open_human_model: OpenHumanModel | None
    progress: Progress
    now: datetime
    pairing_speeds: tuple[str, ...] = ()
    zone: tzinfo = UTC
    ask_others: AskOthers | None = None
    others_names: tuple[str, ...] = ()
    noted_engine: Callable[[], EngineId | None] = lambda: None

    def evidence_maker(self) -> EvidenceMaker:
        """With this workshop's model and store."""
        return EvidenceMaker(
            estimator=self.estimator, store=self.store, pairing_speeds=self.pairing_speeds
        )
