"""The settings in force: the shipped defaults, the user's file, the environment, in that order."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from config.choices import Format, Speed
from config.errors import SettingsError


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class LichessSettings(_Section):
    """How Lichess is spoken to."""

    base_url: str
    user_agent: str
    contact: str
    connect_timeout_seconds: Annotated[float, Field(gt=0)]
    read_timeout_seconds: Annotated[float, Field(gt=0)]


class GameSettings(_Section):
    """Which games are reported on; `last` 0 means all."""

    speeds: Annotated[tuple[Speed, ...], Field(min_length=1)]
    last: Annotated[int, Field(ge=0)]
    casual: bool


class EngineSettings(_Section):
    """Which engine, and how long it thinks; `workers` 0 means one a core."""

    path: str
    nodes_per_position: Annotated[int, Field(ge=100)]
    workers: Annotated[int, Field(ge=0, le=1024)]
    hash_mebibytes: Annotated[int, Field(ge=1, le=65_536)]


class StrengthSettings(_Section):
    """What the move-based ranges are made with."""

    human_model: bool


class ReportSettings(_Section):
    """What is written, and where."""

    folder: str
    formats: Annotated[tuple[Format, ...], Field(min_length=1)]


class Settings(BaseSettings):
    """Every dial. Unknown names are refused, so that a typo never passes for a setting."""

    model_config = SettingsConfigDict(
        env_prefix="MOVELO_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    lichess: LichessSettings
    games: GameSettings
    engine: EngineSettings
    strength: StrengthSettings
    report: ReportSettings

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
        name = ".".join(str(part) for part in first["loc"])
        raise SettingsError(
            f"Setting {name}: {first['msg'].lower()}. "
            f"Look into {user_file()} and the MOVELO_… environment variables."
        ) from error
    except ValueError as error:  # TOML that does not parse, JSON in the environment likewise
        raise SettingsError(f"{user_file()} or a MOVELO_… variable: {error}.") from error


def user_file() -> Path:
    """The user's own settings, whether or not the file exists (`MOVELO_CONFIG` moves it)."""
    named = os.environ.get("MOVELO_CONFIG")
    return Path(named) if named else Path(platformdirs.user_config_dir("movelo")) / "movelo.toml"


def data_folder() -> Path:
    """Where games, evaluations and an installed engine are kept (`MOVELO_DATA` moves it)."""
    named = os.environ.get("MOVELO_DATA")
    return Path(named) if named else Path(platformdirs.user_data_dir("movelo"))
