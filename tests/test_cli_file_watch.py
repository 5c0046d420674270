"""How far a file is read ends with all of it, however small it is."""

from pathlib import Path

import pytest

from pipeline.cli.file_watch import COUNTING, watch
from pipeline.progress import Silent

MIB = 1024 * 1024


class Shown(Silent):
    def __init__(self) -> None:
        self.begun: list[tuple[str, int | None]] = []
        self.done = 0

    def begin(self, stage: str, total: int | None) -> None:
        self.begun.append((stage, total))

    def advance(self, stage: str, steps: int = 1) -> None:
        assert stage == self.begun[-1][0]
        self.done += steps


@pytest.mark.parametrize(("size", "total"), [(0, 0), (1, 1), (MIB, 1), (MIB + 1, 2)])
def test_what_is_read_comes_to_the_whole(tmp_path: Path, size: int, total: int) -> None:
    file, shown = tmp_path / "games.pgn", Shown()
    file.write_bytes(b"x" * size)
    on_read = watch(str(file), shown, purpose=COUNTING)
    for count in [*[100_000] * (size // 100_000), size % 100_000]:
        on_read(count)
    assert shown.begun == [("Counting the games in games.pgn, MiB", total)]
    assert shown.done == total


def test_nobody_knows_how_long_standard_input_is() -> None:
    shown = Shown()
    watch("-", shown)(3 * MIB)
    assert shown.begun == [("Reading standard input, MiB", None)]
    assert shown.done == 3
