"""Edits of entities over the API: by a person, and proposed by whoever may not."""

from __future__ import annotations

from uuid import uuid4

from tests.entrypoints.api.conftest import Tenant


async def test_an_entity_is_renamed_found_by_both_names_and_named_back(acme: Tenant) -> None:
    statement = {"subject": {"name": "Brik", "kind": "organization"}, "predicate": "located in", "object": "Lyon"}
    saw = (await acme.post("/v1/assertions", {"statements": [statement]})).json()["revision"]
    (fact,) = (await acme.get("/v1/facts", subject="Brik")).json()["items"]
    brik = fact["subject"]["id"]
    path = f"/v1/entities/{brik}/edit"
    wish = {"name": "Brick & Co", "kind": "company", "aliases": ["B&C"], "saw": saw, "reason": "the register"}
    done = await acme.post(path, wish)
    assert done.status_code == 200, done.text
    assert (done.json()["name"], done.json()["kind"], len(done.json()["assertions"])) == ("Brick & Co", "company", 3)
    for name in ("Brick & Co", "brik", "b&c"):
        found = (await acme.get("/v1/facts", subject=name, predicate="located in")).json()["items"]
        assert [each["sentence"] for each in found] == ["Brick & Co is located in Lyon"], name
    assert found[0]["subject"]["name"] == "Brick & Co"
    first = (await acme.get("/v1/facts", subject="Brik")).json()["items"][0]
    assert first["corrected"], "corrections come first"
    hits = (await acme.post("/v1/search", {"query": "where is Brick & Co located"})).json()["hits"]
    assert hits[0]["fact"]["sentence"] == "Brick & Co is located in Lyon"
    stale = await acme.post(path, {"name": "Brix", "saw": saw})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale_revision")
    assert "it is called 'Brick & Co'" in stale.json()["detail"]
    undone = await acme.post(f"/v1/mutations/{done.json()['revision']}/undo", {})
    assert undone.status_code == 200, undone.text
    assert (await acme.get(f"/v1/entities/{brik}")).json()["entities"][0]["name"] == "Brik"


async def test_an_edit_is_proposed_once_and_approved_or_rejected(acme: Tenant, other: Tenant) -> None:
    statement = {"subject": {"name": "Brok", "kind": "organization"}, "predicate": "located in", "object": "Oslo"}
    saw = (await acme.post("/v1/assertions", {"statements": [statement]})).json()["revision"]
    (fact,) = (await acme.get("/v1/facts", subject="Brok")).json()["items"]
    path = f"/v1/entities/{fact['subject']['id']}/edits/proposals"
    wish = {"description": "Makes bricks.", "saw": saw}
    made = await acme.post(path, wish)
    assert made.status_code == 201, made.text
    assert (await acme.post(path, wish)).json() == made.json() | {"revision": None}
    (waiting,) = (await acme.get("/v1/proposals", kind="entity_edit")).json()["items"]
    assert (waiting["payload"]["called"], waiting["payload"]["description"]) == ("Brok", "Makes bricks.")
    assert len((await acme.get("/v1/facts", subject="Brok")).json()["items"]) == 1, "nothing changed yet"
    decided = await acme.post(f"/v1/proposals/{waiting['id']}/decide", {"approve": True, "reason": "so it is"})
    assert (decided.status_code, decided.json()["state"]) == (200, "approved"), decided.text
    told = [each["sentence"] for each in (await acme.get("/v1/facts", subject="Brok")).json()["items"]]
    assert told == ["Brok is described as Makes bricks.", "Brok is located in Oslo"]
    again = await acme.post(f"/v1/proposals/{waiting['id']}/decide", {"approve": True})
    assert again.status_code == 409
    elsewhere = {"subject": {"name": "Brox", "kind": "organization"}, "predicate": "located in", "object": "Oslo"}
    last = (await acme.post("/v1/assertions", {"statements": [elsewhere]})).json()["revision"]
    for asked, field in (
        ({"name": "Late", "saw": last + 1}, "saw"),
        ({}, "name"),
        ({"kind": "thing"}, "kind"),
        ({"name": "   "}, "name"),
        ({"aliases": ["x"], "not_aliases": ["X"]}, "not_aliases"),
        ({"not_aliases": ["nobody says so"]}, "not_aliases"),
    ):
        for way in (path, path.replace("edits/proposals", "edit")):
            refused = await acme.post(way, {"saw": last, **asked})
            assert (refused.status_code, refused.json()["field"]) == (422, field), refused.text
    for tenant, entity in ((other, fact["subject"]["id"]), (acme, uuid4())):
        assert (await tenant.post(f"/v1/entities/{entity}/edit", {"name": "Mine", "saw": 1})).status_code == 404
