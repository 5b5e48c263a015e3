"""What every MCP tool needs. A tool that is not here fails the build; see docs/isolation.md."""

from __future__ import annotations

from typing import Any

from domain.identity.permissions import Action
from tests.isolation.rules.declared import Entry, Id
from tests.isolation.two_organizations import NAME, REASON


def tool(action: Action = Action.READ, **asked: Any) -> Entry:
    """A tool with its arguments."""
    return Entry(action, asked)


TOOLS: dict[str, Entry] = {
    "search_knowledge": tool(query=NAME, snapshot=Id("snapshot")),
    "query_facts": tool(subject=NAME, snapshot=Id("snapshot")),
    "get_context_pack": tool(question=NAME, budget=1000, snapshot=Id("snapshot")),
    "get_entity_profile": tool(entity=Id("entity")),
    "get_fact": tool(fact_id=Id("fact")),
    "explain_fact": tool(fact_id=Id("fact")),
    "find_contradictions": tool(about=Id("fact")),
    "search_concepts": tool(query="retries", snapshot=Id("snapshot")),
    "get_concept": tool(concept=Id("concept")),
    "get_timeline": tool(fact_id=Id("fact")),
    "get_changes": tool(since=0, fact_id=Id("fact")),
    "neighbours": tool(entity=Id("entity")),
    "shortest_path": tool(source=Id("entity"), target="Harbour"),
    "predicates_in_use": tool(snapshot=Id("snapshot")),
    "recall": tool(query=NAME),
    "list_sources": tool(),
    "get_receipt": tool(receipt_id=Id("receipt")),
    "propose_document": tool(Action.SUBMIT, title="Walked", content="Northgate is in Hull."),
    "assert_fact": tool(Action.ASSERT, subject=NAME, predicate="depends on", object="Harbour"),
    "propose_correction": tool(Action.ASSERT, fact_id=Id("fact"), verdict="confirm", reason=REASON),
    "propose_entity_edit": tool(Action.ASSERT, entity_id=Id("entity"), reason=REASON, name=f"{NAME} Ltd"),
    "propose_promotion": tool(Action.PROPOSE_PROMOTION, fact_id=Id("fact"), to="organization", reason=REASON),
    "feedback": tool(Action.GIVE_FEEDBACK, fact_id=Id("fact"), helpful=True),
    "create_snapshot": tool(Action.SNAPSHOT, name="walked"),
    "remember": tool(Action.REMEMBER, text="Northgate likes short answers."),
}
