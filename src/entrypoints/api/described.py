"""The OpenAPI document with what the framework cannot know: how every route refuses."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import msgspec

from entrypoints.api.problems import MEDIA_TYPE, Problem

REFUSALS = (400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503)
"""What any route may answer that asks for a key; ``code`` in the problem says which of the reasons it is."""
OPEN_REFUSALS = (400, 401, 403, 500, 503)
"""What one may answer that asks for none, or for a key of the installation's own."""
_METHODS = ("get", "post", "put", "patch", "delete")


def with_refusals(document: dict[str, Any]) -> dict[str, Any]:
    """The document in which every operation lists its refusals as problems (RFC 9457). The argument is changed."""
    _, components = msgspec.json.schema_components([Problem], ref_template="#/components/schemas/{name}")
    document["components"].setdefault("schemas", {}).update(components)
    for path, operation in _operations(document):
        statuses = REFUSALS if path.startswith("/v1/") else OPEN_REFUSALS
        succeeds = {status: answer for status, answer in operation["responses"].items() if status != "400"}
        operation["responses"] = succeeds | {
            str(status): _refusal(status) for status in statuses if str(status) not in succeeds
        }
    return document


def _operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                yield path, item[method]


def _refusal(status: int) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{Problem.__name__}"}
    return {"description": HTTPStatus(status).phrase, "content": {MEDIA_TYPE: {"schema": schema}}}
