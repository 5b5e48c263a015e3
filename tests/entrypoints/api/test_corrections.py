"""Corrections that cannot be, ones that newer sources doubt, and undoing what must stay, over HTTP."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

from tests.entrypoints.api.conftest import Tenant


async def told(tenant: Tenant, kind: str = "record_export", **line: Any) -> int:
    """One typed triple of a source of a kind; the revision."""
    answer = await tenant.client.post(
        "/v1/triples",
        content=json.dumps({"kind": "fact", "confidence": 1.0, **line}),
        params={"source": f"{kind} {tenant.id}", "source_kind": kind, "name": str(uuid4())},
        headers={"content-type": "application/x-ndjson"},
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["rejected"] == 0, answer.text
    return int(answer.json()["revision"])


async def only(tenant: Tenant, subject: str, **more: Any) -> dict[str, Any]:
    (fact,) = (await tenant.get("/v1/facts", subject=subject, **more)).json()["items"]
    return dict(fact)


async def test_times_that_cannot_be_are_refused_by_field_and_odd_ones_are_kept_exactly(acme: Tenant) -> None:
    saw = await told(
        acme, subject="Brik", predicate="headquartered in", object="Lyon", valid_from="2020", valid_to="2024"
    )
    fact = await only(acme, "Brik", as_of="2021-06-01T00:00:00Z")
    path = f"/v1/facts/{fact['id']}/correct"
    for stretch, field in (
        ({"valid_from": "2023-02-29"}, "valid_from"),
        ({"valid_to": "2021-13"}, "valid_to"),
        ({"valid_from": "0000"}, "valid_from"),
        ({"valid_from": "2022-05-01T09:00:00"}, "valid_from"),
        ({"valid_to": "9999-12-31T23:59:59.999999Z"}, "valid_to"),
        ({"valid_from": "2022", "valid_to": "2021"}, "valid_from"),
        ({"valid_from": "2022", "valid_to": "2022"}, "valid_from"),
        ({"valid_from": "2022-10-30T02:30:00+01:00", "valid_to": "2022-10-30T02:30:00+02:00"}, "valid_from"),
        ({"valid_from": "until now"}, "valid_from"),
    ):
        refused = await acme.post(path, {"verdict": "deny", "saw": saw, **stretch})
        assert (refused.status_code, refused.json()["field"]) == (422, field), (stretch, refused.text)
    assert (await acme.get("/v1/revision")).json()["head"] == saw, "nothing was written"
    hour = {"valid_from": "2022-10-30T02:30:00+02:00", "valid_to": "2022-10-30T02:30:00+01:00"}
    leap = {"valid_from": "2024-02-29", "valid_to": "open", "object": "Oslo"}
    first = await acme.post(path, {"verdict": "deny", "saw": saw, **hour})
    assert first.status_code == 200, first.text
    second = await acme.post(path, {"verdict": "replace", "saw": first.json()["revision"], **leap})
    assert second.status_code == 200, second.text
    ahead = {
        "verdict": "replace",
        "saw": second.json()["revision"],
        "object": "Rome",
        "valid_from": "2090",
        "valid_to": "open",
    }
    assert (await acme.post(path, ahead)).status_code == 200
    held = {}
    for moment in (
        "2022-10-30T00:29:59Z",
        "2022-10-30T00:30:00Z",
        "2022-10-30T01:30:00Z",
        "2024-03-01T00:00:00Z",
        "2090-01-01T00:00:00Z",
    ):
        found = (await acme.get("/v1/facts", subject="Brik", as_of=moment)).json()["items"]
        held[moment] = [each["object"]["name"] for each in found if each["lifecycle"] in ("active", "disputed")]
    assert held == {
        "2022-10-30T00:29:59Z": ["Lyon"],
        "2022-10-30T00:30:00Z": [],
        "2022-10-30T01:30:00Z": ["Lyon"],
        "2024-03-01T00:00:00Z": ["Oslo"],
        "2090-01-01T00:00:00Z": ["Rome"],
    }


async def test_a_newer_authoritative_source_doubts_a_correction_which_comes_first(acme: Tenant) -> None:
    saw = await told(acme, subject="Brak", predicate="founded on", object={"date": "1990"})
    fact = await only(acme, "Brak")
    wish = {"verdict": "replace", "saw": saw, "object": {"date": "1991"}}
    assert (await acme.post(f"/v1/facts/{fact['id']}/correct", wish)).status_code == 200
    await told(acme, subject="Brak", predicate="founded on", object={"date": "1990"})
    assert (await only(acme, "Brak"))["object"]["value"].startswith("1991"), "said again, it stays outranked"
    await told(acme, kind="connector", subject="Brak", predicate="founded on", object={"date": "1985"})
    both = (await acme.get("/v1/facts", subject="Brak")).json()["items"]
    assert [(each["object"]["value"][:4], each["lifecycle"], each["corrected"]) for each in both] == [
        ("1991", "disputed", True),
        ("1985", "disputed", False),
    ]
    (contradiction,) = (await acme.get("/v1/contradictions", entity="Brak")).json()["items"]
    assert contradiction["severity"]["corrected"] is True


async def test_what_later_writes_rest_on_and_what_was_erased_is_not_undone(acme: Tenant) -> None:
    saw = await told(acme, subject="Brek", predicate="headquartered in", object="Lyon")
    fact = await only(acme, "Brek")
    done = (await acme.post(f"/v1/facts/{fact['id']}/correct", {"verdict": "deny", "saw": saw})).json()
    taken = await acme.post(f"/v1/assertions/{done['assertions'][0]}/retract", {"reason": "no"})
    assert taken.status_code == 200, taken.text
    refused = await acme.post(f"/v1/mutations/{done['revision']}/undo", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert f"at revision {taken.json()['revision']}" in refused.json()["detail"]
    brek = fact["subject"]["id"]
    edited = await acme.post(f"/v1/entities/{brek}/edit", {"name": "Brek Ltd", "saw": taken.json()["revision"]})
    assert edited.status_code == 200, edited.text
    erased = await acme.post(f"/v1/entities/{brek}/erase", {"reason": "asked for"})
    assert erased.status_code == 202, erased.text
    for revision in (done["revision"], edited.json()["revision"]):
        gone = await acme.post(f"/v1/mutations/{revision}/undo", {})
        assert (gone.status_code, gone.json()["code"]) == (409, "conflict"), gone.text
    late = await acme.post(f"/v1/entities/{brek}/edit", {"name": "Again", "saw": edited.json()["revision"]})
    assert (late.status_code, late.json()["code"]) == (404, "erased"), late.text
    assert (await acme.get("/v1/facts", subject="Brek Ltd")).json()["items"] == []
