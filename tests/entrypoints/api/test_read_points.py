"""With a read point nothing is seen that was not there yet, in either time, by any read."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.entrypoints.api.conftest import Tenant

HELD = "Assay-Read-Point"
READS: dict[str, dict[str, Any]] = {
    "/v1/facts": {"subject": "Kelvara"},
    "/v1/search": {"q": "Kelvara"},
    "/v1/entities": {"name": "Kelvara"},
    "/v1/profile": {"name": "Kelvara"},
    "/v1/predicates": {},
    "/v1/graph/neighbourhood": {"entity": "Kelvara"},
    "/v1/graph/path": {"source": "Kelvara", "target": "Oslo"},
}


async def say(tenant: Tenant, target: str, start: str, end: str | None = None) -> int:
    statement = {"subject": "Kelvara", "predicate": "headquartered in", "object": target, "valid_from": start}
    if end is not None:
        statement["valid_to"] = end
    answer = await tenant.post("/v1/assertions", {"statements": [statement]})
    return int(answer.json()["revision"])


async def token(tenant: Tenant, **wish: Any) -> str:
    answer = await tenant.post("/v1/read-points", wish)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["token"])


async def read(tenant: Tenant, path: str, held: str, **asked: Any) -> httpx.Response:
    return await tenant.client.get(path, params=asked, headers={HELD: held})


@pytest.mark.parametrize("path", READS)
async def test_no_read_goes_past_what_was_known_or_asks_for_more(acme: Tenant, path: str) -> None:
    revision = await say(acme, "Oslo", "2010", "2030")
    held = await token(acme, as_of="2015-01-01T00:00:00Z", known_at=revision)
    before = await read(acme, path, held, **READS[path])
    await say(acme, "Bergen", "2012")
    after = await read(acme, path, held, **READS[path])
    assert (after.status_code, after.headers["assay-known-at"]) == (200, str(revision))
    assert after.json() == before.json()
    assert "Bergen" not in after.text
    assert "2030" not in after.text
    for asked in (
        {"known_at": revision + 1}, {"as_of": "2015-01-02T00:00:00Z"}, {"all_time": True},
        {"known_at": "2126-01-01T00:00:00Z"},
    ):  # fmt: skip
        refused = await read(acme, path, held, **READS[path], **asked)
        assert (refused.status_code, refused.json()["field"]) == (422, next(iter(asked)))
    earlier = await read(acme, path, held, **READS[path], as_of="2009-01-01T00:00:00Z", known_at=0)
    assert earlier.status_code == 200
    assert earlier.headers["assay-known-at"] == "0"


async def test_a_search_by_post_is_held_too_and_passages_are_refused(acme: Tenant) -> None:
    revision = await say(acme, "Oslo", "2010")
    held = {HELD: await token(acme, as_of="2015-01-01T00:00:00Z", known_at=revision)}
    await say(acme, "Bergen", "2012")
    found = await acme.client.post("/v1/search", json={"query": "Kelvara"}, headers=held)
    assert [hit["fact"]["object"]["name"] for hit in found.json()["hits"]] == ["Oslo"]
    for more in ({"all_time": True}, {"known_at": revision + 1}, {"as_of": "2016-01-01T00:00:00Z"}):
        refused = await acme.client.post("/v1/search", json={"query": "Kelvara", **more}, headers=held)
        assert (refused.status_code, refused.json()["field"]) == (422, next(iter(more)))
    passages = await acme.client.post("/v1/search", json={"query": "x", "sections": ["facts", "chunks"]}, headers=held)
    assert (passages.status_code, passages.json()["field"]) == (422, "sections")


async def test_what_cannot_be_held_refuses_the_header(acme: Tenant) -> None:
    held = {HELD: await token(acme)}
    for path in (
        "/v1/documents",
        "/v1/changes",
        "/v1/timeline?name=x",
        "/v1/sources",
        "/v1/revision",
        "/v1/memory?q=x",
    ):
        refused = await acme.client.get(path, headers=held)
        assert (refused.status_code, refused.json()["field"]) == (422, "assay-read-point"), path
    statement = {"subject": "Kelvara", "predicate": "headquartered in", "object": "Oslo"}
    written = await acme.client.post("/v1/assertions", json={"statements": [statement]}, headers=held)
    assert written.status_code == 422


async def test_a_token_that_was_changed_is_foreign_or_old_is_refused(acme: Tenant, other: Tenant) -> None:
    mine = await token(acme)
    mark, body, signature = mine.split(".")
    wrong = [f"{mark}.{body[:-2]}AA.{signature}", f"{mark}.{body}.{signature[:-4]}AAAA", body, "", "a.b.c", "rp1.é.x"]
    for made_up in [w for w in wrong if w.isascii()] + [await token(other)]:
        refused = await read(acme, "/v1/facts", made_up, subject="x")
        assert (refused.status_code, refused.json()["field"]) == (422, "read_point"), made_up
    for wish in ({"seconds": 0}, {"known_at": 10**6}, {"as_of": "2015-01-01T00:00:00"}):
        assert (await acme.post("/v1/read-points", wish)).status_code == 422
