"""Every tool, with the action that allows it and what a client may assume of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any, NamedTuple

from mcp_types import ToolAnnotations

from domain.identity.permissions import Action
from entrypoints.application import Application
from entrypoints.mcp.sign_in import SignIn
from entrypoints.mcp.tools.concepts import ConceptTools
from entrypoints.mcp.tools.contradictions import ContradictionTools
from entrypoints.mcp.tools.entities import EntityTools
from entrypoints.mcp.tools.history import HistoryTools
from entrypoints.mcp.tools.knowledge import KnowledgeTools
from entrypoints.mcp.tools.memory import MemoryTools
from entrypoints.mcp.tools.packs import PackTools
from entrypoints.mcp.tools.promotions import PromotionTools
from entrypoints.mcp.tools.submissions import SubmissionTools
from entrypoints.telemetry import Metrics

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
"""Nothing is overwritten, and the same call again changes nothing."""
NEW = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
"""Nothing is overwritten; each call adds something."""


class Tool(NamedTuple):
    """A tool, what it is allowed by, and what a client may assume of it."""

    function: Callable[..., Awaitable[Any]]
    action: Action
    hints: ToolAnnotations


def tools(app: Application, sign_in: SignIn, metrics: Metrics) -> Iterator[Tool]:
    """The tools over a running Assay."""
    knowledge, entities = KnowledgeTools(app, sign_in, metrics), EntityTools(app, sign_in)
    contradictions, concepts = ContradictionTools(app, sign_in), ConceptTools(app, sign_in)
    history, packs = HistoryTools(app, sign_in), PackTools(app, sign_in)
    submissions, memory = SubmissionTools(app, sign_in), MemoryTools(app, sign_in, metrics)
    promotions = PromotionTools(app, sign_in)
    yield Tool(knowledge.search_knowledge, Action.READ, READS)
    yield Tool(knowledge.query_facts, Action.READ, READS)
    yield Tool(packs.get_context_pack, Action.READ, READS)
    yield Tool(entities.get_entity_profile, Action.READ, READS)
    yield Tool(knowledge.get_fact, Action.READ, READS)
    yield Tool(knowledge.explain_fact, Action.READ, READS)
    yield Tool(contradictions.find_contradictions, Action.READ, READS)
    yield Tool(concepts.search_concepts, Action.READ, READS)
    yield Tool(concepts.get_concept, Action.READ, READS)
    yield Tool(history.get_timeline, Action.READ, READS)
    yield Tool(history.get_changes, Action.READ, READS)
    yield Tool(entities.neighbours, Action.READ, READS)
    yield Tool(entities.shortest_path, Action.READ, READS)
    yield Tool(entities.predicates_in_use, Action.READ, READS)
    yield Tool(memory.recall, Action.READ, READS)
    yield Tool(submissions.list_sources, Action.READ, READS)
    yield Tool(submissions.get_receipt, Action.READ, READS)
    yield Tool(submissions.propose_document, Action.SUBMIT, ADDS)
    yield Tool(submissions.assert_fact, Action.ASSERT, ADDS)
    yield Tool(contradictions.propose_correction, Action.ASSERT, ADDS)
    yield Tool(contradictions.propose_entity_edit, Action.ASSERT, ADDS)
    yield Tool(promotions.propose_promotion, Action.PROPOSE_PROMOTION, ADDS)
    yield Tool(submissions.feedback, Action.GIVE_FEEDBACK, ADDS)
    yield Tool(packs.create_snapshot, Action.SNAPSHOT, NEW)
    yield Tool(memory.remember, Action.REMEMBER, ADDS)
