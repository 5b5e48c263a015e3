"""Whatever takes an access asks the permission table, or is listed here with the reason why not.

A public function or method of ``application`` with an ``Access`` among its parameters has to call ``permit``, itself or
through what it calls by name in the same class, the same module or an imported module of ``application``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from domain.identity.permissions import Action

SOURCES = Path(__file__).parents[2] / "src"


@dataclass
class Function:
    """A function or method, by module and qualified name, and the names that it calls."""

    key: tuple[str, str]
    is_public: bool
    takes_access: bool
    calls: set[tuple[str, str]] = field(default_factory=set)


def _functions(module: str, tree: ast.Module) -> Iterator[Function]:
    imported = {
        (name.asname or name.name): (node.module or "", name.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }

    def function(node: ast.FunctionDef | ast.AsyncFunctionDef, owner: str | None) -> Function:
        name = f"{owner}.{node.name}" if owner else node.name
        arguments = [*node.args.args, *node.args.kwonlyargs]
        takes = any(isinstance(a.annotation, ast.Name) and a.annotation.id == "Access" for a in arguments)
        hidden = node.name.startswith("_") and node.name != "__call__"
        found = Function((module, name), not (hidden or (owner or "").startswith("_")), takes)
        for call in ast.walk(node):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                found.calls.add(imported.get(call.func.id, (module, call.func.id)))
            elif isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                value = call.func.value
                if isinstance(value, ast.Name) and value.id == "self":
                    found.calls.add((module, f"{owner}.{call.func.attr}"))
        return found

    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield function(node, None)
        elif isinstance(node, ast.ClassDef):
            for part in node.body:
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield function(part, node.name)


def _application() -> dict[tuple[str, str], Function]:
    found: dict[tuple[str, str], Function] = {}
    for path in sorted((SOURCES / "application").rglob("*.py")):
        module = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
        found |= {f.key: f for f in _functions(module, ast.parse(path.read_text(encoding="utf-8")))}
    return found


PERMIT = ("domain.identity.permissions", "permit")


def _permitting(functions: Mapping[tuple[str, str], Function]) -> set[tuple[str, str]]:
    known = {PERMIT}
    while True:
        more = {key for key, function in functions.items() if function.calls & known} - known
        if not more:
            return known
        known |= more


def unpermitted() -> set[str]:
    functions = _application()
    permitting = _permitting(functions)
    return {
        f"{module.removeprefix('application.')}:{name}"
        for (module, name), function in functions.items()
        if function.is_public and function.takes_access and (module, name) not in permitting
    }


REASONS: Mapping[str, str] = {
    "work of the system: a job of the worker, with the access of its tenant": """
        erasure.complete:CompleteErasure.__call__ erasure.graph_following:GraphFollowing.require
        erasure.scan:ScanStores.__call__ ingestion.ingest_version:IngestVersion.__call__
        projection.builder:GraphBuilder.__call__ projection.catch_up:CatchUp.__call__
        projection.projector:Projector.__call__ vectors.fill:VectorFiller.__call__ vectors.fill:VectorFiller.lease""",
    "a part of use cases, each of which asks before it comes here": """
        erasure.place:located ingestion.append_claims:AppendClaims.__call__ ingestion.assertions:assertion_of
        ingestion.extract:extract_text ingestion.find_copies:CopyFinder.__call__
        ingestion.read_version:ReadVersion.__call__ ingestion.sources:ensure_collection ingestion.sources:own_source
        ingestion.write_version:WriteVersion.__call__ knowledge.change:ChangeWriter.prepare knowledge.commit:committed
        knowledge.correct:CorrectionWriter.write knowledge.correct:correctable knowledge.correct:said_by_person
        knowledge.entity_claims:require_possible knowledge.promote:Originals.require_unchanged
        knowledge.promote:PromotionWriter.write knowledge.propose_promotion:require_wider
        knowledge.resolution:resolve_mentions""",
    "a part of reads, each of which asks before it comes here": """
        retrieval.contradictions:stored_predicates retrieval.lineage:Lineage.__call__
        retrieval.passages:cited_passages retrieval.passages:fused_passages retrieval.read_points:ReadPoints.held
        retrieval.snapshots:Snapshots.blank retrieval.vocabulary:Vocabularies.of
        retrieval.vocabulary:Vocabularies.phrases retrieval.widening:Widening.__call__""",
    "a rule that only refuses, or words about an access": """
        identity.access:read_within identity.issued_key:require_no_longer identity.issued_key:require_no_persons_key
        identity.people:refuse_more_than_own identity.people:refuse_personal
        identity.people:refuse_to_take_more_than_own projection.tenant:root_of""",
    "notes for the audit who came, whatever they may": "audit.visit:note_access audit.visit:note_mutation",
    "says who pays for a call of a model": """
        models.metering:MeteredEmbedder.charged_to models.metering:embedder_for""",
    "calls SubmitDocument, which asks whether the caller may remember": "ingestion.remember:Remember.__call__",
    "wraps a request, which asks itself": "operations.answer_once:AnswerOnce.__call__",
}
LISTED = {name for names in REASONS.values() for name in names.split()}


def test_whatever_takes_an_access_asks_or_says_why_not() -> None:
    assert unpermitted() - LISTED == set(), "call permit, or list it here with its reason"


def test_what_is_listed_is_there_and_does_not_ask() -> None:
    assert LISTED - unpermitted() == set(), "it asks by now, or is gone: take it from the list"


def test_the_walk_finds_what_does_not_ask() -> None:
    source = ast.parse(
        "from domain.identity.permissions import Action, permit\n"
        "async def asks(access: Access): permit(access, Action.READ)\n"
        "async def by_another(access: Access): await asks(access)\n"
        "async def forgets(access: Access): return 1\n"
        "class Case:\n"
        "    async def __call__(self, access: Access): return await self._work(access)\n"
        "    async def _work(self, access: Access): permit(access, Action.READ)\n"
    )
    functions = {f.key: f for f in _functions("m", source)}
    asking = {name for _, name in _permitting(functions)}
    assert asking == {"permit", "asks", "by_another", "Case.__call__", "Case._work"}
    assert functions["m", "forgets"].takes_access


def test_every_action_is_asked_for_somewhere() -> None:
    text = "".join(p.read_text(encoding="utf-8") for p in SOURCES.rglob("*.py") if p.name != "permissions.py")
    assert [action.name for action in Action if f"Action.{action.name}" not in text] == []
