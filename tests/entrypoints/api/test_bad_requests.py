"""A request that is refused is told the field or place, the value, and what to do."""

from __future__ import annotations

import base64
from itertools import product
from typing import Any

import httpx

from entrypoints.application import Application
from tests.entrypoints.api.conftest import Tenant

JSON = {"Content-Type": "application/json"}
NOBODY = "00000000-0000-7000-8000-000000000000"
HUGE = 10**30
READS = (
    "/v1/facts?subject=x",
    f"/v1/facts/{NOBODY}?",
    f"/v1/facts/{NOBODY}/explanation?",
    "/v1/predicates?",
    "/v1/search?q=x",
    "/v1/entities?name=x",
    f"/v1/entities/{NOBODY}?",
    "/v1/profile?name=x",
    "/v1/graph/neighbourhood?entity=x",
    "/v1/graph/path?source=x&target=y",
)
"""Every route that reads as of a revision, ready for one more parameter."""


def refused(answer: httpx.Response, status: int, field: str | None) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    assert found.get("field") == field
    assert found["status"] == status
    return found


MALFORMED = (
    (b'{"name": ', "it breaks off after 9 bytes"),
    (b'{"name": "a"\n "b"}', "expected ',' or '}' at byte 14 (line 2, column 2)"),
    (b'{"name": "\xff"}', "byte 10 is not UTF-8"),
    (b"{name: 1}", "object keys must be strings at byte 1 (line 1, column 2)"),
)


async def test_malformed_json_is_shown_its_place(acme: Tenant) -> None:
    for body, fault in MALFORMED:
        found = refused(await acme.client.post("/v1/workspaces", content=body, headers=JSON), 400, "body")
        assert found["code"] == "malformed_request"
        assert found["detail"] == f"the body is no well-formed JSON: {fault}; send it whole and correct"


TOO_DEEP = "arrays and objects in it nest deeper than 100 levels"


async def test_json_that_nests_too_deep_is_malformed_on_every_route(acme: Tenant) -> None:
    bodies = (b"[" * 100_000, b'{"a":' * 5_000, b"[" * 101 + b"]" * 101, b'{"name": ' + b"[" * 800 + b"]" * 800 + b"}")
    for route, body in product(("/v1/documents", "/v1/workspaces", "/v1/records"), bodies):
        found = refused(await acme.client.post(route, content=body, headers=JSON), 400, "body")
        assert found["code"] == "malformed_request"
        assert found["detail"] == f"the body is no well-formed JSON: {TOO_DEEP}; send it whole and correct"
    kept = JSON | {"Idempotency-Key": "deep"}
    refused(await acme.client.post("/v1/documents", content=bodies[0], headers=kept), 400, "body")


async def test_fields_lines_and_parameters_that_nest_too_deep_are_refused_by_name(acme: Tenant) -> None:
    deep = '{"a":' * 5_000
    upload = {"data": {"mapping": deep}, "files": {"file": ("a.json", b"[]")}}
    refused(await acme.client.post("/v1/documents/upload", **upload), 422, "mapping")  # type: ignore[arg-type]
    refused(await acme.get("/v1/facts", object_literal=deep), 422, "object_literal")
    lines = f'{deep}\n{{"subject":"Ada","predicate":"knows","object":"Bob"}}\n'
    answer = await acme.client.post(
        "/v1/triples?name=deep", content=lines, headers={"Content-Type": "application/x-ndjson"}
    )
    assert (answer.status_code, answer.json()["rejected"]) == (200, 1), answer.text
    assert [fact["object"]["name"] for fact in (await acme.get("/v1/facts", subject="Ada")).json()["items"]] == ["Bob"]


async def test_an_empty_body_is_called_empty(acme: Tenant) -> None:
    found = refused(await acme.client.post("/v1/workspaces", headers=JSON), 422, "body")
    assert found["detail"] == "body: it is empty; send a JSON object; /v1/openapi.json says what is expected"


MEDIA_TYPES = (
    ("/v1/workspaces", "application/xml", "application/json"),
    ("/v1/workspaces", "application/x-www-form-urlencoded", "application/json"),
    ("/v1/documents/upload", "application/json", "multipart/form-data"),
)


async def test_a_wrong_media_type_is_named_beside_the_right_one(acme: Tenant) -> None:
    for path, sent, wanted in MEDIA_TYPES:
        answer = await acme.client.post(path, content=b"<name/>", headers={"Content-Type": sent})
        found = refused(answer, 415, "Content-Type")
        assert found["code"] == "unsupported_media_type"
        assert found["detail"] == f"the body was sent as '{sent}'; this route reads {wanted}"


async def test_lines_of_another_media_type_are_refused_by_name(acme: Tenant) -> None:
    found = refused(await acme.client.post("/v1/triples?name=load", json={"subject": "a"}), 422, "Content-Type")
    assert found["detail"] == "the lines were sent as 'application/json'; send them as application/x-ndjson"


CUT_UPLOADS = (
    ("multipart/form-data", "names no boundary"),
    ("multipart/form-data; boundary=b", "ends too early or has another boundary"),
)


async def test_a_cut_upload_is_called_so(acme: Tenant) -> None:
    for media_type, words in CUT_UPLOADS:
        cut = b"--b\r\nContent-Disposition: form-data; na"
        answer = await acme.client.post("/v1/documents/upload", content=cut, headers={"Content-Type": media_type})
        assert words in refused(answer, 400, "body")["detail"]


async def test_too_large_a_body_names_the_limit_and_its_setting(acme: Tenant, running: Application) -> None:
    found = refused(await acme.post("/v1/workspaces", {"name": "x" * 3_000_000}), 413, "body")
    assert found["detail"] == (
        "a request has at most 2,097,152 bytes here; send less, or in parts, or raise ASSAY_LIMITS__BODY_BYTES"
    )
    limits = running.settings.limits
    most = limits.upload_bytes + limits.body_bytes
    answer = await acme.client.post("/v1/documents/upload", files={"file": ("big.txt", b"x" * most)})
    assert f"at most {most:,} bytes here" in refused(answer, 413, "body")["detail"]
    assert "ASSAY_LIMITS__UPLOAD_BYTES" in answer.json()["detail"]


WRONG_IDS = (
    ("/v1/facts/abc", "fact_id"),
    ("/v1/facts/abc/explanation", "fact_id"),
    ("/v1/documents/abc", "document_id"),
    ("/v1/receipts/abc", "receipt_id"),
    ("/v1/entities/abc", "entity_id"),
    ("/v1/versions/abc/text", "version_id"),
    ("/v1/facts?subject_id=abc", "subject_id"),
)


async def test_an_id_that_is_none_is_named_with_its_value(acme: Tenant) -> None:
    for path, field in WRONG_IDS:
        found = refused(await acme.client.get(path), 422, field)
        assert (found["code"], found["value"]) == ("invalid_input", "'abc'")


async def test_a_path_that_is_none_stays_unknown(acme: Tenant) -> None:
    found = refused(await acme.client.get("/v1/fact/abc"), 404, None)
    assert found["detail"] == "there is no route '/v1/fact/abc'; the routes are listed in /v1/openapi.json"


HEADERS = (
    ("", "no API key was sent"),
    ("Basic dTpw", "'Basic' is no way to sign in here"),
    ("Bearer", "there is no key after 'Bearer'"),
    ("assay_secret", "the Authorization header has one word only"),
    ("assay_secret x", "this is no way to sign in here"),
    ("abcdefghijklmnopqrstuvwxyz x", "this is no way to sign in here"),
)


async def test_what_is_wrong_with_the_authorization_is_said_and_no_key_is_shown(anonymous: httpx.AsyncClient) -> None:
    for header, words in HEADERS:
        answer = await anonymous.get("/v1/workspaces", headers={"Authorization": header})
        found = refused(answer, 401, "Authorization")
        assert found["detail"] == f"{words}; send 'Authorization: Bearer <key>'"


async def test_a_time_that_does_not_exist_is_shown_with_how_to_write_one(acme: Tenant) -> None:
    found = refused(await acme.get("/v1/search", q="x", as_of="2026-02-30T00:00:00Z"), 422, "as_of")
    assert found["detail"] == (
        "as_of: there is no such time; write it whole and with its zone, such as 2024-05-01T00:00:00Z"
    )
    assert found["value"] == "'2026-02-30T00:00:00Z'"


async def test_a_missing_field_is_called_missing_by_its_name(acme: Tenant) -> None:
    found = refused(await acme.post("/v1/documents", {"text": "x"}), 422, "record_key")
    assert found["detail"] == "record_key: this field is missing; send it; /v1/openapi.json says what is expected"
    answer = await acme.client.post("/v1/documents/upload", files={"x": ("a.txt", b"hi")})
    assert refused(answer, 422, "file")["detail"].startswith("file: this field is missing; send it")
    found = refused(await acme.client.get("/v1/search"), 422, "q")
    assert found["detail"] == "q: this query parameter is missing; send it"


async def test_a_field_too_many_is_named_with_its_place(acme: Tenant) -> None:
    body = {"record_key": "a", "text": "b", "source": {"nam": "c"}}
    found = refused(await acme.post("/v1/documents", body), 422, "source.nam")
    assert found["detail"].startswith("source.nam: there is no such field; remove it")


async def test_a_revision_that_is_not_there_yet_is_refused_with_the_last_one(acme: Tenant) -> None:
    for path in READS:
        found = refused(await acme.client.get(f"{path}&known_at=2"), 422, "known_at")
        assert found["detail"] == "known_at: revision 2 is not there yet, the last one is 1; ask for 0 to 1"
        answer = await acme.client.get(f"{path}&known_at=1")
        assert answer.status_code in (200, 404)
        found = refused(await acme.client.get(f"{path}&known_at={HUGE}"), 422, "known_at")
        assert found["detail"] == f"known_at: revision {HUGE} is not there yet, the last one is 1; ask for 0 to 1"


async def test_search_and_changes_know_the_last_revision_too(acme: Tenant) -> None:
    found = refused(await acme.post("/v1/search", {"query": "x", "known_at": 2}), 422, "known_at")
    assert "the last one is 1" in found["detail"]
    found = refused(await acme.client.get("/v1/changes?since=2"), 422, "since")
    assert found["detail"] == "since: revision 2 is not there yet, the last one is 1; ask for 0 to 1"
    assert (await acme.client.get("/v1/changes?since=1")).json() == {"items": [], "next": None}


async def test_a_number_out_of_bounds_is_refused_by_its_field(acme: Tenant) -> None:
    for field, value in product(("known_at", "at_least", "expand_hops", "limit"), (HUGE, -1)):
        refused(await acme.post("/v1/search", {"query": "x", field: value}), 422, field)
        refused(await acme.client.get(f"/v1/search?q=x&{field}={value}"), 422, field)


async def test_numbers_of_jobs_revisions_and_tiers_have_bounds(acme: Tenant) -> None:
    refused(await acme.post("/v1/jobs/retry", {"ids": [HUGE]}), 422, "ids[0]")
    refused(await acme.client.get(f"/v1/changes?since={HUGE}"), 422, "since")
    refused(await acme.client.get("/v1/facts?subject=x&tier=9"), 422, "tier")


async def test_a_cursor_that_was_made_up_is_refused(acme: Tenant) -> None:
    await acme.post("/v1/assertions", {"statements": [_stated(n) for n in range(3)]})
    page = (await acme.client.get("/v1/facts?subject=Acme&limit=1")).json()
    cursor = page["next"]
    mark = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).split(b":")[0]
    made_up = base64.urlsafe_b64encode(mark + b":1 nonsense").decode().rstrip("=")
    refused(await acme.client.get(f"/v1/facts?subject=Acme&limit=1&cursor={made_up}"), 422, "cursor")
    assert len((await acme.client.get(f"/v1/facts?subject=Acme&limit=5&cursor={cursor}")).json()["items"]) == 2


def _stated(n: int) -> dict[str, str]:
    return {"subject": "Acme", "predicate": "owns", "object": f"Brik {n}"}


async def test_a_nul_in_a_parameter_is_refused_by_its_name(acme: Tenant) -> None:
    found = refused(await acme.client.get("/v1/facts?subject=a%00b"), 422, "subject")
    assert found["detail"] == ("subject: character 2 of 'a\\x00b' is a NUL (U+0000), which is no text; remove it")


async def test_a_nul_is_refused_with_its_place_wherever_it_is_sent(acme: Tenant) -> None:
    said = {"statements": [{"subject": "Acme", "predicate": "FOUNDED_BY", "object": "A\0da"}]}
    found = refused(await acme.client.post("/v1/assertions", json=said), 422, "statements[0].object")
    assert found["code"] == "invalid_input"
    assert found["detail"] == (
        r"statements[0].object: character 2 of 'A\x00da' is a NUL (U+0000), which is no text; remove it"
    )
    refused(await acme.client.post("/v1/workspaces", json={"name": "a\0"}), 422, "name")
    refused(await acme.client.post("/v1/search", json={"query": "who\0"}), 422, "query")
    refused(await acme.client.get("/v1/search?q=who%00"), 422, "q")
    form = {"title": "T\0"}
    upload = await acme.client.post("/v1/documents/upload", data=form, files={"file": ("a.txt", b"Acme.")})
    refused(upload, 422, "title")
    assert (await acme.client.get("/v1/documents")).json()["items"] == []


async def test_a_text_that_only_speaks_of_a_nul_is_none(acme: Tenant) -> None:
    answer = await acme.client.post("/v1/memory", json={"text": "In JSON a NUL is written \\u0000."})
    assert answer.status_code in {200, 201, 202}, answer.text


async def test_a_line_with_a_nul_is_rejected_by_its_place_and_the_others_land(acme: Tenant) -> None:
    lines = b"".join(
        b'{"subject": "%s", "predicate": "FOUNDED_BY", "object": {"entity": "Ada"}}\n' % subject
        for subject in (b"Acme", b"Bra\\u0000vo", b"Cora")
    )
    headers = {"content-type": "application/x-ndjson"}
    answer = await acme.client.post("/v1/triples", params={"name": "n"}, content=lines, headers=headers)
    receipt = answer.json()
    assert (receipt["stored"], receipt["rejected"]) == (2, 1)
    (rejection,) = receipt["rejections"]
    assert rejection["place"] == "line 2"
    assert "subject: character 4 of 'Bra\\x00vo' is a NUL" in rejection["rejection"]["detail"]


async def test_a_value_that_is_none_of_those_allowed_is_shown_them(acme: Tenant) -> None:
    wish = {"policies": [{"name": "likes", "cardinality": "folly"}]}
    found = refused(await acme.post("/v1/vocabulary", wish), 422, "policies[0].cardinality")
    assert found["detail"] == (
        "policies[0].cardinality: 'folly' is none of the values it can have; it is one of: one, many"
    )
    for path, field, values in (
        ("/v1/graph/neighbourhood?entity=x&direction=folly", "direction", "out, in, both"),
        ("/v1/facts?subject=x&lifecycle=folly", "lifecycle", "proposed, active, disputed"),
    ):
        found = refused(await acme.client.get(path), 422, field)
        assert f"{field}: 'folly' is none of the values it can have; it is one of: {values}" in found["detail"]


async def test_lengths_bounds_and_types_are_said_in_plain_words(acme: Tenant) -> None:
    bodies: tuple[tuple[dict[str, object], str], ...] = (
        ({"policies": [{"name": ""}]}, "policies[0].name: it needs at least 1 character"),
        ({"policies": [{"name": "x" * 201}]}, "policies[0].name: it needs at most 200 characters"),
        ({"policies": [{"name": "x", "minimum_tier": 5}]}, "policies[0].minimum_tier: it must be at most 4"),
        ({"policies": {}}, "policies: it must be a list, not an object"),
        ({"dry_run": "folly"}, "dry_run: it must be true or false, not a text"),
    )
    for body, told in bodies:
        answer = await acme.post("/v1/vocabulary", body)
        assert answer.status_code == 422
        assert answer.json()["detail"] == f"{told}; correct it; /v1/openapi.json says what is expected"


async def test_the_wrong_value_of_a_map_is_named_and_shown(acme: Tenant) -> None:
    wish = {"treatments": {"card": "redact", "email": "burn"}}
    found = refused(await acme.client.put("/v1/sensitive", json=wish), 422, "treatments.email")
    said = "'burn' is none of the values it can have; it is one of: redact, quarantine, allow"
    assert found["value"] == "'burn'"
    assert sorted(found["detail"].removeprefix("treatments.email: ").split("one of: ")[1].split(", ")) == [
        "allow", "quarantine", "redact",
    ]  # fmt: skip
    assert found["detail"].split("; ")[0] == f"treatments.email: {said.split('; ')[0]}"
