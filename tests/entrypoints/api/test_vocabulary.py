"""Every part of a predicate's policy, and suggestions to merge predicates, over HTTP."""

from __future__ import annotations

import json
from typing import Any

from tests.entrypoints.api.conftest import Tenant


async def says(tenant: Tenant, *statements: dict[str, Any]) -> int:
    answer = await tenant.post("/v1/assertions", {"statements": list(statements)})
    assert answer.status_code == 201, answer.text
    revision: int = answer.json()["revision"]
    return revision


def triple(subject: str, predicate: str, target: Any, **more: Any) -> dict[str, Any]:
    return {"subject": subject, "predicate": predicate, "object": target, **more}


async def sets(tenant: Tenant, **policy: Any) -> dict[str, Any]:
    answer = await tenant.post("/v1/vocabulary", {"policies": [policy]})
    assert answer.status_code == 200, answer.text
    done: dict[str, Any] = answer.json()
    return done


async def found(tenant: Tenant, **asked: Any) -> list[tuple[str, str]]:
    """Sentence and lifecycle of the facts of a pattern, sorted."""
    answer = await tenant.get("/v1/facts", **asked)
    assert answer.status_code == 200, answer.text
    return sorted((fact["sentence"], fact["lifecycle"]) for fact in answer.json()["items"])


async def test_one_value_an_environment_and_its_succession(acme: Tenant) -> None:
    await sets(acme, name="tuned to", cardinality="one", qualifiers=["env"], succession="never")
    await says(acme, triple("Dial", "tuned to", "Low", qualifiers={"env": "test"}))
    await says(acme, triple("Dial", "tuned to", "High", qualifiers={"env": "live"}))
    assert await found(acme, subject="Dial") == [
        ("Dial tuned to High (env live)", "active"),
        ("Dial tuned to Low (env test)", "active"),
    ]
    await says(acme, triple("Dial", "tuned to", "Mid", qualifiers={"env": "live"}))
    disputed = [sentence for sentence, lifecycle in await found(acme, subject="Dial") if lifecycle == "disputed"]
    assert disputed == ["Dial tuned to High (env live)", "Dial tuned to Mid (env live)"]
    await sets(acme, name="tuned to", cardinality="one", qualifiers=["env"], succession="by_observation")
    assert await found(acme, subject="Dial", as_of="2999-01-01T00:00:00Z") == [
        ("Dial tuned to Low (env test)", "active"),
        ("Dial tuned to Mid (env live)", "active"),
    ]


async def test_a_time_to_live_ends_a_value_whose_end_nobody_stated(acme: Tenant) -> None:
    await says(acme, triple("Brik", "mood", "sunny", valid_from="2020-01-01"))
    assert len(await found(acme, subject="Brik")) == 1
    await sets(acme, name="mood", cardinality="one", time_to_live_seconds=3600)
    assert len(await found(acme, subject="Brik")) == 1, "it is counted from its observation, which was just now"
    assert await found(acme, subject="Brik", as_of="2999-01-01T00:00:00Z") == []


async def test_an_inverse_a_symmetric_predicate_a_synonym_and_a_deprecated_name(acme: Tenant) -> None:
    await says(acme, triple("Rex", "pet of", "Ann"), triple("Brik", "rhymes with", "Brick"))
    await says(acme, triple("Ann", "steers", "Boat"), triple("Ann", "handles", "Cart"))
    await sets(acme, name="pet of", inverse_of="keeps")
    assert await found(acme, subject="Ann", predicate="keeps") == [("Ann keeps Rex", "active")]
    assert await found(acme, subject="Rex", predicate="pet of") == [("Ann keeps Rex", "active")]
    await sets(acme, name="rhymes with", symmetric=True)
    await says(acme, triple("Brick", "rhymes with", "Brik"))
    used = {each["predicate"]: each["facts"] for each in (await acme.get("/v1/predicates")).json()["items"]}
    assert used["RHYMES_WITH"] == 1, "both ways are one fact"
    await sets(acme, name="pilots", synonyms=["steers"])
    await sets(acme, name="handles", replaced_by="pilots")
    assert await found(acme, subject="Ann", predicate="pilots") == [
        ("Ann pilots Boat", "active"),
        ("Ann pilots Cart", "active"),
    ]
    listed = {each["name"]: each for each in (await acme.get("/v1/vocabulary")).json()}
    assert (listed["HANDLES"]["replaced_by"], listed["PILOTS"]["synonyms"]) == ("PILOTS", ["STEERS"])


async def test_a_weaker_source_than_the_minimum_tier_waits(acme: Tenant) -> None:
    await sets(acme, name="certified by", minimum_tier=1)
    await says(acme, triple("Brik", "certified by", "Board"))
    assert await found(acme, subject="Brik") == []
    assert await found(acme, subject="Brik", lifecycle="proposed") == [("Brik certified by Board", "proposed")]
    await sets(acme, name="certified by", minimum_tier=3)
    assert await found(acme, subject="Brik") == [("Brik certified by Board", "active")]


async def test_a_change_that_disputes_much_is_shown_and_made_only_when_it_is_confirmed_by_name(acme: Tenant) -> None:
    await says(acme, *(triple(f"Club {n}", "mascot", animal) for n in range(6) for animal in ("Fox", "Owl")))
    policy = {"name": "mascot", "cardinality": "one", "succession": "never"}
    refused = await acme.post("/v1/vocabulary", {"policies": [policy]})
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "of 12 facts this takes away 0 and disputes 12" in refused.json()["detail"]
    assert refused.json()["detail"].endswith("confirm it by name: MASCOT")
    assert {lifecycle for _, lifecycle in await found(acme, predicate="mascot")} == {"active"}
    wrong = await acme.post("/v1/vocabulary", {"policies": [policy], "confirm": ["emblem"]})
    assert wrong.status_code == 409
    done = await acme.post("/v1/vocabulary", {"policies": [policy], "confirm": ["mascot"]})
    assert (done.status_code, done.json()["disputed"]) == (200, 12)


async def test_a_suggested_merge_is_shown_with_its_factors_approved_and_undone(acme: Tenant, other: Tenant) -> None:
    await says(acme, *(triple(f"P{n}", "pilots", f"Ship {n}") for n in range(4)))
    await says(acme, *(triple(f"P{n}", "piloted", f"Ship {n}") for n in range(3)))
    answer = await acme.post("/v1/vocabulary/suggestions", {})
    assert answer.status_code == 200, answer.text
    run = answer.json()
    (merge,) = run["proposed"]
    assert (merge["source"], merge["target"], merge["merge"], merge["shared"]) == ("PILOTED", "PILOTS", "synonym", 3)
    assert (merge["variant"], merge["facts"], merge["effect"]["moved"]) == (True, 3, 3)
    assert merge["tenses_differ"] is True
    listed = (await acme.get("/v1/vocabulary/suggestions")).json()
    assert [each["sentence"] for each in listed[0]["alike"]][::2] == ["P0 piloted Ship 0", "P0 pilots Ship 0"]
    tried = await acme.post("/v1/vocabulary", {"policies": [merge["policy"]], "dry_run": True})
    assert (tried.status_code, tried.json()["moved"]) == (200, 3)
    assert (await acme.post("/v1/vocabulary/suggestions", {})).json()["waiting"] == 1
    assert (await other.get("/v1/vocabulary/suggestions")).json() == []
    approved = await acme.post(f"/v1/proposals/{merge['proposal_id']}/decide", {"approve": True})
    assert approved.status_code == 200, approved.text
    used = {each["predicate"]: each["facts"] for each in (await acme.get("/v1/predicates")).json()["items"]}
    assert used == {"PILOTS": 4}
    (change,) = (await acme.get("/v1/changes", kind="change_vocabulary")).json()["items"]
    undone = await acme.post(f"/v1/mutations/{change['revision']}/undo", {})
    assert undone.status_code == 200, undone.text
    used = {each["predicate"]: each["facts"] for each in (await acme.get("/v1/predicates")).json()["items"]}
    assert used == {"PILOTS": 4, "PILOTED": 3}
    assert [each["state"] for each in (await acme.get("/v1/vocabulary/suggestions", status="approved")).json()] == [
        "approved"
    ]
    wrong = await acme.post("/v1/vocabulary/suggestions", {"limit": 0})
    assert (wrong.status_code, wrong.json()["field"]) == (422, "limit")


async def test_a_statement_about_other_kinds_than_the_policy_names_waits_for_a_person(acme: Tenant) -> None:
    await sets(acme, name="mentors", subject_kinds=["Person"], object_kinds=["person"])
    ann, rex = {"name": "Ann", "kind": "person"}, {"name": "Rex", "kind": "dog"}
    told = [
        triple(ann, "mentors", {"entity": "Bob", "kind": "person"}),
        triple(ann, "mentors", {"entity": "Cleo"}),
        triple(rex, "mentors", {"entity": "Dora", "kind": "person"}),
        triple(ann, "mentors", {"number": "5"}),
    ]
    lines = "\n".join(json.dumps(each) for each in told)
    ndjson = {"content-type": "application/x-ndjson"}
    answer = await acme.client.post("/v1/triples", params={"name": "pairs"}, content=lines, headers=ndjson)
    assert answer.status_code == 200, answer.text
    receipt = answer.json()
    assert (receipt["items"], receipt["stored"], receipt["queued"], receipt["rejected"]) == (4, 2, 2, 0)
    assert [sentence for sentence, _ in await found(acme, predicate="mentors")] == [
        "Ann mentors Bob",
        "Ann mentors Cleo",
    ], "a kind that nobody stated refuses nothing"
    waiting = (await acme.get("/v1/assertions/waiting")).json()["items"]
    assert len(waiting) == 2
    done = await acme.post(
        "/v1/assertions/decide", {"approve": True, "ids": [each["assertion_id"] for each in waiting]}
    )
    assert (done.status_code, done.json()["decided"]) == (200, 2)
    assert len(await found(acme, predicate="mentors")) == 4
    said = [triple(rex, "mentors", {"entity": "Eve"}), told[1], triple(ann, "mentors", {"entity": "Fay"})]
    answer = (await acme.post("/v1/assertions", {"statements": [said[2]]})).json()
    assert (answer["state"], [each["state"] for each in answer["placed"]]) == ("live", ["live"])
    answer = (await acme.post("/v1/assertions", {"statements": [said[2], *said[:2]]})).json()
    assert (answer["state"], answer["merged"]) == ("pending", 1)
    assert [(each["statement"], each["state"]) for each in answer["placed"]] == [(1, "pending"), (2, "live")]
    for each in answer["placed"]:
        kept = (await acme.get(f"/v1/assertions/{each['assertion_id']}")).json()
        assert (kept["fact_id"], kept["assertion"]["state"]) == (each["fact_id"], each["state"])
