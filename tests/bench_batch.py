"""What a batch costs where engines have nothing to do.

    python tests/bench_batch.py [--players 1000] [--games 1000] [--read 40]

1. A sync of nothing new for so many players, over HTTP from a fake Lichess, to the end of a second
   run of the batch. To reach: under 60 s for 1,000 players.
2. So many games with Lichess's evaluations, of ten players, to estimates and Parquet, without the
   human-move model. To reach: 100 games a second on two cores. Then the same in one process.
3. As many games that nobody evaluated, with an engine and a human-move model that answer at once:
   what a game costs the command when all that is slow is done by others, as on a cluster.
4. As many games as --read says with the human-move model, where it is installed, beside the model
   alone on the same games. To reach: 1.1 times its time.
5. The memory at its highest, for as many games and for twice as many: to be the same.

Times are told as measured and in seconds of the processor, which a busy machine changes less.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import requests
from fake_lichess import FakeLichess
from highest_memory import HighestMemory
from made_batch import ORDER, player_games
from made_workshop import LevelEngine, MadeHumans, made_workshop
from simulated_humans import simulated_likelihoods

from config.garbage import look_seldom
from config.settings import data_folder
from engines.cores import usable_cores
from engines.evals import Color, PositionSequence
from engines.human_likelihoods import HumanLikelihoods
from engines.maia_install import installed_model_path
from engines.maia_pool import MaiaPool
from engines.processes import Processes
from pipeline.batch.books import write_books
from pipeline.batch.elsewhere import ReportKit
from pipeline.batch.fetching import Fetcher, OpenFetcher
from pipeline.batch.folder import BatchFolder, opened_folder
from pipeline.batch.lease import HeldLease
from pipeline.batch.order import BatchOrder
from pipeline.batch.run import run_batch
from pipeline.batch.side_by_side import Elsewhere
from pipeline.batch.tally import Tally
from pipeline.cli.whole_file import whole_file
from pipeline.fetch.export import game_from_export
from pipeline.fetch.json_games import ExportedGame
from pipeline.fetch.lichess import Lichess
from pipeline.human_moves import HumanMoveReader
from pipeline.importing import import_games
from pipeline.records import SetAside
from pipeline.replay import replay
from pipeline.store import Store
from pipeline.strength.estimate import StrengthModel
from pipeline.workshop import Workshop

_PLAYERS_OF_GAMES = 10


def main() -> int:
    flags = parsed_flags()
    seconds = nothing_new(flags.players)
    cores = usable_cores()
    rate, memory = apart(games_a_second, flags.games, cores)
    one_rate, _memory = apart(games_a_second, flags.games, 1)
    print(f"{cores} processes ÷ one: {rate / one_rate:.2f}")
    _rate, twice = apart(games_a_second, 2 * flags.games, cores)
    print(f"memory: {memory:.0f} MiB, for twice as many games {twice:.0f} MiB")
    beside_engines_of_no_time(flags.games // 2, cores)
    ratio = beside_the_human_model(flags.read)
    reached = {
        f"nothing new for {flags.players} players under 60 s": seconds < 60,
        "100 games a second": rate >= 100,
        "memory flat": twice < 1.15 * memory,
    }
    if ratio is not None:
        reached["within a tenth of the human-move model's own time"] = ratio < 1.1
    for what, is_reached in reached.items():
        print(f"{'reached' if is_reached else 'NOT REACHED'}: {what}")
    return 0 if all(reached.values()) else 1


def nothing_new(players: int) -> float:
    """Seconds of the second of two runs, everything in it."""
    names = [f"Player{number}" for number in range(players)]
    with FakeLichess() as lichess, TemporaryDirectory() as place:
        games = player_games("Player0", 5, analysed=True)
        for name in names:
            lichess.add_player(name, games=[_renamed(game, name) for game in games])
        batch_of(names, Path(place), lichess)
        tally, seconds, cpu_seconds = timed(lambda: batch_of(names, Path(place), lichess))
        assert tally.unchanged == players
    print(
        f"nothing new: {players} players in {seconds:.1f} s "
        f"({cpu_seconds:.1f} s of the processor, the fake Lichess's share in it)"
    )
    return seconds


def games_a_second(games: int, processes: int) -> tuple[float, float]:
    """From the store to estimates and Parquet; and MiB of memory at the most, of all together."""
    look_seldom()  # as the command does
    names = [f"Player{number}" for number in range(_PLAYERS_OF_GAMES)]
    with TemporaryDirectory() as place:
        with Store(Path(place) / "store.sqlite") as store:
            import_games(made_games(names, games // _PLAYERS_OF_GAMES), store)
        with HighestMemory() as memory:
            tally, seconds, cpu_seconds = timed(
                lambda: batch_of(names, Path(place), None, processes=processes)
            )
    assert tally.games_reported == games, tally
    print(
        f"games with evaluations, {processes} process(es): {games} in {seconds:.1f} s, "
        f"{games / seconds:.0f} a second ({1000 * cpu_seconds / games:.1f} CPU-ms each)"
    )
    return games / seconds, memory.mebibytes


def beside_engines_of_no_time(games: int, processes: int) -> None:
    """What this process, and those that make reports, have to do for a game."""
    names = [f"Player{number}" for number in range(_PLAYERS_OF_GAMES)]
    with TemporaryDirectory() as place:
        with Store(Path(place) / "store.sqlite") as store:
            import_games(made_games(names, games // _PLAYERS_OF_GAMES, analysed=False), store)
        own = os.times()
        tally, seconds, cpu_seconds = timed(
            lambda: batch_of(
                names,
                Path(place),
                None,
                human_model=HumansAtOnce(),
                engine=LevelEngine(),
                processes=processes,
            )
        )
        own_seconds = sum(os.times()[:2]) - sum(own[:2])
    assert tally.games_reported == games, tally
    print(
        f"beside engines and a model that answer at once: {games} games, "
        f"{games / seconds:.0f} a second; {1000 * cpu_seconds / games:.1f} CPU-ms each, "
        f"{1000 * own_seconds / games:.1f} of them in the command's own process"
    )


class HumansAtOnce(MadeHumans):
    """Says the same of all games of one length, without a thought."""

    def submit(self, sequence: PositionSequence) -> None:
        plies = len(sequence.moves_uci)
        self.deliver(replace(_likelihoods(plies), game_id=sequence.game_id))


@cache
def _likelihoods(plies: int) -> HumanLikelihoods:
    levels: dict[Color, float] = {"white": 1500.0, "black": 1500.0}
    return simulated_likelihoods(levels, np.random.default_rng(1), plies=plies, game_id="any")


def beside_the_human_model(games: int) -> float | None:
    """A batch's time ÷ that of the model alone, both on all cores; None where it is not there."""
    path = installed_model_path(data_folder())
    if not path.is_file():
        print("the human-move model is not installed: movelo model install")
        return None
    names = [f"Player{number}" for number in range(2)]
    found = list(made_games(names, games // len(names)))
    sequences = [replay(one.game).positions() for one in found if isinstance(one, ExportedGame)]
    began = time.monotonic()
    with MaiaPool(path, workers=usable_cores()) as pool:
        assert len(list(pool.likelihoods(sequences))) == games
    alone_seconds = time.monotonic() - began
    with TemporaryDirectory() as place:
        with Store(Path(place) / "store.sqlite") as store:
            import_games(found, store)
        model = MaiaPool(path, workers=usable_cores())
        tally, seconds, _ = timed(lambda: batch_of(names, Path(place), None, human_model=model))
    assert tally.games_reported == games, tally
    print(
        f"with the human-move model: {games} games in {seconds:.1f} s, {alone_seconds:.1f} s of "
        f"the model alone: {seconds / alone_seconds:.2f}"
    )
    return seconds / alone_seconds


def batch_of(
    names: list[str],
    place: Path,
    lichess: FakeLichess | None,
    *,
    human_model: HumanMoveReader | None = None,
    engine: LevelEngine | None = None,
    processes: int = 2,
) -> Tally:
    """A run as `movelo batch` makes it, with the fitted model, without pages."""
    order = replace(ORDER, formats={})
    with ExitStack() as stack:
        workshop = replace(
            stack.enter_context(_workshop(place)),
            open_human_model=None if human_model is None else lambda: human_model,
        )
        if engine is not None:
            workshop = replace(workshop, open_evaluator=engine.crew)
        folder = opened_folder(place / "out")
        tally = run_batch(
            names,
            folder,
            order,
            workshop,
            open_fetcher=None if lichess is None else _fetcher(place, lichess),
            lease=HeldLease(),
            open_whole=whole_file,
            clock=lambda: datetime.now(UTC),
            sleep=time.sleep,
            elsewhere=stack.enter_context(
                _elsewhere(place, folder, order, processes, reads=human_model is not None)
            ),
        )
        write_books(
            folder,
            workshop.store,
            tally,
            title="bench",
            with_tables=True,
            has_pages=False,
            open_whole=whole_file,
            zone=UTC,
        )
    return tally


@contextmanager
def _elsewhere(
    place: Path, folder: BatchFolder, order: BatchOrder, processes: int, *, reads: bool
) -> Iterator[Elsewhere | None]:
    if processes < 2:
        yield None
        return
    kit = ReportKit(
        folder=folder,
        order=order,
        open_whole=whole_file,
        open_workshop=partial(_workshop, place, reads=reads),
        language="en",
    )
    with Processes(kit.opened, at_most=processes) as found:
        yield found


@contextmanager
def _workshop(place: Path, *, reads: bool = False) -> Iterator[Workshop]:
    with Store(place / "store.sqlite") as store:
        yield replace(
            made_workshop(store),
            estimator=StrengthModel.load(),
            open_human_model=_not_here if reads else None,
        )


def _not_here() -> None:
    """Another process has it."""


def _fetcher(place: Path, lichess: FakeLichess) -> OpenFetcher:
    @contextmanager
    def opened(sleep: Callable[[float], None]) -> Iterator[Fetcher]:
        session = requests.Session()
        session.trust_env = False
        session.headers["User-Agent"] = "movelo's bench"
        with Store(place / "store.sqlite") as store:
            client = Lichess(session, base_url=lichess.base_url, sleep=sleep, on_notice=print)
            yield Fetcher(source=client, store=store)

    return opened


def made_games(
    names: list[str], each: int, *, analysed: bool = True
) -> Iterator[ExportedGame | SetAside]:
    for name in names:
        for record in player_games(name, each, analysed=analysed, plies=70):
            number = int(record["id"][4:])
            named = record | {"id": f"{name[-2:]}{number:06d}"}
            yield ExportedGame(game=game_from_export(named, where="the bench"), record=named)


def _renamed(game: dict[str, object], name: str) -> dict[str, object]:
    players = {
        color: {**side, "user": {"name": name, "id": name.lower()}}
        if side["user"]["name"] == "Player0"
        else side
        for color, side in game["players"].items()  # type: ignore[attr-defined]
    }
    return {**game, "id": f"{game['id']}{name}"[-8:].rjust(8, "0"), "players": players}


def timed(work: Callable[[], Tally]) -> tuple[Tally, float, float]:
    """With the seconds, and those of the processor, of processes that have ended too."""
    began, cpu_began = time.monotonic(), _cpu_seconds()
    tally = work()
    return tally, time.monotonic() - began, _cpu_seconds() - cpu_began


def _cpu_seconds() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def apart(
    work: Callable[[int, int], tuple[float, float]], games: int, processes: int
) -> tuple[float, float]:
    """In a process of its own, whose memory is nobody else's; not a daemon, which has no others."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as executor:
        return executor.submit(work, games, processes).result()


def parsed_flags() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--read", type=int, default=40)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
