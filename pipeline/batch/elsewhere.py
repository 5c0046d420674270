"""Reports made in other processes, of what is in the store; what engines miss is not done there.

One process makes about as many reports as one core can, and a machine has many. Whatever is out of
the ordinary (a game that nobody evaluated, a store that is away, an error) is left to the process
that has the engines: it makes the report again, and tells what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import NoReturn, TypeAlias

from config.language import speaking
from engines.look_ahead import GivenUp
from engines.processes import IsGivenUp
from pipeline.batch.folder import BatchFolder
from pipeline.batch.order import BatchOrder, OpenWhole
from pipeline.batch.reporting import Reported, ReportMaker, ToReport
from pipeline.batch.second_tries import FirstTries, SecondTries
from pipeline.evaluation import Deliver, Evaluator
from pipeline.human_moves import Deliver as DeliverReading
from pipeline.human_moves import HumanMoveCrew
from pipeline.progress import Silent
from pipeline.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A report to make; `network` is the human-move model's, "" where none is installed."""

    to_report: ToReport
    first: FirstTries
    network: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was `reported`, with the ids of games whose failures it has told; or `why_not`."""

    reported: Reported | None = None
    told: tuple[str, ...] = ()
    why_not: str = ""


MakeReport: TypeAlias = Callable[[Task], Answer]


class NotThereYet(Exception):
    """A game has to be evaluated, or read, first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportKit:
    """What another process needs for reports; it can be pickled.

    `open_workshop` opens one with a store of its own, whose engines are never asked for.
    """

    folder: BatchFolder
    order: BatchOrder
    open_whole: OpenWhole
    open_workshop: Callable[[], AbstractContextManager[Workshop]]
    language: str

    @contextmanager
    def opened(self, is_given_up: IsGivenUp) -> Iterator[MakeReport]:
        """An `engines.processes.OpenWork`."""

        def go_on() -> None:
            if is_given_up():
                raise GivenUp

        with self.open_workshop() as workshop:
            yield lambda task: self._answer(task, workshop, go_on)

    def _answer(self, task: Task, workshop: Workshop, go_on: Callable[[], None]) -> Answer:
        tries = SecondTries(task.first)
        reports = ReportMaker(
            self.folder,
            self.order,
            tries.tried_in(_of_store_alone(workshop, task.network)),
            open_whole=self.open_whole,
            go_on=go_on,
        )
        try:
            with speaking(self.language):
                reported = reports.reported(task.to_report)
        except Exception as error:
            return Answer(why_not=f"{type(error).__name__}: {error}")
        told = task.first.failures.keys() - tries.first.failures.keys()
        return Answer(reported=reported, told=tuple(sorted(told)))


def _of_store_alone(workshop: Workshop, network: str) -> Workshop:
    """NotThereYet is raised for whatever the store does not have; nobody is told how far it is."""
    is_wanted = workshop.open_human_model is not None
    return replace(
        workshop,
        open_evaluator=_no_engine,
        ask_others=None,
        progress=Silent(),
        open_human_model=(lambda: _Known(network) if network else None) if is_wanted else None,
    )


def _no_engine(_deliver: Deliver) -> AbstractContextManager[Evaluator]:
    raise NotThereYet("a game is not evaluated")


class _Known:
    """A human-move model whose name is known; it reads nothing."""

    def __init__(self, network: str) -> None:
        self.network = network

    def __enter__(self) -> NoReturn:
        raise NotThereYet("the human-move model has not read a game")

    def __exit__(self, *_: object) -> None:
        pass

    def crew(self, deliver: DeliverReading) -> AbstractContextManager[HumanMoveCrew]:
        """Not come to: it can't be entered."""
        raise NotImplementedError
