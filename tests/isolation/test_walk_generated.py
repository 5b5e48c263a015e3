"""Requests that Schemathesis makes of the OpenAPI document: every answer is one that the document promises.

They change what they find, limits among it, so this file comes after all others of the folder.
"""

from __future__ import annotations

import os
from typing import Any, cast

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.entrypoints.api.conftest import METRICS_KEY, OPERATOR_KEY
from tests.isolation.conftest import Two
from tests.isolation.numbers import say

EXAMPLES = int(os.environ.get("ASSAY_TEST_EXAMPLES", "3"))
"""Requests of each route; docs/isolation.md says how to make more."""
CHECKS = [
    status_code_conformance, content_type_conformance, response_schema_conformance, response_headers_conformance,
]  # fmt: skip
KEYS = {"/metrics": METRICS_KEY, "/v1/organizations": OPERATOR_KEY}
LEAVES = frozenset({"POST /v1/memberships/leave"})
"""Nobody would be left to ask the rest."""


def generated(operation: schemathesis.APIOperation[Any, Any, Any, Any]) -> list[schemathesis.Case[Any]]:
    """The same requests of a route in every run."""
    made: list[schemathesis.Case[Any]] = []

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        deadline=None,
    )
    @given(case=operation.as_strategy())
    def make(case: schemathesis.Case[Any]) -> None:
        made.append(case)

    make()
    return made


async def sent(case: schemathesis.Case[Any], client: httpx.AsyncClient) -> httpx.Response:
    """The answer to a generated request."""
    wanted = case.as_transport_kwargs(base_url="http://assay.test")
    parts = {name: wanted.get(name) for name in ("method", "url", "params", "json", "data", "files")}
    prepared = requests.Request(**parts).prepare()
    left_out = ("authorization", "cookie", "content-length", "host", "connection", "accept-encoding")
    headers = {n: v for n, v in {**wanted["headers"], **prepared.headers}.items() if n.lower() not in left_out}
    key = KEYS.get(case.operation.path)
    headers |= {"authorization": f"Bearer {key}"} if key else {}
    body = cast("bytes | str | None", prepared.body)
    return await client.request(str(prepared.method), str(prepared.url), headers=headers, content=body)


async def test_every_answer_to_generated_requests_is_one_that_the_document_promises(
    two: Two, pytestconfig: pytest.Config
) -> None:
    wrong, asked, done = [], 0, 0
    for found in schemathesis.openapi.from_dict(two.document).get_all_operations():
        assert isinstance(found, Ok), found
        operation = found.ok()
        label = operation.label
        for case in generated(operation) if label not in LEAVES else ():
            answer = await sent(case, two.ours.owner)
            asked, done = asked + 1, done + answer.is_success
            if answer.status_code >= 500 and answer.status_code != 503:
                wrong.append(f"{label}: {answer.status_code} to {case.as_curl_command()}: {answer.text[:300]}")
            try:
                case.validate_response(answer, checks=CHECKS)
            except FailureGroup as group:
                wrong += [f"{label}: {failure} ({answer.text[:200]})" for failure in group.exceptions]
    assert not wrong, "\n".join(wrong)
    say(pytestconfig, f"{asked} generated requests ({done} of them done), each answered as the document says")
    assert done >= asked // 5, "what is only refused proves little"
