"""The largest files and the longest functions of the rooms: `python tests/measure_house.py [ROOT]`.

ROOT is a checkout (this one, if not given): `git worktree add OLD COMMIT` has another to compare.
"""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOMS = ("config", "engines", "pipeline", "reports")
SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A file or a function, and how many lines it has: blank, comment and docstring included."""

    name: str
    lines: int


def main(root: Path) -> None:
    """Print both tables: names under `root`, most lines first."""
    paths = sorted(path for room in ROOMS for path in (root / room).rglob("*.py"))
    files = [Measured(name=_shown(path, root), lines=_line_count(path)) for path in paths]
    functions = [found for path in paths for found in functions_of(path, _shown(path, root))]
    bodies = [found for path in paths for found in bodies_of(path, _shown(path, root))]
    _print_largest("largest files", files)
    _print_largest("longest functions", functions)
    _print_largest("longest bodies, without signature and docstring", bodies)


def functions_of(path: Path, shown: str) -> Iterator[Measured]:
    """Every function and method of the file, named `shown:line name`; decorators are counted."""
    for node in _functions(path):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        yield Measured(name=f"{shown}:{node.lineno} {node.name}", lines=_end(node) - first + 1)


def bodies_of(path: Path, shown: str) -> Iterator[Measured]:
    """The same, from the first statement on: a command's options and its help do not count."""
    for node in _functions(path):
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        lines = _end(node) - body[0].lineno + 1 if body else 0
        yield Measured(name=f"{shown}:{node.lineno} {node.name}", lines=lines)


def _functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _shown(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def _print_largest(title: str, measured: list[Measured]) -> None:
    print(f"{title} (of {len(measured)}, {sum(one.lines for one in measured)} lines)")
    for one in sorted(measured, key=lambda one: (-one.lines, one.name))[:SHOWN]:
        print(f"{one.lines:6}  {one.name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
