"""The API against its own description: whatever is sent, it answers as it says it does."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_web import made_context
from schemathesis.specs.openapi.checks import positive_data_acceptance

from pipeline.web.api import create_api

_GAME = st.from_regex(r"[0-4]?[0-9]{1,3}:(1|0|0\.5)", fullmatch=True)
_RATING = st.integers(0, 4000).map(str)
schemathesis.openapi.format("games", st.lists(_GAME, min_size=1, max_size=9).map(" ".join))
schemathesis.openapi.format("ratings", st.lists(_RATING, min_size=1, max_size=9).map(" ".join))

OPERATIONS = [
    (method.upper(), path)
    for path, methods in create_api(cast("Any", None)).openapi()["paths"].items()
    for method in methods
]


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with made_context(tmp_path_factory.mktemp("web")) as context:
        app = FastAPI(openapi_url=None)
        app.mount("/api/v1", create_api(context))
        yield schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_every_answer_is_one_that_is_described(schema: Any, method: str, path: str) -> None:
    @given(case=schema[path][method].as_strategy())
    @settings(max_examples=6, derandomize=True, suppress_health_check=list(HealthCheck))
    def check(case: Any) -> None:
        # A rule refuses what no schema can: a highest rating under the rating, a day before it.
        case.call_and_validate(excluded_checks=[positive_data_acceptance])

    check()
