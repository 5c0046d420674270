"""Files are called by their players, whatever those call themselves."""

from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.file_names import file_stem


@pytest.mark.parametrize("name", ["Quillfeather", "a-b_C9", "Zoë", "console", "com10"])
def test_a_plain_name_stays_as_it_is(name: str) -> None:
    assert file_stem(name) == name


@pytest.mark.parametrize("name", ["con", "NUL", "Com1", "lpt9"])
def test_a_device_of_windows_is_no_file(name: str) -> None:
    assert file_stem(name) == f"{name}_"


@pytest.mark.parametrize(
    ("name", "stem"),
    [("../../etc/passwd", "etc_passwd"), (r"C:\x", "C_x"), ("..", "player"), ("a\0b", "a_b")],
)
def test_a_path_is_no_way_out_of_the_folder(name: str, stem: str) -> None:
    assert file_stem(name) == stem


@given(st.text())
def test_any_name_gives_a_file_in_its_folder(name: str) -> None:
    stem = file_stem(name)
    assert PureWindowsPath(stem).name == stem == Path(stem).name
    assert 0 < len(stem.encode()) < 200


def test_a_long_name_of_long_letters_fits(tmp_path: Path) -> None:
    (tmp_path / f"{file_stem('𠀀' * 90)}-games.parquet").write_text("it can be written")
