"""The settings in force: the shipped defaults, the user's file, the environment, in that order."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from config.choices import Budget, Format, Language, Provider, Speed
from config.errors import SettingsError
from config.language import _
from config.user_file import user_file

_LONGEST_NAME = 100
"""Of a setting that there is not, in a message."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _none_or_100(nodes: int) -> int:
    if nodes != 0 and nodes < 100:
        raise ValueError("input should be 0 or at least 100")
    return nodes


class LichessSettings(_Section):
    """How Lichess is spoken to."""

    base_url: str
    user_agent: str
    contact: str
    tablebase_url: str
    connect_timeout_seconds: Annotated[float, Field(gt=0)]
    read_timeout_seconds: Annotated[float, Field(gt=0)]


class GameSettings(_Section):
    """Which games are reported on; `last` 0 means all."""

    speeds: Annotated[tuple[Speed, ...], Field(min_length=1)]
    last: Annotated[int, Field(ge=0)]
    casual: bool


class EngineBudgets(_Section):
    """What the words for a budget mean, in nodes per position."""

    fast: Annotated[int, Field(ge=100)]
    standard: Annotated[int, Field(ge=100)]
    deep: Annotated[int, Field(ge=100)]

    def nodes(self, budget: Budget) -> int:
        """Nodes per position."""
        return {"fast": self.fast, "standard": self.standard, "deep": self.deep}[budget]


class EngineSettings(_Section):
    """Which engine, and how long it thinks.

    `workers` 0 means one a core, `nodes_per_position` 0 what the budget says; `syzygy_path` ""
    means no tables. `options` are the engine's own, by its names for them.
    """

    path: str
    budget: Budget
    nodes_per_position: Annotated[int, AfterValidator(_none_or_100)]
    workers: Annotated[int, Field(ge=0, le=1024)]
    hash_mebibytes: Annotated[int, Field(ge=1, le=65_536)]
    syzygy_path: str
    lichess_cloud: bool
    lichess_tablebase: bool
    budgets: EngineBudgets
    options: dict[str, str | int | bool]

    def nodes(self) -> int:
        """Nodes per position where the command line says nothing."""
        return self.nodes_per_position or self.budgets.nodes(self.budget)

    def uci_options(self) -> tuple[tuple[str, str | int | bool], ...]:
        """The engine's own options, the Syzygy tables among them, by name.

        Raises SettingsError for tables that are not there, or named twice: an engine goes on
        without a word.
        """
        options = dict(sorted(self.options.items()))
        if not self.syzygy_path:
            return tuple(options.items())
        if any(name.lower() == "syzygypath" for name in options):
            raise SettingsError(
                _(
                    "The settings engine.syzygy_path and engine.options.SyzygyPath name the "
                    "same tables: remove one."
                )
            )
        folders = [Path(name).expanduser() for name in self.syzygy_path.split(os.pathsep)]
        missing = next((folder for folder in folders if not folder.is_dir()), None)
        if missing is not None:
            raise SettingsError(
                _(
                    "The setting engine.syzygy_path says {missing}, which is no folder here: "
                    "correct or empty it."
                ).format(missing=missing)
            )
        return (*options.items(), ("SyzygyPath", os.pathsep.join(map(str, folders))))


class StrengthSettings(_Section):
    """What the move-based ranges are made with."""

    human_model: bool
    human_model_provider: Provider


class StoreSettings(_Section):
    """Where games and evaluations are kept; `url` "" means a file in the data folder."""

    url: SecretStr


class ClusterSettings(_Section):
    """Which Dask cluster works; `address` "" means none, `wait_seconds` is until a worker comes."""

    address: str
    wait_seconds: Annotated[float, Field(gt=0)]


class ReportSettings(_Section):
    """What is written, where, and in which language; "" means that of the terminal."""

    folder: str
    language: Language | Literal[""]
    formats: Annotated[tuple[Format, ...], Field(min_length=1)]


class WebSettings(_Section):
    """What `movelo serve` takes on, for whom, and how long it keeps it.

    `hosts` are the names under which it may be asked for, beside its own and any address in
    figures; `proxies` the addresses and networks whose word on who asks is taken.
    """

    host: str
    port: Annotated[int, Field(ge=0, le=65_535)]
    hosts: tuple[str, ...]
    proxies: tuple[str, ...]
    jobs_waiting: Annotated[int, Field(ge=1)]
    jobs_per_address: Annotated[int, Field(ge=1)]
    games_per_job: Annotated[int, Field(ge=1)]
    minutes_per_job: Annotated[float, Field(gt=0)]
    upload_mebibytes: Annotated[float, Field(gt=0, le=1024)]
    keep_days: Annotated[int, Field(ge=1)]


class BatchSettings(_Section):
    """Where a batch writes, and what is worth an alert: a probability, a stretch of days."""

    folder: str
    alert_probability: Annotated[float, Field(ge=0.5, lt=1)]
    alert_days: Annotated[int, Field(ge=1)]


class ScheduleSettings(_Section):
    """In which zone hours are meant ("" is the machine's), and whether a server runs schedules."""

    zone: str
    with_serve: bool


class Settings(BaseSettings):
    """Every dial. Unknown names are refused, so that a typo never passes for a setting."""

    model_config = SettingsConfigDict(
        env_prefix="MOVELO_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    lichess: LichessSettings
    games: GameSettings
    engine: EngineSettings
    strength: StrengthSettings
    store: StoreSettings
    cluster: ClusterSettings
    report: ReportSettings
    web: WebSettings
    batch: BatchSettings
    schedule: ScheduleSettings

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment before the user's file before the defaults; nothing else."""
        defaults = Path(str(resources.files("config"))) / "defaults.toml"
        return (
            EnvSettingsSource(settings_cls),
            TomlConfigSettingsSource(settings_cls, user_file()),
            TomlConfigSettingsSource(settings_cls, defaults),
        )


def load_settings() -> Settings:
    """The settings in force; SettingsError names the first that is unknown or out of range."""
    try:
        return Settings()  # type: ignore[call-arg]  # every field comes from a source
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])[:_LONGEST_NAME]
        raise SettingsError(
            _(
                "Setting {name}: {problem}. Look into {user_file} and the MOVELO_… environment "
                "variables."
            ).format(name=name, problem=first["msg"].lower(), user_file=user_file())
        ) from error
    except ValueError as error:  # TOML that does not parse, JSON in the environment likewise
        raise SettingsError(
            _("{user_file} or a MOVELO_… variable: {error}.").format(
                user_file=user_file(), error=error
            )
        ) from error


def store_place(settings: Settings) -> Path | str:
    """The store's file, or its database's URL (`MOVELO_DATABASE_URL` before the setting)."""
    url = os.environ.get("MOVELO_DATABASE_URL") or settings.store.url.get_secret_value()
    return url or data_folder() / "movelo.sqlite"


def data_folder() -> Path:
    """Where games, evaluations and an installed engine are kept (`MOVELO_DATA` moves it)."""
    named = os.environ.get("MOVELO_DATA")
    return Path(named) if named else Path(platformdirs.user_data_dir("movelo"))
