"""`movelo simulate`: games whose players' strength is known exactly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.errors import InputError, StoreError
from config.language import _, english

if TYPE_CHECKING:
    from pipeline.records import Clock, Game

_BEGINNING = '{"id": "sim-'
"""Of every line that this command writes."""
_STAGE = english("Simulating games")


def simulate(
    ratings: Annotated[
        list[int],
        typer.Option(
            "--rating",
            min=600,
            max=2600,
            metavar="RATING",
            help="How strong both players are; may be given several times.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where the games are written (NDJSON).")
    ],
    games: Annotated[
        int, typer.Option("--games", min=1, metavar="N", help="So many games at each rating.")
    ] = 20,
    games_a_player: Annotated[
        int,
        typer.Option(
            "--games-a-player", min=1, metavar="N", help="After so many games two new players come."
        ),
    ] = 10,
    clock: Annotated[
        str, typer.Option("--clock", metavar="MINUTES+SECONDS", help="The time control.")
    ] = "5+3",
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same games.")] = 1,
) -> None:
    """Play games with the human-move model at known ratings, as a check on estimates.

    Every game is written as soon as it is played: the same command continues where it was
    stopped. Let `movelo analyse` evaluate them and `movelo evaluate` compare the estimates.

    Example: movelo simulate --rating 1400 --rating 1800 --games 50 --out simulated.ndjson
    """
    from rich.console import Console

    from config.settings import data_folder
    from engines.maia import MaiaModel
    from engines.maia_install import installed_model_path
    from pipeline.cli.progress import TerminalProgress
    from pipeline.fetch.speeds import speed_of_clock
    from pipeline.strength.simulate import simulate_game
    from pipeline.strength.simulate_pairings import generator_of, pairings

    control = clock_of(clock)
    planned = pairings(
        ratings,
        games=games,
        games_a_player=games_a_player,
        clock=control,
        speed=speed_of_clock(control.initial_seconds, control.increment_seconds),
        seed=seed,
    )
    model = MaiaModel(installed_model_path(data_folder()))
    there = _ids_in(out)
    with TerminalProgress(Console(stderr=True)) as progress:
        progress.begin(_STAGE, games * len(ratings))
        for pairing in planned:
            if pairing.game_id not in there:
                _append(out, simulate_game(pairing, model, generator_of(pairing)))
            progress.advance(_STAGE)
    typer.echo(_("{games} games simulated: {out}").format(games=games * len(ratings), out=out))


def clock_of(text: str) -> Clock:
    """`5+3` as five minutes and three seconds a move, `0.5+0` as half a minute."""
    from pipeline.records import Clock

    found = re.fullmatch(r"(\d{1,3}(?:\.\d{1,2})?)\+(\d{1,3})", text)
    initial_seconds = round(60 * float(found[1])) if found else 0
    if found is None or not initial_seconds:
        raise typer.BadParameter(
            _("{text} is no time control: write it as 5+3.").format(text=f"{text!r}"),
            param_hint="--clock",
        )
    return Clock(initial_seconds=initial_seconds, increment_seconds=int(found[2]))


def _ids_in(file: Path) -> set[str]:
    """What was simulated before; a line that was cut off is taken out, to be played again."""
    try:
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        if not all(line.startswith(_BEGINNING[: len(line)]) for line in text.splitlines()):
            raise ValueError(_("other games, or none"))
        *lines, cut_off = text.split("\n")
        ids = {json.loads(line)["id"] for line in lines}
        if cut_off:
            file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except ValueError as error:
        raise InputError(
            _(
                "{file} is there and holds something else than simulated games; name another "
                "file with --out"
            ).format(file=file)
        ) from error
    except OSError as error:
        raise _unusable(file, error) from error
    return ids


def _append(file: Path, game: Game) -> None:
    from pipeline.fetch.export import game_to_export

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8", newline="") as stream:
            stream.write(json.dumps(game_to_export(game)) + "\n")
    except OSError as error:
        raise _unusable(file, error) from error


def _unusable(file: Path, error: OSError) -> StoreError:
    return StoreError(
        _("{file} cannot be written ({error}); name another file with --out").format(
            file=file, error=error.strerror or error
        )
    )
