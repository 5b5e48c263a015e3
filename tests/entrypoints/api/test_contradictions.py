"""Contradictions and proposed corrections over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from tests.entrypoints.api.conftest import Tenant


async def rivals(tenant: Tenant, company: str = "Brik") -> int:
    """Two heads of one company at one time; returns the revision."""
    answer: Any = None
    for name, confidence in (("Ada", 1.0), ("Bob", 0.9)):
        said = {"subject": company, "predicate": "has CEO", "object": name, "kind": "fact", "confidence": confidence}
        answer = await tenant.post("/v1/assertions", {"statements": [said | {"valid_from": "2020-01-01"}]})
        assert answer.status_code == 201, answer.text
    return int(answer.json()["revision"])


async def listed(tenant: Tenant, **asked: Any) -> dict[str, Any]:
    answer = await tenant.get("/v1/contradictions", **asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def test_a_contradiction_is_listed_decided_and_the_decision_undone(acme: Tenant) -> None:
    revision = await rivals(acme)
    page = await listed(acme)
    (found,) = page["items"]
    assert (page["total"], found["kind"], found["open"], found["subject"]["name"]) == (1, "rivals", True, "Brik")
    assert [side["fact"]["object"]["name"] for side in found["sides"]] == ["Ada", "Bob"]
    ada = found["sides"][0]
    assert ada["score"] == ada["best_weight"] * ada["bonus"]
    assert ada["factors"][0]["weight"] == ada["factors"][0]["confidence"] * ada["factors"][0]["authority"]
    path = f"/v1/contradictions/{found['id']}/decide"
    wish = {"choice": "one", "saw": revision, "facts": [ada["fact"]["id"]], "reason": "the register"}
    answer = await acme.post(path, wish)
    assert answer.status_code == 200, answer.text
    assert (await listed(acme))["items"] == []
    late = await acme.post(path, wish)
    assert (late.status_code, late.json()["code"]) == (409, "stale_revision")
    assert f"after revision {revision}" in late.json()["detail"]
    undone = await acme.post(f"/v1/mutations/{answer.json()['revision']}/undo", {})
    assert (undone.status_code, undone.json()["kind"]) == (200, "decide")
    assert [each["id"] for each in (await listed(acme))["items"]] == [found["id"]]


async def test_both_in_turn_with_a_boundary_and_both_at_once_as_a_proposal(acme: Tenant) -> None:
    revision = await rivals(acme)
    (found,) = (await listed(acme))["items"]
    facts = [side["fact"]["id"] for side in found["sides"]]
    path = f"/v1/contradictions/{found['id']}/decide"
    many = await acme.post(path, {"choice": "many", "saw": revision})
    assert many.status_code == 200, many.text
    proposal_id = many.json()["proposal_id"]
    waiting = (await acme.get("/v1/proposals", kind="vocabulary")).json()["items"]
    assert [each["id"] for each in waiting] == [proposal_id]
    turns = {"choice": "in_turn", "saw": revision, "facts": facts, "boundary": "2023"}
    answer = await acme.post(path, turns)
    assert answer.status_code == 200, answer.text
    for year, name in ((2022, "Ada"), (2024, "Bob")):
        held = await acme.get("/v1/facts", subject="Brik", as_of=f"{year}-06-01T00:00:00Z")
        assert [fact["object"]["name"] for fact in held.json()["items"]] == [name]
    approved = await acme.post(f"/v1/proposals/{proposal_id}/decide", {"approve": True})
    assert (approved.status_code, approved.json()["state"]) == (200, "approved")
    own = {p["name"]: p["cardinality"] for p in (await acme.get("/v1/vocabulary")).json() if p["own"]}
    assert own == {"HAS_CEO": "many"}


async def test_pages_filters_and_two_sets_of_documents(acme: Tenant) -> None:
    for company in ("Brik", "Cord", "Doma"):
        await rivals(acme, company)
    first = await listed(acme, limit=2)
    second = await listed(acme, limit=2, cursor=first["next"])
    assert (len(first["items"]), len(second["items"]), second["next"]) == (2, 1, None)
    assert {c["subject"]["name"] for c in first["items"] + second["items"]} == {"Brik", "Cord", "Doma"}
    assert [c["subject"]["name"] for c in (await listed(acme, entity="cord"))["items"]] == ["Cord"]
    assert (await listed(acme, predicate="founded by"))["items"] == []
    document = first["items"][0]["sides"][0]["factors"][0]["document_id"]
    assert (await listed(acme, document=document, against_document=str(uuid4())))["items"] == []
    other = await acme.get("/v1/contradictions", cursor=first["next"], settled="true")
    assert (other.status_code, other.json()["field"]) == (422, "cursor")


async def test_a_workspace_that_says_something_else_than_its_organization_is_listed(acme: Tenant) -> None:
    assert (await acme.post("/v1/workspaces", {"name": "Yard"})).status_code == 201
    said = {"subject": "Ribe", "predicate": "has CEO", "valid_from": "2020-01-01"}
    await acme.post("/v1/assertions", {"statements": [said | {"object": "Ada"}]})
    answer = await acme.post("/v1/assertions", {"statements": [said | {"object": "Bob"}]}, scope="yard")
    assert answer.status_code == 201, answer.text
    assert (await listed(acme, scope="yard", predicate="has CEO"))["items"] == []
    (found,) = (await listed(acme, scope="yard", between_scopes="true"))["items"]
    assert {side["fact"]["object"]["name"]: side["factors"][0]["set"] for side in found["sides"]} == {
        "Ada": "organization", "Bob": "workspace",
    }  # fmt: skip
    earlier = answer.json()["revision"] - 1
    assert (await listed(acme, scope="yard", between_scopes="true", known_at=earlier))["items"] == []
    assert (await listed(acme, between_scopes="true"))["items"] == []
    refused = await acme.get("/v1/contradictions", between_scopes="true", settled="true")
    assert (refused.status_code, refused.json()["field"]) == (422, "between_scopes")


async def test_no_model_judges_unless_one_is_configured(acme: Tenant) -> None:
    answer = await acme.post("/v1/contradictions/suggestions", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert "ASSAY_JUDGE__PROVIDER" in answer.json()["detail"]
    wrong = await acme.post("/v1/contradictions/suggestions", {"after": "nowhere"})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "after")


async def test_what_makes_no_sense_is_a_problem_with_its_field(acme: Tenant, other: Tenant) -> None:
    revision = await rivals(acme)
    (found,) = (await listed(acme))["items"]
    path = f"/v1/contradictions/{found['id']}/decide"
    fact = found["sides"][0]["fact"]["id"]
    for wish, field in (
        ({"choice": "one", "saw": revision}, "facts"),
        ({"choice": "perhaps", "saw": revision}, "choice"),
        ({"choice": "one", "saw": -1, "facts": [fact]}, "saw"),
        ({"choice": "one", "saw": revision, "facts": [str(uuid4())]}, "facts"),
        ({"choice": "in_turn", "saw": revision, "facts": [fact]}, "boundary"),
        ({"choice": "in_turn", "saw": revision, "facts": [fact], "boundary": "soon"}, "boundary"),
        ({"choice": "neither", "saw": revision, "at": "1990-01-01T00:00:00Z"}, "at"),
    ):
        answer = await acme.post(path, wish)
        assert (answer.status_code, answer.json()["field"]) == (422, field), answer.text
    for asked, field in (
        ({"lifecycle": "refuted"}, "lifecycle"),
        ({"entity": "a", "entity_id": str(uuid4())}, "entity"),
        ({"against_document": str(uuid4())}, "documents"),
        ({"about": "nothing"}, "about"),
    ):
        answer = await acme.get("/v1/contradictions", **asked)
        assert (answer.status_code, answer.json()["field"]) == (422, field), answer.text
    assert (await listed(other))["items"] == []
    assert (await other.post(path, {"choice": "neither", "saw": 1})).status_code == 404


async def test_a_correction_is_proposed_and_approved_unless_the_fact_changed(acme: Tenant) -> None:
    revision = await rivals(acme)
    (found,) = (await listed(acme))["items"]
    ada = found["sides"][0]["fact"]["id"]
    path = f"/v1/facts/{ada}/corrections/proposals"
    answer = await acme.post(path, {"verdict": "replace", "saw": revision, "object": "Cleo"})
    assert answer.status_code == 201, answer.text
    (waiting,) = (await acme.get("/v1/proposals", kind="correction")).json()["items"]
    assert (waiting["id"], waiting["payload"]["object"]["name"]) == (answer.json()["proposal_id"], "Cleo")
    assert waiting["payload"]["sentence"] == found["sides"][0]["fact"]["sentence"]
    statement = {"subject": "Brik", "predicate": "has CEO", "object": "Ada", "valid_from": "2019-01-01"}
    later = (await acme.post("/v1/assertions", {"statements": [statement]})).json()["revision"]
    decide = f"/v1/proposals/{waiting['id']}/decide"
    refused = await acme.post(decide, {"approve": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "stale_revision")
    approved = await acme.post(decide, {"approve": True, "saw": later})
    assert (approved.status_code, approved.json()["state"]) == (200, "approved")
    held = (await acme.get("/v1/facts", subject="Brik", predicate="has CEO")).json()["items"]
    assert (held[0]["object"]["name"], held[0]["corrected"]) == ("Cleo", True)
    for wish, field in (
        ({"verdict": "replace", "saw": revision}, "object"),
        ({"verdict": "deny", "saw": revision, "valid_to": "soon"}, "valid_to"),
    ):
        answer = await acme.post(path, wish)
        assert (answer.status_code, answer.json()["field"]) == (422, field), answer.text
