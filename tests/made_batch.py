"""A batch without a network, an engine or a fitted model: whom Lichess knows is in a dictionary."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zlib import crc32

import psutil
from made_games import FIRST_GAME_AT_MS, random_export_game
from made_workshop import LevelEngine, made_workshop

from config.errors import UnknownPlayer
from pipeline.batch.books import write_books
from pipeline.batch.elsewhere import Answer, MakeReport, ReportKit, Task
from pipeline.batch.fetching import Fetcher
from pipeline.batch.folder import BatchFolder, opened_folder
from pipeline.batch.lease import HeldLease
from pipeline.batch.order import BatchOrder
from pipeline.batch.run import run_batch
from pipeline.batch.tally import Tally
from pipeline.cli.whole_file import whole_file
from pipeline.records import PlayerReport
from pipeline.selection import Selection
from pipeline.store import Store
from pipeline.workshop import Workshop

NOW = datetime(2026, 6, 1, tzinfo=UTC)

Record = dict[str, Any]


def player_games(player: str, count: int, *, first: int = 0, **options: Any) -> list[Record]:
    """Newest first, no two alike, against one opponent; ids tell the player and the number."""
    games = []
    for number in range(first, first + count):
        sides = (player, "Moorhenry") if number % 2 else ("Moorhenry", player)
        game = random_export_game(
            1000 * crc32(player.encode()) + number,
            white=sides[0],
            black=sides[1],
            **{"plies": 16, "created_at_ms": FIRST_GAME_AT_MS + 3_600_000 * number, **options},
        )
        games.append(game | {"id": f"{player[:4]}{number:04d}"})
    return games[::-1]


def report_processes_of(pid: int) -> list[psutil.Process]:
    """Those beside a `movelo batch` that make reports."""
    children = psutil.Process(pid).children()
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def short_page(report: PlayerReport) -> str:
    """All that tells one report from another."""
    return repr((report.player, report.games, report.speeds, report.set_aside))


ORDER = BatchOrder(
    selection=Selection(player="", speeds=("blitz", "rapid")),
    recipe="one",
    formats={"html": short_page},
    with_tables=True,
    alert_probability=0.95,
    alert_days=90,
)


ALL = ("Anna", "Bert", "Carl")


@dataclass
class MadeLichess:
    """Export records by player; errors by player are raised once each, in their order."""

    games_of: dict[str, list[Record]] = field(default_factory=dict)
    errors: dict[str, list[BaseException]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    on_ask: Callable[[str], None] = lambda _name: None

    def games(
        self, username: str, *, since: datetime | None, until: datetime | None
    ) -> Iterator[Record]:
        self.asked.append(username)
        self.on_ask(username)
        if self.errors.get(username):
            raise self.errors[username].pop(0)
        if username not in self.games_of:
            raise UnknownPlayer(f"Lichess knows no player called {username}; check the spelling")
        for game in self.games_of[username]:
            at = datetime.fromtimestamp(game["createdAt"] / 1000, UTC)
            if (since is None or since <= at) and (until is None or at <= until):
                yield game


@dataclass
class MadeBatch:
    """One batch's folder and store, run as often as one likes."""

    path: Path
    store_url: Path | str
    lichess: MadeLichess = field(default_factory=MadeLichess)
    engine: LevelEngine = field(default_factory=LevelEngine)
    order: BatchOrder = ORDER
    change: Callable[[Workshop], Workshop] = lambda workshop: workshop
    slept: list[float] = field(default_factory=list)
    elsewhere: "Threads | None" = None

    @property
    def folder(self) -> BatchFolder:
        return opened_folder(self.path)

    def run(self, *players: str, offline: bool = False) -> Tally:
        with Store(self.store_url) as store, self._elsewhere() as elsewhere:
            workshop = replace(made_workshop(store), open_evaluator=self.engine.crew)
            tally = run_batch(
                players,
                self.folder,
                self.order,
                self.change(workshop),
                open_fetcher=None if offline else self._fetcher,
                lease=HeldLease(),
                open_whole=whole_file,
                clock=lambda: NOW,
                sleep=self.slept.append,
                elsewhere=elsewhere,
            )
            write_books(
                self.folder,
                store,
                tally,
                title="made",
                with_tables=self.order.with_tables,
                has_pages=True,
                open_whole=whole_file,
                zone=UTC,
            )
        return tally

    @contextmanager
    def _fetcher(self, sleep: Callable[[float], None]) -> Iterator[Fetcher]:
        with Store(self.store_url) as store:
            yield Fetcher(source=self.lichess, store=store)

    @contextmanager
    def _elsewhere(self) -> "Iterator[Threads | None]":
        if self.elsewhere is None:
            yield None
            return
        kit = ReportKit(
            folder=self.folder,
            order=self.order,
            open_whole=whole_file,
            open_workshop=self.workshop_elsewhere,
            language="en",
        )
        with kit.opened(lambda: False) as work, self.elsewhere.working(work):
            yield self.elsewhere

    @contextmanager
    def workshop_elsewhere(self) -> Iterator[Workshop]:
        with Store(self.store_url) as store:
            yield self.change(made_workshop(store))

    def files(self) -> dict[str, bytes]:
        """Whatever lies in the folder but for this run's own account, with its content."""
        found = {file.relative_to(self.path).as_posix(): file for file in self.path.rglob("*")}
        return {
            name: file.read_bytes()
            for name, file in found.items()
            if file.is_file() and name != "summary.json"
        }


def three_players(place: Path, elsewhere: "Threads | None" = None) -> MadeBatch:
    """`ALL`, who have never met, of four games each; nothing is evaluated yet."""
    lichess = MadeLichess({name: player_games(name, 4) for name in ALL})
    return MadeBatch(place / "out", place / "store.sqlite", lichess, elsewhere=elsewhere)


@dataclass
class Threads:
    """What other processes are to a batch, in threads of this one; `answers` is all they said."""

    are_started: bool = True
    answers: list[Answer] = field(default_factory=list)
    work: MakeReport | None = None
    executor: ThreadPoolExecutor | None = None

    @contextmanager
    def working(self, work: MakeReport) -> Iterator[None]:
        with ThreadPoolExecutor(2) as self.executor:
            self.work = work
            yield

    def submit(self, order: Task) -> Future[Answer]:
        assert self.executor is not None
        return self.executor.submit(self.answered, order)

    def answered(self, order: Task) -> Answer:
        assert self.work is not None
        answer = self.work(order)
        self.answers.append(answer)
        return answer

    @property
    def reported(self) -> set[str]:
        return {answer.reported.outcome.player for answer in self.answers if answer.reported}
