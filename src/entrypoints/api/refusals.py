"""What was wrong with a request that the framework refused: the field or place, the value, and what to do."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec
from litestar import Request
from litestar.enums import RequestEncodingType
from litestar.exceptions import HTTPException, ValidationException
from litestar.params import BodyKwarg
from litestar.utils.scope.state import ScopeState

from domain.errors import shown
from entrypoints.json_text import TOO_DEEP, from_json, nests_too_deep
from entrypoints.settings import PREFIX
from entrypoints.wording import STEP, allowed_values, in_plain_words

HttpRequest = Request[Any, Any, Any]
LIMIT_SETTING = "limit_setting"
"""Key of a route's ``opt``: the setting behind its limit of bytes, where that is not the one of all bodies."""
_BODY_LIMIT_SETTING = "LIMITS__BODY_BYTES"
_NAMED_FIELD = re.compile(r"(?:unknown|missing required) field `(?P<name>[^`]*)`")
_MISSING_PARAMETER = re.compile(r"Missing required (?P<where>\w+) parameter '(?P<name>[^']*)'")
_BYTE = re.compile(r" \(byte (\d+)\)$")
_ID = re.compile(r"\{(?P<name>\w+):uuid\}")
_TIME = "write it whole and with its zone, such as 2024-05-01T00:00:00Z"
_DOCUMENTED = "/v1/openapi.json says what is expected"


@dataclass(frozen=True, slots=True)
class Refusal:
    """How a refused request is answered; ``errors`` are further faults, each with detail, field and value."""

    status: int
    code: str
    detail: str
    field: str | None = None
    value: str | None = None
    errors: tuple[dict[str, str], ...] = ()


def wrong_values(request: HttpRequest, error: ValidationException) -> Refusal:
    """Parameters or a body of another shape than documented."""
    if missing := _MISSING_PARAMETER.search(error.detail):
        name = missing["name"]
        return Refusal(422, "invalid_input", f"{name}: this {missing['where']} parameter is missing; send it", name)
    body = _parsed(request)
    errors = [_explained(item, body, request) for item in error.extra or () if isinstance(item, dict)]
    first = errors[0] if errors else {"detail": error.detail, "field": "", "value": ""}
    field, value = first["field"] or None, first["value"] or None
    return Refusal(422, "invalid_input", first["detail"], field, value, tuple(errors[1:]))


def unreadable(request: HttpRequest) -> Refusal:
    """A body that is not in the form that the route reads."""
    sent = request.headers.get("content-type", "")
    if _reads_forms(request):
        wanted = str(RequestEncodingType.MULTI_PART.value)
        if not sent.startswith(wanted):
            return _wrong_media_type(sent, wanted)
        if "boundary=" not in sent:
            detail = f"the Content-Type {shown(sent)} names no boundary; let the client make the {wanted} body"
        else:
            detail = f"the {wanted} body ends too early or has another boundary than its Content-Type; send it whole"
        return Refusal(400, "malformed_request", detail, "body")
    body = ScopeState.from_scope(request.scope).body
    if not isinstance(body, bytes):
        return Refusal(400, "malformed_request", "the request cannot be read; send well-formed HTTP")
    if sent and "json" not in sent:
        return _wrong_media_type(sent, "application/json")
    detail = f"the body is no well-formed JSON: {_fault(body)}; send it whole and correct"
    return Refusal(400, "malformed_request", detail, "body")


def unknown_route(request: HttpRequest) -> Refusal:
    """No such path; or one whose id is none."""
    steps = request.url.path.strip("/").split("/")
    for route in request.app.routes:
        pattern = route.path.strip("/").split("/")
        if len(pattern) == len(steps) and (wrong := _wrong_id(pattern, steps)):
            name, value = wrong
            detail = f"{name}: {shown(value)} is no id; an id looks like 0190a5d4-7c1e-7b3a-9f00-5a1b2c3d4e5f"
            return Refusal(422, "invalid_input", detail, name, shown(value))
    path = shown(request.url.path)
    return Refusal(404, "not_found", f"there is no route {path}; the routes are listed in /v1/openapi.json")


def too_large(request: HttpRequest) -> Refusal:
    """A body over the limit of its route."""
    handler = request.route_handler
    setting = handler.opt.get(LIMIT_SETTING, _BODY_LIMIT_SETTING)
    limit = handler.resolve_request_max_body_size()
    detail = f"a request has at most {limit:,} bytes here; send less, or in parts, or raise {PREFIX}{setting}"
    return Refusal(413, "limit_exceeded", detail, "body")


def otherwise(error: HTTPException) -> Refusal:
    """Anything else that the framework refuses."""
    if error.status_code == 408:
        return Refusal(408, "too_slow", error.detail)
    return Refusal(error.status_code, "refused", error.detail)


def _wrong_media_type(sent: str, wanted: str) -> Refusal:
    given = f"as {shown(sent)}" if sent else "without a Content-Type"
    detail = f"the body was sent {given}; this route reads {wanted}"
    return Refusal(415, "unsupported_media_type", detail, "Content-Type", shown(sent) if sent else None)


def _reads_forms(request: HttpRequest) -> bool:
    data = request.route_handler.parsed_fn_signature.parameters.get("data")
    kwarg = data.kwarg_definition if data else None
    return isinstance(kwarg, BodyKwarg) and kwarg.media_type == RequestEncodingType.MULTI_PART


def _fault(body: bytes) -> str:
    """What is wrong with a JSON text, and where."""
    if nests_too_deep(body):
        return TOO_DEEP
    try:
        text = body.decode()
        msgspec.json.decode(body)
    except UnicodeDecodeError as error:
        return f"byte {error.start} is not UTF-8"
    except msgspec.DecodeError as error:
        words = str(error).removeprefix("JSON is malformed: ")
        if place := _BYTE.search(words):
            before = body[: int(place[1])]
            line, column = before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1) + 1
            return f"{words[: place.start()]} at byte {place[1]} (line {line}, column {column})"
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            return f"it breaks off after {len(body)} bytes"
        return "an escape in it stands for no character"
    return "it cannot be read"


def _wrong_id(pattern: list[str], steps: list[str]) -> tuple[str, str] | None:
    """The first id of a path that is none; None when the path is another one."""
    wrong = None
    for expected, given in zip(pattern, steps, strict=True):
        if named := _ID.fullmatch(expected):
            if wrong is None and not _is_id(given):
                wrong = (named["name"], given)
        elif expected != given:
            return None
    return wrong


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _parsed(request: HttpRequest) -> object:
    """The body as it was read before it was refused, to show what was wrong with it."""
    body = ScopeState.from_scope(request.scope).body
    if not isinstance(body, bytes):
        return None
    try:
        return from_json(body)
    except msgspec.DecodeError:
        return None


def _explained(item: dict[str, Any], body: object, request: HttpRequest) -> dict[str, str]:
    words, place = str(item.get("message", "")), str(item.get("key", ""))
    if item.get("source") == "body":
        place = "" if place == "data" else place
        if named := _NAMED_FIELD.search(words):
            place = f"{place}.{named['name']}".lstrip(".")
        given = _value_at(body, place)
    else:
        given = request.query_params.get(place, request.path_params.get(place))
    place = place or "body"
    said = in_plain_words(words) or f"{words[:1].lower()}{words[1:]}"
    told = f"{said}; correct it; {_DOCUMENTED}"
    if "nvalid enum value" in words:
        told = _not_allowed(request, item, place, given)
    if "RFC3339" in words:
        told = f"there is no such time; {_TIME}"
    if "unknown field" in words:
        told = f"there is no such field; remove it; {_DOCUMENTED}"
    elif "missing required field" in words:
        told = f"this field is missing; send it; {_DOCUMENTED}"
    elif words == "'data'":
        told = f"it is empty; send a JSON object; {_DOCUMENTED}"
    if place.endswith("[...]") and "nvalid enum value" in words:
        place, given = _wrong_one(request, item, place, body)
        told = _not_allowed(request, item, str(item.get("key", "")), given)
    return {"field": place, "value": "" if given is None else shown(given), "detail": f"{place}: {told}"}


def _not_allowed(request: HttpRequest, item: dict[str, Any], place: str, given: object) -> str:
    values = _values(request, item, place)
    return f"{shown(given)} is none of the values it can have; it is one of: {', '.join(values)}"


def _values(request: HttpRequest, item: dict[str, Any], place: str) -> list[str]:
    steps = [name or index for name, index in STEP.findall(place)]
    name, *rest = ["data", *steps] if item.get("source") == "body" else steps
    return allowed_values(_shape_of(request, name), rest)


def _wrong_one(request: HttpRequest, item: dict[str, Any], place: str, body: object) -> tuple[str, object]:
    """Of a map's values, which the checker does not name: the first that is none of those it can have."""
    around = place.removesuffix("[...]")
    values = _values(request, item, place)
    held = _value_at(body, around) if around else body
    for name, value in held.items() if isinstance(held, dict) else ():
        if str(value) not in values:
            return f"{around}.{name}".lstrip("."), value
    return around or "body", held


def _shape_of(request: HttpRequest, name: str) -> Any:
    """The type of a parameter of the route, or of what is handed to it."""
    handler = request.route_handler
    signatures = [handler.parsed_fn_signature]
    signatures += [each.parsed_fn_signature for each in handler.resolve_dependencies().values()]
    for signature in signatures:
        for parameter, given in signature.parameters.items():
            if name in (parameter, getattr(given.kwarg_definition, "name", None)):
                return given.annotation
    return object


def _value_at(body: object, path: str) -> object:
    found = body
    for name, index in STEP.findall(path):
        if isinstance(found, dict):
            found = found.get(name or index)
        elif isinstance(found, list) and index.isdigit() and int(index) < len(found):
            found = found[int(index)]
        else:
            return None
    return found
