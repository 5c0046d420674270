"""`movelo model`: what the ranges are made with, and how to get the human-move model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.language import _, english, retold
from config.localized import number_text

if TYPE_CHECKING:
    from pipeline.strength.estimate import StrengthModel

app = typer.Typer(
    no_args_is_help=True, help="Which models make the ranges, and how to get the human-move model."
)

OBTAIN = english("obtain it with: movelo model install")


@app.command()
def info() -> None:
    """Say which strength model is used, and whether the human-move model is there to help it.

    Example: movelo model info
    """
    from engines.maia_sources import MAIA3_5M
    from pipeline.strength.estimate import StrengthModel

    model = StrengthModel.load()
    training = model.fitted.training
    _say(_("strength model"), model.name)
    _say(
        _("fitted on"),
        _("{player_games} player-games of {players} players").format(
            player_games=number_text(training.player_games), players=number_text(training.players)
        ),
    )
    _say(_("speeds"), ", ".join(model.speeds))
    _say(_("human moves"), _where_read(model))
    _say(_("human-move model"), _state_of_human_model())
    if with_float32 := _state_of_float32_network():
        _say(_("float32 network"), with_float32)
    _say(_("origin"), MAIA3_5M.origin)
    _say(_("licence"), MAIA3_5M.license)
    _say(_("citation"), MAIA3_5M.citation)


@app.command()
def install(
    float32: Annotated[
        bool,
        typer.Option("--float32", help="Keep its float32 network as well, which a GPU needs."),
    ] = False,
) -> None:
    """Download the human-move model Maia-3, check its SHA-256, try it, and keep it.

    Example: movelo model install
    """
    import requests
    from rich.console import Console

    from config.settings import data_folder
    from config.version import version
    from engines.maia_install import install_model, installed_model_path
    from engines.maia_sources import MAIA3_5M
    from pipeline.cli.progress import TerminalProgress

    _need_onnxruntime()
    with requests.Session() as session, TerminalProgress(Console(stderr=True)) as bars:
        session.headers["User-Agent"] = f"movelo/{version()}"
        stage = _("Downloading the human-move model Maia-3, MiB")
        bars.begin(stage, None)
        path = install_model(
            data_folder(),
            published=MAIA3_5M,
            session=session,
            progress=lambda done, total: bars.reach(stage, done >> 20, total and total >> 20),
            with_float32=float32,
        )
    typer.echo(_("The human-move model is installed: {path}").format(path=path))
    if float32:
        path = installed_model_path(data_folder(), float32=True)
        typer.echo(_("Its float32 network is installed: {path}").format(path=path))


def tried_human_model(*, float32: bool = False) -> Path | None:
    """The installed human-move model, once it has loaded; None where none is installed.

    ModelError says why it, or any other, cannot be used here.
    """
    from config.settings import data_folder
    from engines.maia import MaiaModel
    from engines.maia_install import find_model

    _need_onnxruntime()
    path = find_model(data_folder(), float32=float32)
    if path is not None:
        MaiaModel(path)
    return path


def _need_onnxruntime() -> None:
    """Before 22 MB are fetched for nothing."""
    from importlib.util import find_spec

    from config.errors import ModelError

    if find_spec("onnxruntime") is None:
        raise ModelError(
            _(
                "the human-move model needs onnxruntime, which is not installed here; where "
                "there is one for this system and Python, install it with: pip install "
                "onnxruntime"
            )
        )


def _where_read(model: StrengthModel) -> str:
    read = [speed for speed in model.speeds if model.reads_human_likelihoods(speed)]
    if not read:
        return _("not read by this strength model")
    return _("read at {read}; ranges are narrower with them").format(read=", ".join(read))


def _state_of_human_model() -> str:
    from config.errors import ModelError
    from engines.maia_sources import MAIA3_5M

    try:
        path = tried_human_model()
    except ModelError as error:
        return _("not usable; movelo works without it\n-> {error}").format(error=retold(str(error)))
    if path is None:
        megabytes = sum(file.size_bytes for file in MAIA3_5M.files) / 1e6
        return _("not installed; movelo works without it\n-> {obtain} ({megabytes} MB)").format(
            obtain=retold(OBTAIN), megabytes=f"{megabytes:.0f}"
        )
    return _("installed: {path}").format(path=path)


def _state_of_float32_network() -> str:
    """Nothing where it is not installed: only a GPU needs it."""
    from config.errors import ModelError
    from config.settings import data_folder
    from engines.maia_install import find_model

    if find_model(data_folder(), float32=True) is None:
        return ""
    try:
        path = tried_human_model(float32=True)
    except ModelError as error:
        return _("not usable\n-> {error}").format(error=retold(str(error)))
    return _("installed: {path}").format(path=path)


def _say(what: str, found: str) -> None:
    first, *others = found.splitlines()
    typer.echo(f"{f'{what}:':<18}{first}")
    for line in others:
        typer.echo(f"{'':<18}{line}")
