"""Typed reads of facts and entities, shared by the API, the MCP tools and the command line.

``as_of`` and ``known_at`` come in a ``ReadPoint`` everywhere. Unknown names give empty results, unknown ids NotFound;
an id that is unknown and one that is somebody else's read the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from application.models.metering import ConfiguredEmbedder, embedder_for
from application.retrieval.lineage import Lineage
from application.retrieval.vocabulary import Vocabularies
from domain.errors import BudgetExhausted, ContentErased, InvalidInput, NotFound, Unavailable
from domain.identity.access import Access
from domain.identity.ids import AssertionId, EntityId, FactId, Revision
from domain.identity.permissions import Action, permit
from domain.knowledge.objects import Literal
from domain.knowledge.predicate import Vocabulary
from domain.knowledge.time import require_aware
from domain.ports.key_store import KeyStore
from domain.ports.knowledge_reader import KnowledgeReader
from domain.ports.search_index import FoundEntity, SearchIndex
from domain.ports.unit_of_work import UnitOfWork
from domain.retrieval.directions import stored_directions
from domain.retrieval.explanation import PlacedSaying
from domain.retrieval.facts import StandingFact
from domain.retrieval.grounds import GroundedExplanation
from domain.retrieval.profile import EntityProfile, EntitySummary, PredicateUse
from domain.retrieval.reading import Cursor, FactFilter, PatternRead, ReadPoint, Side, StoredPattern
from domain.standing.place import literal_key

MAX_LINKED = 200
"""Documents of one profile."""


@dataclass(frozen=True, slots=True)
class Term:
    """One side of a pattern: an entity by id or by any of its names, or a literal."""

    id: EntityId | None = None
    name: str | None = None
    literal: Literal | None = None

    def __post_init__(self) -> None:
        if sum(value is not None for value in (self.id, self.name, self.literal)) != 1:
            raise InvalidInput("name one thing: an id, a name or a literal", field="subject")
        if self.name is not None and not self.name.strip():
            raise InvalidInput("the name is empty; give one, or leave the side open", field="name")


@dataclass(frozen=True, slots=True)
class FactsQuery:
    """A triple pattern with at least one side given. Predicates are in any spelling and either direction."""

    subject: Term | None = None
    predicates: tuple[str, ...] = ()
    object: Term | None = None
    point: ReadPoint = field(default_factory=ReadPoint)
    filter: FactFilter = field(default_factory=FactFilter)
    limit: int = 50
    after: Cursor | None = None


@dataclass(frozen=True, slots=True)
class FactsPage:
    """Facts, corrections first, and where the next page starts; None on the last one."""

    facts: tuple[StandingFact, ...]
    next: Cursor | None


@dataclass(frozen=True, slots=True)
class FactReads:
    """What the reads of this module need."""

    reader: KnowledgeReader
    vocabularies: Vocabularies
    keys: KeyStore
    lineage: Lineage | None = None


async def facts_by_pattern(reads: FactReads, access: Access, query: FactsQuery) -> FactsPage:
    """The facts that a pattern finds.

    Raises InvalidInput when all three sides are open, a predicate has no letters, or a limit is out of range.
    """
    permit(access, Action.READ)
    vocabulary = await reads.vocabularies.of(access, query.point.vocabulary_at)
    pattern = _pattern(query, vocabulary, await _literal_keys(reads.keys, access, query))
    read = PatternRead(pattern, query.point, query.filter, query.limit, query.after)
    facts = await reads.reader.facts_by_pattern(access, read)
    last = facts[-1] if len(facts) == query.limit else None
    return FactsPage(tuple(facts), Cursor(last.corrected, last.fact_id, last.valid_from) if last else None)


async def get_fact(
    reads: FactReads,
    access: Access,
    fact_id: FactId,
    known_at: Revision | None = None,
    as_of: datetime | None = None,
) -> list[StandingFact]:
    """All segments of a fact, of any lifecycle, by valid time, grounded as of a moment, by default now.

    Raises NotFound, ContentErased for what was erased, InvalidInput for a moment without a zone.
    """
    permit(access, Action.READ)
    segments = await reads.reader.fact(access, fact_id, known_at, _moment(as_of))
    if not segments:
        raise missing("fact", fact_id, await reads.reader.erasure_of(access, fact_id))
    return segments


async def explain_fact(
    reads: FactReads,
    access: Access,
    fact_id: FactId,
    known_at: Revision | None = None,
    as_of: datetime | None = None,
) -> GroundedExplanation:
    """Why a fact stands as it does, what it is grounded on as of a moment, by default now, and where it came from.

    Raises NotFound, ContentErased for what was erased, InvalidInput for a moment without a zone.
    """
    permit(access, Action.READ)
    explained = await reads.reader.explain(access, fact_id, known_at, _moment(as_of))
    if explained is None:
        raise missing("fact", fact_id, await reads.reader.erasure_of(access, fact_id))
    if reads.lineage is None:
        return explained
    return replace(explained, promoted_from=await reads.lineage(access, explained.fact_id, known_at))


async def get_assertion(
    unit_of_work: UnitOfWork, reads: FactReads, access: Access, assertion_id: AssertionId
) -> PlacedSaying:
    """One assertion as it bears on its fact at present, whatever its state. Raises NotFound, ContentErased."""
    permit(access, Action.READ)
    async with unit_of_work(access) as tx:
        placed = await tx.record.placed([assertion_id])
    explained = await reads.reader.explain(access, placed[0].fact_id, None) if placed else None
    said = [a for a in explained.assertions if a.assertion_id == assertion_id] if explained else []
    if explained is None or not said:
        raise missing("assertion", assertion_id, await reads.reader.erasure_of(access, assertion_id))
    return PlacedSaying(explained.fact_id, explained.sentence, said[-1])


async def entity_profile(
    reads: FactReads,
    access: Access,
    entity: Term,
    point: ReadPoint | None = None,
    limit: int = 50,
    documents: int = 20,
) -> EntityProfile:
    """Everything known about one entity: names, totals by predicate, facts on either side, documents.

    A name that nothing bears has an empty profile. Raises NotFound for an id that is nobody's, ContentErased, and
    InvalidInput for a literal or a limit out of range.
    """
    permit(access, Action.READ)
    if entity.literal is not None:
        raise InvalidInput("a literal has no profile; give the id or the name of an entity", field="entity")
    if not 0 <= documents <= MAX_LINKED:
        raise InvalidInput(f"documents is 0 to {MAX_LINKED}, not {documents}", field="documents")
    point = point or ReadPoint()
    side = _side(entity, ())
    either_way = StoredPattern(subject=side, backward=())
    summary: EntitySummary = await reads.reader.summary(access, side, point, documents)
    facts = await reads.reader.facts_by_pattern(access, PatternRead(either_way, point, limit=limit))
    if entity.id is not None and not (facts and summary.entities):
        erased = await reads.reader.erasure_of(access, entity.id)
        if erased is not None or not summary.entities:
            raise missing("entity", entity.id, erased)
    return EntityProfile(summary, tuple(facts))


async def predicates_in_use(reads: FactReads, access: Access, point: ReadPoint | None = None) -> list[PredicateUse]:
    """Stored predicates with the number of their facts in force and some of them, most first."""
    permit(access, Action.READ)
    point = point or ReadPoint()
    vocabulary = await reads.vocabularies.of(access, point.vocabulary_at)
    found = await reads.reader.predicates_in_use(access, point)
    return [replace(use, reviewed=vocabulary.policy(use.predicate).reviewed) for use in found]


async def find_entities(
    index: SearchIndex,
    embedder: ConfiguredEmbedder | None,
    access: Access,
    name: str,
    point: ReadPoint | None = None,
    limit: int = 20,
) -> list[FoundEntity]:
    """Entities by name, alias or meaning: those alike in name first. Without a model that answers, by name only."""
    permit(access, Action.READ)
    if not name.strip():
        raise InvalidInput("the name is empty; give one", field="name")
    if not 1 <= limit <= 200:
        raise InvalidInput(f"limit is 1 to 200, not {limit}", field="limit")
    vector = None
    if embedder is not None:
        try:
            vector = (await embedder_for(access, embedder).embed_queries([name]))[0]
        except (Unavailable, BudgetExhausted):
            vector = None
    model = embedder.model if embedder is not None else None
    point = point or ReadPoint()
    return await index.find_entities(access, name, limit, point, vector, model)


def _moment(as_of: datetime | None) -> datetime | None:
    return None if as_of is None else require_aware(as_of, "as_of")


def missing(what: str, item: UUID, erased: tuple[UUID, datetime] | None) -> NotFound:
    """What is said of an id that finds nothing: by which erasure it was erased, and when, else that it is not there."""
    if erased is None:
        return NotFound(f"there is no {what} {item} in the scopes of the caller", field=f"{what}_id")
    erasure_id, at = erased
    return ContentErased(f"the {what} {item} was erased at {at.isoformat()} by the erasure {erasure_id}")


def _pattern(query: FactsQuery, vocabulary: Vocabulary, literal_keys: tuple[UUID, ...]) -> StoredPattern:
    forward, backward = stored_directions(query.predicates or None, vocabulary)
    if query.subject is None and query.object is None and forward is not None:
        forward, backward = tuple(dict.fromkeys((*forward, *(backward or ())))), None
    if query.object is not None and query.object.literal is not None:
        backward = None
    return StoredPattern(
        _side(query.subject, ()) if query.subject else None,
        _side(query.object, literal_keys) if query.object else None,
        forward,
        backward if query.subject or query.object else None,
    )


def _side(term: Term, literal_keys: tuple[UUID, ...]) -> Side:
    if term.literal is not None:
        return Side(literal_keys=literal_keys)
    return Side(ids=(term.id,)) if term.id is not None else Side(names=(term.name or "",))


async def _literal_keys(keys: KeyStore, access: Access, query: FactsQuery) -> tuple[UUID, ...]:
    if query.subject is not None and query.subject.literal is not None:
        raise InvalidInput("a subject is an entity; give its id or its name", field="subject")
    if query.object is None or query.object.literal is None:
        return ()
    secret = await keys.organization_key(access.organization_id)
    return (literal_key(query.object.literal, secret),)
