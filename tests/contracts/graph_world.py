"""Small graphs for tests: one organization with nested scopes, and elements with ids that only depend on the order."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID, uuid4

from domain.identity.ids import DocumentId, EntityId, FactId, GroupId, OrganizationId, Revision, StandingId
from domain.retrieval.graph import (
    Batch,
    Direction,
    DocumentElement,
    EdgeElement,
    EntityElement,
    GraphView,
    MentionElement,
    NeighbourhoodQuery,
    PathQuery,
    SubgraphQuery,
)
from domain.standing.testimony import Lifecycle

NOW = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
ORGANIZATION = GroupId("o_" + "1" * 32)
WORKSPACE = GroupId("w_" + "2" * 32)
PROJECT = GroupId("p_" + "3" * 32)
OTHER_PROJECT = GroupId("p_" + "4" * 32)
SCOPES = (ORGANIZATION, WORKSPACE, PROJECT)


def numbered(kind: int, number: int) -> UUID:
    """A UUIDv7 of 2023 whose order is the number's and whose last byte, hence bucket, is the number's too."""
    return UUID(f"01890000-{kind:04x}-7000-8000-{number:012x}")


@dataclass
class GraphWorld:
    """Collects what the tests put into a graph. Everything is in PROJECT unless said otherwise."""

    organization_id: OrganizationId = field(default_factory=lambda: OrganizationId(uuid4()))
    entities: list[EntityElement] = field(default_factory=list)
    documents: list[DocumentElement] = field(default_factory=list)
    mentions: list[MentionElement] = field(default_factory=list)
    edges: list[EdgeElement] = field(default_factory=list)

    def entity(self, name: str, group_id: GroupId = PROJECT, kind: str = "thing") -> EntityId:
        entity_id = EntityId(numbered(1, len(self.entities) + 1))
        self.entities.append(EntityElement(entity_id, group_id, name, kind))
        return entity_id

    def named(self, *names: str, group_id: GroupId = PROJECT) -> tuple[EntityId, ...]:
        return tuple(self.entity(name, group_id) for name in names)

    def document(self, title: str, *mentioned: EntityId, group_id: GroupId = PROJECT) -> DocumentId:
        document_id = DocumentId(numbered(2, len(self.documents) + 1))
        self.documents.append(DocumentElement(document_id, group_id, title))
        self.mentions += [MentionElement(document_id, entity_id, group_id) for entity_id in mentioned]
        return document_id

    def edge(
        self,
        subject_id: EntityId,
        predicate: str,
        object_: EntityId | str,
        *,
        group_id: GroupId = PROJECT,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        lifecycle: Lifecycle = Lifecycle.ACTIVE,
        fact: int | None = None,
        standing: int | None = None,
        revision: int = 1,
        fact_text: str | None = None,
    ) -> EdgeElement:
        number = len(self.edges) + 1 if standing is None else standing
        element = EdgeElement(
            standing_id=StandingId(numbered(3, number)),
            fact_id=FactId(numbered(4, number if fact is None else fact)),
            group_id=group_id,
            subject_id=subject_id,
            predicate=predicate,
            object_id=None if isinstance(object_, str) else object_,
            object_text=object_ if isinstance(object_, str) else None,
            fact_text=f"fact {number}" if fact_text is None else fact_text,
            valid_from=valid_from,
            valid_to=valid_to,
            lifecycle=lifecycle,
            confidence=0.9,
            standing_hash=sha256(f"{number}/{revision}".encode()).digest(),
            revision=Revision(revision),
        )
        self.edges.append(element)
        return element

    @property
    def batch(self) -> Batch:
        return Batch(tuple(self.entities), tuple(self.documents), tuple(self.mentions), tuple(self.edges))

    def view(
        self,
        scopes: tuple[GroupId, ...] = SCOPES,
        as_of: datetime = NOW,
        lifecycles: tuple[Lifecycle, ...] = (Lifecycle.ACTIVE, Lifecycle.DISPUTED),
    ) -> GraphView:
        return GraphView(self.organization_id, scopes, as_of, lifecycles)

    def around(
        self,
        *entity_ids: EntityId,
        hops: int = 1,
        direction: Direction = Direction.BOTH,
        predicates: tuple[str, ...] | None = None,
        limit: int = 1000,
        view: GraphView | None = None,
    ) -> NeighbourhoodQuery:
        return NeighbourhoodQuery(view or self.view(), entity_ids, hops, direction, predicates, limit)

    def between(
        self,
        source_id: EntityId,
        target_id: EntityId,
        *,
        max_hops: int = 6,
        direction: Direction = Direction.BOTH,
        predicates: tuple[str, ...] | None = None,
        view: GraphView | None = None,
    ) -> PathQuery:
        return PathQuery(view or self.view(), source_id, target_id, max_hops, direction, predicates)

    def among(self, *entity_ids: EntityId, view: GraphView | None = None) -> SubgraphQuery:
        return SubgraphQuery(view or self.view(), entity_ids)
