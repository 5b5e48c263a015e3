"""Contradictions and proposed corrections, over each transport."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from mcp import Client

from entrypoints.application import Application
from tests.entrypoints.mcp.conftest import Agents, refused
from tests.entrypoints.mcp.filling import Tenant


async def found(agents: Agents, **asked: Any) -> dict[str, Any]:
    answer = await agents.ask("find_contradictions", entity="Northgate", **asked)
    (contradiction,) = answer["contradictions"]
    assert answer["total"] == 1
    result: dict[str, Any] = contradiction
    return result


async def test_a_contradiction_comes_with_both_sides_their_weights_and_words(agents: Agents) -> None:
    contradiction = await found(agents)
    assert (contradiction["kind"], contradiction["predicate"], contradiction["open"]) == (
        "rivals",
        "HEADQUARTERED_IN",
        True,
    )
    sides = {side["fact"]["object"]["name"]: side for side in contradiction["sides"]}
    assert set(sides) == {"Hull", "Singapore"}
    assert {name: side["weighed"][0]["quote"]["source"] for name, side in sides.items()} == {
        "Hull": "register",
        "Singapore": "brochure",
    }
    for side in sides.values():
        (weighed,) = side["weighed"]
        assert side["score"] == weighed["weight"] == weighed["confidence"] * weighed["authority"] == 0.85
        assert side["fact"]["contested"] is True
        assert len(side["fact"]["other_sides"]) == 1
    assert (contradiction["closeness"], contradiction["independent_sources"]) == (1.0, 2)
    fact_id = sides["Hull"]["fact"]["fact_id"]
    assert (await found(agents, about=fact_id))["id"] == contradiction["id"]


async def test_a_relation_of_several_values_and_another_organization_have_none(agents: Agents) -> None:
    answer = await agents.ask("find_contradictions", predicates=["founded by"])
    assert (answer["contradictions"], answer["total"]) == ([], 0)
    theirs = await agents.theirs.call_tool("find_contradictions", {})
    assert theirs.structured_content is not None
    assert theirs.structured_content["contradictions"] == []


async def test_scopes_and_sets_of_documents_are_compared(agents: Agents) -> None:
    answer = await agents.ask("find_contradictions", between_scopes=True)
    assert (answer["contradictions"], answer["total"]) == ([], 0), "these readers see one scope that has facts"
    quotes = [weighed["quote"] for side in (await found(agents))["sides"] for weighed in side["weighed"]]
    one, other = (quote["document_id"] for quote in quotes)
    compared = await agents.ask("find_contradictions", filter={"documents": [one]}, against_documents=[other])
    (between,) = compared["contradictions"]
    assert sorted(w["set"] for side in between["sides"] for w in side["weighed"]) == ["first", "second"]
    nothing = await agents.ask(
        "find_contradictions", filter={"documents": [one]}, against_documents=[other], known_at=1
    )
    assert nothing["contradictions"] == []


async def test_an_agent_proposes_a_correction_and_nothing_changes(
    agents: Agents, app: Application, acme: Tenant
) -> None:
    hull = next(s for s in (await found(agents))["sides"] if s["fact"]["object"]["name"] == "Hull")["fact"]["fact_id"]
    wish = {"fact_id": hull, "verdict": "confirm", "reason": f"the register is right {uuid4()}"}
    proposed = await agents.ask("propose_correction", **wish)
    again = await agents.ask("propose_correction", **wish)
    assert again["proposal_id"] == proposed["proposal_id"]
    assert len((await found(agents))["sides"]) == 2
    async with app.unit_of_work(acme.owner) as tx:
        waiting = await tx.documents.proposals("pending", "correction", None, 50)
    assert proposed["proposal_id"] in {str(row.id) for row in waiting}


async def test_an_agent_proposes_an_edit_of_a_thing_and_nothing_changes(
    agents: Agents, app: Application, acme: Tenant
) -> None:
    hull = next(s for s in (await found(agents))["sides"] if s["fact"]["object"]["name"] == "Hull")["fact"]["object"]
    wish = {"entity_id": hull["id"], "name": "Kingston upon Hull", "reason": "its full name"}
    proposed = await agents.ask("propose_entity_edit", **wish)
    again = await agents.ask("propose_entity_edit", **wish)
    assert again["proposal_id"] == proposed["proposal_id"]
    assert "Hull" in {side["fact"]["object"]["name"] for side in (await found(agents))["sides"]}
    async with app.unit_of_work(acme.owner) as tx:
        waiting = await tx.documents.proposals("pending", "entity_edit", None, 50)
    assert proposed["proposal_id"] in {str(row.id) for row in waiting}


async def test_what_cannot_be_asked_or_proposed_is_refused_by_field(agents: Agents, curator: Client) -> None:
    nobody = str(uuid4())
    for tool, arguments, code, field in (
        ("find_contradictions", {"after": "nothing"}, "invalid_input", "after"),
        ("find_contradictions", {"limit": 0}, "invalid_input", "limit"),
        ("find_contradictions", {"against_documents": [nobody]}, "invalid_input", "documents"),
        ("find_contradictions", {"as_of": "2024-01-01T00:00:00"}, "invalid_input", "as_of"),
        ("propose_correction", {"fact_id": nobody, "verdict": "replace", "reason": "x"}, "invalid_input", "object"),
        ("propose_correction", {"fact_id": nobody, "verdict": "maybe", "reason": "x"}, "invalid_input", "verdict"),
        ("propose_correction", {"fact_id": nobody, "verdict": "deny", "reason": "x"}, "not_found", None),
        ("propose_entity_edit", {"entity_id": nobody, "reason": "x"}, "invalid_input", "name"),
        ("propose_entity_edit", {"entity_id": nobody, "name": "X", "reason": "x"}, "not_found", None),
    ):
        problem = await agents.refused(tool, **arguments)
        assert (problem["code"], problem.get("field")) == (code, field), problem
    assert (await refused(curator, "find_contradictions", about="x"))["field"] == "about"
