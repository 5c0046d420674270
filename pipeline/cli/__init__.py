"""The terminal door: parses arguments, shows progress, prints, says what went wrong."""

from pipeline.cli.app import main

__all__ = ["main"]
