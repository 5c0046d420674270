"""`movelo train`: refit the model."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.language import _, retold
from pipeline.cli.evaluate import EvalsOption, FilesArgument
from pipeline.cli.human_options import HumanGamesOption, HumanOption

if TYPE_CHECKING:
    from pipeline.strength.model import SpeedModel


def train(
    files: FilesArgument,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where the fitted model is written.")
    ],
    evals: EvalsOption = None,
    human: HumanOption = None,
    human_games: HumanGamesOption = None,
    pairing: Annotated[
        list[Path] | None,
        typer.Option(
            "--pairing",
            metavar="FILE",
            help="Rated games as they were played, for --with-pairing: who plays whom; may be "
            "given several times.",
        ),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            "--cache", metavar="DIR", help="Keep what was computed, to continue there next time."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same model.")] = 1,
) -> None:
    """Fit the strength model on rated games with evaluations (needs the extra `train`).

    With --human or --human-games the human-move model takes part, for the games of which there
    are its likelihoods.

    Example: movelo train games.ndjson.zst --out model.npz --cache features
    """
    from rich.console import Console

    from pipeline.cli.human_likelihoods import fitting_cache
    from pipeline.cli.progress import CountingStages
    from pipeline.cli.sources import game_sources
    from pipeline.strength.evaluations_file import read_evaluations
    from pipeline.strength.model_file import save_model
    from pipeline.strength.train import train as fit

    with (
        fitting_cache(human, human_games) or nullcontext() as likelihoods,
        CountingStages(Console(stderr=True)) as stages,
    ):
        fitted = fit(
            game_sources(files),
            evaluations=[read_evaluations(file) for file in evals or ()],
            human=likelihoods,
            pairing=game_sources(pairing or []),
            cache_folder=cache,
            seed=seed,
            progress=stages.show,
        )
    save_model(fitted.model, out)
    training = fitted.model.training
    typer.echo(
        _("fitted on {player_games} games of {players} players: {out}").format(
            player_games=training.player_games, players=training.players, out=out
        )
    )
    if training.human is not None:
        typer.echo(
            _("with human likelihoods: {player_games} of these games").format(
                player_games=training.human.player_games
            )
        )
    if pairing:
        for speed in fitted.model.speeds:
            typer.echo(f"{speed.speed}: {_pairing_text(speed)}")
    for reason, count in fitted.left_out:
        typer.echo(_("left out: {count} {reason}").format(count=count, reason=retold(reason)))


def _pairing_text(model: SpeedModel) -> str:
    from pipeline.strength.pairing_fit import MIN_BOTH_READ, MIN_PAIRED_GAMES

    if model.pairing is None:
        return _(
            "no pairing: it takes {min_paired_games} rated games with two steady "
            "ratings, and {min_both_read} with human likelihoods of both sides"
        ).format(min_paired_games=MIN_PAIRED_GAMES, min_both_read=MIN_BOTH_READ)
    return _("pairing from {games} rated games").format(games=model.pairing.games)
