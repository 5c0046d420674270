"""What an engine states about its options, as it stands in the protocol and in real engines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.uci_options import UciOption, UciOptions, option_in

STATED = {
    # engine-interface.txt's own examples
    "option name Nullmove type check default true": UciOption(
        name="Nullmove", type="check", default="true"
    ),
    "option name Selectivity type spin default 2 min 0 max 4": UciOption(
        name="Selectivity", type="spin", default="2", minimum=0, maximum=4
    ),
    "option name Style type combo default Normal var Solid var Normal var Risky": UciOption(
        name="Style", type="combo", default="Normal", choices=("Solid", "Normal", "Risky")
    ),
    "option name NalimovPath type string default c:\\": UciOption(
        name="NalimovPath", type="string", default="c:\\"
    ),
    "option name Clear Hash type button": UciOption(name="Clear Hash", type="button"),
    # Stockfish
    "option name Debug Log File type string default": UciOption(
        name="Debug Log File", type="string"
    ),
    "option name Move Overhead type spin default 10 min 0 max 5000": UciOption(
        name="Move Overhead", type="spin", default="10", minimum=0, maximum=5000
    ),
    "option name EvalFile type string default nn-ad9b42354671.nnue": UciOption(
        name="EvalFile", type="string", default="nn-ad9b42354671.nnue"
    ),
    "option name Skill type spin default -5 min -20 max 20": UciOption(
        name="Skill", type="spin", default="-5", minimum=-20, maximum=20
    ),
    "option name Style type combo default Very Solid var Very Solid var Risky": UciOption(
        name="Style", type="combo", default="Very Solid", choices=("Very Solid", "Risky")
    ),
}


@pytest.mark.parametrize(("line", "option"), STATED.items())
def test_options_are_read_as_they_are_stated(line: str, option: UciOption) -> None:
    assert option_in(line) == option


@pytest.mark.parametrize("line", ["", "id name Fake", "option", "option name X", "info option"])
def test_other_lines_are_no_options(line: str) -> None:
    assert option_in(line) is None


@given(st.text())
def test_whatever_an_engine_prints_is_an_option_or_none(line: str) -> None:
    option_in(line)
    option_in(f"option name {line}")


def stated() -> UciOptions:
    options = UciOptions()
    for line in STATED:
        option = option_in(line)
        assert option is not None
        options.add(option)
    return options


def test_an_option_is_set_once_and_only_where_it_differs() -> None:
    options = stated()
    assert options.command("selectivity", 2) == ""
    assert options.command("selectivity", 3) == "setoption name Selectivity value 3\n"
    assert options.command("Selectivity", 3) == ""
    assert options.value("SELECTIVITY") == "3"
    assert options.command("Nullmove", False) == "setoption name Nullmove value false\n"
    assert options.command("NalimovPath", "") == "setoption name NalimovPath value <empty>\n"


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("Contempt", 3, "it has no option Contempt"),
        ("Selectivity", 5, "must be from 0 to 4, not 5"),
        ("Selectivity", True, "must be from 0 to 4, not true"),
        ("Selectivity", "three", "must be from 0 to 4, not three"),
        ("Nullmove", 1, "must be true or false, not 1"),
        ("Style", "Wild", "must be one of Very Solid, Risky, not Wild"),
        ("Clear Hash", True, "is a button"),
        ("NalimovPath", "a\nquit", "must be one line"),
    ],
)
def test_what_an_engine_cannot_have_is_refused_with_the_reason(
    name: str, value: str | int, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        stated().command(name, value)
