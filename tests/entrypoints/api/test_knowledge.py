"""Corrections, the vocabulary and undoing over HTTP."""

from __future__ import annotations

from typing import Any

from tests.entrypoints.api.conftest import Tenant


async def says(tenant: Tenant, *triples: tuple[str, str, str]) -> int:
    statements = [{"subject": s, "predicate": p, "object": o} for s, p, o in triples]
    answer = await tenant.post("/v1/assertions", {"statements": statements})
    assert answer.status_code == 201, answer.text
    revision: int = answer.json()["revision"]
    return revision


async def facts(tenant: Tenant, subject: str) -> list[dict[str, Any]]:
    return list((await tenant.get("/v1/facts", subject=subject)).json()["items"])


async def test_a_correction_is_seen_with_its_cause_and_undone(acme: Tenant) -> None:
    revision = await says(acme, ("Brik", "headquartered in", "Lyon"))
    (fact,) = await facts(acme, "Brik")
    wish = {"verdict": "replace", "saw": revision, "object": "Hanoi", "valid_from": "2020-05", "reason": "they moved"}
    answer = await acme.post(f"/v1/facts/{fact['id']}/correct", wish)
    assert answer.status_code == 200, answer.text
    done = answer.json()
    (now,) = await facts(acme, "Brik")
    assert (now["object"]["name"], now["corrected"], now["verification"]) == ("Hanoi", True, "human")
    assert (now["id"], now["valid_from"]) == (done["fact_id"], "2020-05-01T00:00:00Z")
    changes = (await acme.get("/v1/changes", since=done["revision"] - 1)).json()["items"]
    assert [(c["kind"], c["reason"]) for c in changes] == [("correct", "they moved")]
    undone = await acme.post(f"/v1/mutations/{done['revision']}/undo", {})
    assert undone.status_code == 200, undone.text
    assert [f["object"]["name"] for f in await facts(acme, "Brik")] == ["Lyon"]


async def test_a_correction_of_what_changed_meanwhile_and_one_that_makes_no_sense_are_problems(acme: Tenant) -> None:
    revision = await says(acme, ("Brik", "headquartered in", "Lyon"))
    (fact,) = await facts(acme, "Brik")
    path = f"/v1/facts/{fact['id']}/correct"
    assert (await acme.post(path, {"verdict": "confirm", "saw": revision})).status_code == 200
    late = await acme.post(path, {"verdict": "deny", "saw": revision})
    assert (late.status_code, late.json()["code"]) == (409, "stale_revision")
    assert f"after revision {revision}" in late.json()["detail"]
    for wish, field in (
        ({"verdict": "deny", "saw": revision, "object": "Hanoi"}, "object"),
        ({"verdict": "replace", "saw": revision, "object": {"number": "many"}}, "object.number"),
        ({"verdict": "deny", "saw": revision, "valid_from": "yesterday"}, "valid_from"),
        ({"verdict": "deny", "saw": revision, "valid_from": "2021", "valid_to": "2020"}, "valid_from"),
        ({"verdict": "perhaps", "saw": revision}, "verdict"),
    ):
        answer = await acme.post(path, wish)
        assert answer.status_code == 422, answer.text
        assert answer.json()["field"] == field, answer.text


async def test_a_policy_is_tried_set_listed_and_taken_away(acme: Tenant) -> None:
    await says(acme, ("Brik", "mascot", "Fox"), ("Brik", "mascot", "Owl"))
    policy = {"name": "mascot", "cardinality": "one", "succession": "never", "synonyms": ["has mascot"]}
    tried = (await acme.post("/v1/vocabulary", {"policies": [policy], "dry_run": True})).json()
    assert (tried["revision"], tried["disputed"], tried["facts"]) == (None, 2, 2)
    assert {f["sentence"] for f in tried["disputed_facts"]} == {"Brik mascot Fox", "Brik mascot Owl"}
    assert [f["lifecycle"] for f in await facts(acme, "Brik")] == ["active", "active"]
    done = await acme.post("/v1/vocabulary", {"policies": [policy]})
    assert done.status_code == 200, done.text
    assert [f["lifecycle"] for f in await facts(acme, "Brik")] == ["disputed", "disputed"]
    listed = {p["name"]: p for p in (await acme.get("/v1/vocabulary")).json()}
    assert listed["MASCOT"]["own"] is True
    assert listed["MASCOT"]["synonyms"] == ["HAS_MASCOT"]
    assert listed["HEADQUARTERED_IN"]["own"] is False
    assert (await acme.post("/v1/vocabulary", {"remove": ["mascot"]})).json()["settled"] == 2
    assert [f["lifecycle"] for f in await facts(acme, "Brik")] == ["active", "active"]


async def test_a_policy_of_one_organization_is_not_the_others(acme: Tenant, other: Tenant) -> None:
    assert (await acme.post("/v1/vocabulary", {"policies": [{"name": "mascot"}]})).status_code == 200
    assert [p["name"] for p in (await other.get("/v1/vocabulary")).json() if p["own"]] == []
    revision = (await acme.get("/v1/revision")).json()["head"]
    assert (await other.post(f"/v1/mutations/{revision}/undo", {})).status_code in (404, 422)


async def test_policies_that_cannot_be_are_problems(acme: Tenant) -> None:
    for policy, words in (
        ({"name": "mascot", "minimum_tier": 5}, "minimum_tier"),
        ({"name": "mascot", "cardinality": "two"}, "cardinality"),
        ({"name": "!!!"}, "letters or digits"),
        ({"name": "mascot", "inverse_of": "mascot"}, "leads back to itself"),
        ({"name": "mascot", "time_to_live_seconds": 0}, "time_to_live_seconds"),
    ):
        answer = await acme.post("/v1/vocabulary", {"policies": [policy]})
        assert answer.status_code == 422, answer.text
        assert words in answer.text
