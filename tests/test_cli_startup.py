"""`movelo --help` comes at once: it imports nothing that only a command needs."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Each takes longer than the help itself, or is the way to one that does.
NEEDED_LATER = (
    "babel", "berserk", "chess", "distributed", "fastapi", "jinja2", "lightgbm", "numpy",
    "onnxruntime", "pandas", "pipeline.records", "pydantic", "requests", "sqlalchemy", "uvicorn",
    "webbrowser",
)  # fmt: skip


def test_the_help_imports_nothing_that_only_a_command_needs() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "pipeline.cli", "--help"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "pipeline.cli.app" in imported
    assert imported.isdisjoint(NEEDED_LATER)
