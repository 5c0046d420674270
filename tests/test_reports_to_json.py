"""The JSON that programs read: its schema, its keys, its truth to the records."""

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_reports import (
    made_alone,
    made_game_report,
    made_player_report,
    made_short_game,
    made_speed_report,
)

import reports
from pipeline.records import GamePlayer, NoEstimate
from reports.to_json import game_to_json, report_to_json

SCHEMA = json.loads(
    (Path(reports.__file__).parent / "templates/movelo-report.schema.json").read_text("utf-8")
)
SHORT = made_short_game()
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "integer": (int,),
    "number": (int, float),
}


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """`schema` with the definition it refers to merged in."""
    if "$ref" not in schema:
        return schema
    target = _resolved(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    return {
        **target,
        **schema,
        "required": [*target.get("required", ()), *schema.get("required", ())],
        "properties": {**target.get("properties", {}), **schema.get("properties", {})},
    }


def _is_a(value: Any, name: str) -> bool:
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def _faults(value: Any, schema: dict[str, Any], where: str = "$") -> list[str]:
    """What is wrong with `value`, for the part of JSON Schema that ours uses."""
    schema = _resolved(schema)
    if "oneOf" in schema:
        tried = [_faults(value, choice, where) for choice in schema["oneOf"]]
        fits = sum(not faults for faults in tried)
        return [] if fits == 1 else min(tried, key=len) or [f"{where}: fits {fits} descriptions"]
    faults = []
    types = schema.get("type", [])
    names = [types] if isinstance(types, str) else types
    if names and not any(_is_a(value, name) for name in names):
        faults.append(f"{where}: {value!r} is no {types}")
    if "const" in schema and value != schema["const"]:
        faults.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        faults.append(f"{where}: {value!r} is none of {schema['enum']}")
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        faults.append(f"{where}: {value!r} does not match")
    if isinstance(value, int | float):
        within = schema.get("minimum", value) <= value <= schema.get("maximum", value)
        faults += [] if within else [f"{where}: {value!r} is out of range"]
    if isinstance(value, dict):
        faults += _object_faults(value, schema, where)
    if isinstance(value, list):
        for index, item in enumerate(value):
            faults += _faults(item, schema["items"], f"{where}[{index}]")
    return faults


def _object_faults(value: dict[str, Any], schema: dict[str, Any], where: str) -> list[str]:
    properties = schema.get("properties", {})
    faults = [f"{where}: no {key}" for key in schema.get("required", ()) if key not in value]
    closed = False in (schema.get("additionalProperties"), schema.get("unevaluatedProperties"))
    for key, item in value.items():
        if key in properties:
            faults += _faults(item, properties[key], f"{where}.{key}")
        elif closed:
            faults.append(f"{where}: unknown {key}")
    return faults


def test_a_report_keeps_to_the_published_schema() -> None:
    assert _faults(json.loads(report_to_json(made_player_report(6))), SCHEMA) == []
    assert _faults(json.loads(report_to_json(made_player_report(0, speeds=()))), SCHEMA) == []


def test_a_game_keeps_to_the_published_schema() -> None:
    bare = made_short_game(
        url=None, status=None, opening=None, clock=None, engine=None, limit=None, color=None
    )
    for game in (made_game_report(1), made_game_report(3), bare):
        assert _faults(json.loads(game_to_json(game)), SCHEMA) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [("schema", "movelo.player-report/9"), ("player", None), ("surprise", 1), ("games", {})],
)
def test_the_schema_refuses_what_is_no_report(key: str, value: Any) -> None:
    report = json.loads(report_to_json(made_player_report(2)))
    assert _faults(report | {key: value}, SCHEMA)


def test_the_schema_refuses_a_wrong_field_deep_inside() -> None:
    report = json.loads(report_to_json(made_player_report(2)))
    report["games"][0]["moves"][0]["win_percent_after"] = 101
    assert _faults(report, SCHEMA["$defs"]["player_report"])
    report["games"][0]["moves"][0].pop("win_percent_after")
    assert _faults(report, SCHEMA["$defs"]["player_report"])


def test_a_strength_has_exactly_its_nine_keys_or_a_reason() -> None:
    report = json.loads(report_to_json(made_player_report(3)))
    assert list(report["speeds"][0]["strength"]) == [
        *("scale", "low", "median", "high", "coverage", "games", "moves"),
        *("games_with_human_model", "with_pairing"),
    ]
    assert report["speeds"][1]["strength"] == {"reason": "too few analysed moves"}
    assert report["games"][-1]["white"]["strength"] == {
        "reason": "too few moves outside the opening"
    }


def test_programs_are_told_who_looked_at_the_moves_and_whether_somebody_was_missing() -> None:
    report = json.loads(report_to_json(made_player_report(3)))
    assert report["speeds"][0]["strength"]["games_with_human_model"] == 18
    alone = json.loads(game_to_json(made_alone()))
    assert alone["white"]["strength"]["games_with_human_model"] == 0
    assert alone["human_model_missing"] is True
    assert report["games"][0]["human_model_missing"] is False


def test_results_are_handed_on_or_explained() -> None:
    missing = made_speed_report(result=NoEstimate(reason="no rated opponents"))
    report = json.loads(
        report_to_json(made_player_report(2, speeds=(made_speed_report(), missing)))
    )
    assert report["speeds"][0]["result"]["score"] == 12.5
    assert report["speeds"][0]["result"]["performance_rating"] == 1734.8
    assert report["speeds"][1]["result"] == {"reason": "no rated opponents"}


def test_times_are_utc_whatever_zone_they_came_in() -> None:
    elsewhere = datetime(2026, 3, 14, 1, 30, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    game = json.loads(game_to_json(made_game_report(1, created_at=elsewhere)))
    assert game["created_at"] == "2026-03-13T20:00:00Z"


def test_the_same_report_gives_the_same_bytes_on_one_line() -> None:
    first, second = (report_to_json(made_player_report(5)) for _ in range(2))
    assert first == second
    assert first.count("\n") == 1 and first.endswith("\n")


@given(st.text(st.characters(exclude_categories=())))
def test_any_name_survives_and_can_be_written_to_a_file(name: str) -> None:
    player = GamePlayer(name=name)
    text = game_to_json(replace(SHORT, white=replace(SHORT.white, player=player)))
    assert json.loads(text.encode("ascii"))["white"]["player"]["name"] == name
