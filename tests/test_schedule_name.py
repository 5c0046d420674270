"""What a schedule may be called."""

import pytest

from config.errors import SettingsError
from pipeline.schedule.name import checked_name


@pytest.mark.parametrize("name", ["club", "Échecs du lundi", "--x", "[red]", "棋", "x" * 40])
def test_a_name_that_can_be_shown_is_one(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize("name", ["", " ", " club", "a\nb", "\x1b[31m", "\udcff", "x" * 41, "x\0"])
def test_a_name_that_would_spoil_the_list_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=r"is no name for a schedule: give it 1 to 40") as error:
        checked_name(name)
    assert str(error.value).isprintable()
