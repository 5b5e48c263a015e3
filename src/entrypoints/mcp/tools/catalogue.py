"""Every tool, with what a client may assume of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from mcp_types import ToolAnnotations

from entrypoints.application import Application
from entrypoints.mcp.sign_in import SignIn
from entrypoints.mcp.tools.concepts import ConceptTools
from entrypoints.mcp.tools.contradictions import ContradictionTools
from entrypoints.mcp.tools.entities import EntityTools
from entrypoints.mcp.tools.history import HistoryTools
from entrypoints.mcp.tools.knowledge import KnowledgeTools
from entrypoints.mcp.tools.memory import MemoryTools
from entrypoints.mcp.tools.packs import PackTools
from entrypoints.mcp.tools.submissions import SubmissionTools
from entrypoints.telemetry import Metrics

Tool = tuple[Callable[..., Awaitable[Any]], ToolAnnotations]

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
"""Nothing is overwritten, and the same call again changes nothing."""
NEW = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
"""Nothing is overwritten; each call adds something."""


def tools(app: Application, sign_in: SignIn, metrics: Metrics) -> Iterator[Tool]:
    """The tools over a running Assay."""
    knowledge, entities = KnowledgeTools(app, sign_in, metrics), EntityTools(app, sign_in)
    contradictions, concepts = ContradictionTools(app, sign_in), ConceptTools(app, sign_in)
    history, packs = HistoryTools(app, sign_in), PackTools(app, sign_in)
    submissions, memory = SubmissionTools(app, sign_in), MemoryTools(app, sign_in, metrics)
    yield knowledge.search_knowledge, READS
    yield knowledge.query_facts, READS
    yield packs.get_context_pack, READS
    yield entities.get_entity_profile, READS
    yield knowledge.get_fact, READS
    yield knowledge.explain_fact, READS
    yield contradictions.find_contradictions, READS
    yield concepts.search_concepts, READS
    yield concepts.get_concept, READS
    yield history.get_timeline, READS
    yield history.get_changes, READS
    yield entities.neighbours, READS
    yield entities.shortest_path, READS
    yield entities.predicates_in_use, READS
    yield memory.recall, READS
    yield submissions.list_sources, READS
    yield submissions.get_receipt, READS
    yield submissions.propose_document, ADDS
    yield submissions.assert_fact, ADDS
    yield contradictions.propose_correction, ADDS
    yield contradictions.propose_entity_edit, ADDS
    yield submissions.feedback, ADDS
    yield packs.create_snapshot, NEW
    yield memory.remember, ADDS
