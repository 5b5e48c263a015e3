"""Snapshots and context packs over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.api.conftest import Tenant
from tests.entrypoints.api.test_read_points import READS, say


async def made(tenant: Tenant, **wish: Any) -> dict[str, Any]:
    answer = await tenant.post("/v1/snapshots", wish)
    assert answer.status_code == 201, answer.text
    snapshot: dict[str, Any] = answer.json()
    return snapshot


@pytest.mark.parametrize("path", READS)
async def test_every_read_by_a_snapshot_is_byte_for_byte_the_same_later(acme: Tenant, path: str) -> None:
    revision = await say(acme, "Oslo", "2010")
    snapshot = await made(acme, name="before")
    before = await acme.get(path, **READS[path], snapshot=snapshot["id"])
    await say(acme, "Bergen", "2012")
    after = await acme.get(path, **READS[path], snapshot=snapshot["id"])
    assert (after.status_code, after.headers["assay-known-at"]) == (200, str(revision))
    assert after.content == before.content
    assert "Bergen" not in after.text
    refused = await acme.get(path, **READS[path], snapshot=snapshot["id"], known_at=revision)
    assert (refused.status_code, refused.json()["field"]) == (422, "snapshot")
    assert (await acme.get(path, **READS[path], snapshot=str(uuid4()))).status_code == 404


async def test_a_fact_and_its_explanation_are_the_same_by_a_snapshot(acme: Tenant) -> None:
    await say(acme, "Oslo", "2010")
    [fact] = (await acme.get("/v1/facts", subject="Kelvara")).json()["items"]
    snapshot = await made(acme)
    before = [
        (await acme.get(f"/v1/facts/{fact['id']}{more}", snapshot=snapshot["id"])).content
        for more in ("", "/explanation")
    ]
    await say(acme, "Bergen", "2012")
    await acme.post(f"/v1/facts/{fact['id']}/correct", {"verdict": "deny", "saw": snapshot["made_revision"] + 1})
    after = [
        (await acme.get(f"/v1/facts/{fact['id']}{more}", snapshot=snapshot["id"])).content
        for more in ("", "/explanation")
    ]
    assert after == before


async def test_snapshots_are_listed_shown_and_verified(acme: Tenant, other: Tenant) -> None:
    await say(acme, "Oslo", "2010")
    snapshot = await made(acme, name="audit", reason="asked for")
    assert snapshot["standings"] == 1
    assert (await acme.get("/v1/snapshots")).json()["items"] == [snapshot]
    assert (await acme.get(f"/v1/snapshots/{snapshot['id']}")).json() == snapshot
    verified = (await acme.post(f"/v1/snapshots/{snapshot['id']}/verify", None)).json()
    assert verified["verified_at"] > snapshot["verified_at"]
    assert verified["digest"] == snapshot["digest"]
    assert (await other.get(f"/v1/snapshots/{snapshot['id']}")).status_code == 404
    assert (await other.get("/v1/snapshots")).json()["items"] == []
    early = await made(acme, known_at=0)
    assert early["standings"] == 0


async def test_a_pack_is_made_stored_and_opened_with_the_same_bytes(acme: Tenant, other: Tenant) -> None:
    await say(acme, "Oslo", "2010")
    wish = {"question": "where is Kelvara headquartered", "budget": 900}
    once = await acme.post("/v1/packs", wish)
    assert once.status_code == 201, once.text
    pack = once.json()
    assert pack["size"] <= 900
    assert (pack["id"], pack["snapshot_id"]) == (None, None)
    assert [fact["sentence"] for fact in pack["facts"]] == ["Kelvara is headquartered in Oslo"]
    assert pack["facts"][0]["citation"]["document"] == pack["documents"][0]["ref"] == "d1"
    stored = await acme.post("/v1/packs", {**wish, "store": True, "days": 2})
    assert stored.status_code == 201, stored.text
    await say(acme, "Bergen", "2012")
    opened = await acme.get(f"/v1/packs/{stored.json()['id']}")
    assert opened.content == stored.content
    assert (await acme.get(f"/v1/snapshots/{stored.json()['snapshot_id']}")).status_code == 200
    assert (await other.get(f"/v1/packs/{stored.json()['id']}")).status_code == 404
    counted = (await acme.post("/v1/packs", {**wish, "budget": 400, "model": "gpt-4o"})).json()
    assert (counted["tokenizer"], counted["exact"]) == ("o200k_base", True)
    assert counted["size"] <= 400


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"question": "where is Kelvara", "budget": 0}, "budget"),
        ({"question": "where is Kelvara headquartered", "budget": 20}, "budget"),
        ({"question": " ", "budget": 500}, "query"),
        ({"question": "where", "budget": 500, "conflicts": "hide"}, "conflicts"),
        ({"question": "where", "budget": 500, "snapshot": str(uuid4()), "known_at": 0}, "snapshot"),
    ],
)
async def test_a_wrong_pack_names_the_field(acme: Tenant, wish: dict[str, Any], field: str) -> None:
    await say(acme, "Oslo", "2010")
    answer = await acme.post("/v1/packs", wish)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
