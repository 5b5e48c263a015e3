"""Typed reads of concepts, shared by the API, the MCP tools and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from application.models.metering import ConfiguredEmbedder, embedder_for
from application.retrieval.queries import Term
from application.retrieval.vocabulary import Vocabularies
from domain.errors import BudgetExhausted, ContentErased, InvalidInput, NotFound, Unavailable, shown
from domain.identity.access import Access
from domain.identity.ids import EntityId
from domain.identity.permissions import Action, permit
from domain.knowledge.concept import CONCEPT, HAS_KIND, HAS_TERM, INVERSES, ConceptKind, ConceptRelation
from domain.knowledge.objects import TextValue
from domain.knowledge.predicate import Vocabulary
from domain.ports.concepts import ConceptCandidates, ConceptPredicates, ConceptReader, ConceptSearch
from domain.ports.embedder import Vectors
from domain.ports.key_store import KeyStore
from domain.ports.knowledge_reader import KnowledgeReader
from domain.resolution.names import normal_name
from domain.retrieval.closeness import Band, Match, match_of
from domain.retrieval.concepts import (
    Concept,
    ConceptDetails,
    ConceptLink,
    ConceptsQuery,
    FoundConcept,
    FoundConcepts,
    concept_of,
)
from domain.retrieval.facts import Named, StandingFact
from domain.retrieval.fusion import RankedList, fused_scores
from domain.retrieval.reading import PatternRead, ReadPoint, Side, StoredPattern
from domain.standing.grounding import CUTOFFS, Cutoffs
from domain.standing.place import literal_key

CANDIDATES = 4
"""How many of each list are looked at, for one that is asked for."""
MAX_LINKS = 500
"""Relations of one concept."""
_BY_WORDS = ("name", "text")
NO_VECTORS = "concepts were found by words only: no model of the organization's vectors answers"


@dataclass(frozen=True, slots=True)
class ConceptReads:
    """What the reads of this module need."""

    concepts: ConceptReader
    facts: KnowledgeReader
    vocabularies: Vocabularies
    keys: KeyStore
    embedder: ConfiguredEmbedder | None
    cutoffs: Cutoffs = CUTOFFS


async def search_concepts(reads: ConceptReads, access: Access, query: ConceptsQuery) -> FoundConcepts:
    """Concepts by the meaning and the words of their labels and search terms, best first, with their grounding.

    Without a model that answers, by words only, and a note says so.
    """
    permit(access, Action.READ)
    vocabulary = await reads.vocabularies.of(access)
    predicates = _predicates(vocabulary)
    vector = await _vector(reads, access, query.text)
    found = await reads.concepts.candidates(
        access,
        ConceptSearch(
            query.text,
            None if vector is None else vector[0],
            reads.embedder.model if reads.embedder is not None else None,
            await _kind_keys(reads, access, query.kinds),
            query.point,
            query.filter,
            CANDIDATES * query.limit,
        ),
        predicates,
    )
    band = reads.embedder.nearness.facts if reads.embedder is not None and reads.embedder.nearness else None
    scores = dict(_ranked(found, band)[: query.limit])
    ids = [EntityId(each) for each in scores]
    rows = await reads.concepts.concepts(access, ids, query.point, predicates)
    concepts = [concept_of(row, reads.cutoffs) for row in rows]
    cosines = found.cosines or {}
    texts = [text for concept in concepts for text in (*concept.names, *concept.terms)]
    match = match_of(query.text, texts, max(cosines.values(), default=None), band) if concepts else Match.NONE
    shown = [FoundConcept(c, scores[c.id], cosines.get(c.id)) for c in concepts] if match is not Match.NONE else []
    return FoundConcepts(tuple(shown), match, () if found.cosines is not None or not shown else (NO_VECTORS,))


def _ranked(found: ConceptCandidates, band: Band | None) -> list[tuple[UUID, float]]:
    """The lists fused; what is in a list of vectors alone has to be near enough."""
    cosines = found.cosines or {}
    by_words = {each for name, ids in found.lists.items() if name in _BY_WORDS for each in ids}
    ranked = fused_scores([RankedList(name, 1.0, tuple(ids)) for name, ids in found.lists.items()])
    if band is None:
        return ranked
    return [(i, score) for i, score in ranked if i in by_words or cosines.get(EntityId(i), -1.0) >= band.floor]


async def get_concept(
    reads: ConceptReads, access: Access, concept: Term, point: ReadPoint | None = None, links: int = 100
) -> ConceptDetails:
    """A concept with its quotes, its grounding and its relations in both directions.

    By id, or by its label or another name: of several scopes the narrowest is meant. Raises NotFound for what is no
    concept in the scopes, ContentErased, InvalidInput for a literal or a number out of range.
    """
    permit(access, Action.READ)
    if not 1 <= links <= MAX_LINKS:
        raise InvalidInput(f"links is 1 to {MAX_LINKS}, not {links}", field="links")
    point = point or ReadPoint()
    vocabulary = await reads.vocabularies.of(access)
    concept_id = concept.id or await _named(reads, access, concept, point)
    found = await reads.concepts.concepts(access, [concept_id], point, _predicates(vocabulary))
    if not found:
        raise await _missing(reads, access, concept_id)
    related = _related(vocabulary)
    side = Side(ids=(concept_id,))
    read = PatternRead(StoredPattern(subject=side, forward=related, backward=related), point, limit=links)
    facts = await reads.facts.facts_by_pattern(access, read)
    read_concept = concept_of(found[0], reads.cutoffs)
    told = tuple(link for fact in facts if (link := _link(fact, read_concept, vocabulary)) is not None)
    return ConceptDetails(read_concept, told, len(facts) == links)


async def _named(reads: ConceptReads, access: Access, concept: Term, point: ReadPoint) -> EntityId:
    if concept.name is None:
        raise InvalidInput("a literal is no concept; give an id or a label", field="concept")
    summary = await reads.facts.summary(access, Side(names=(concept.name,)), point, 0)
    # A name leads to what is the same as well: the one that bears the name itself comes first.
    scopes = {group: distance for distance, group in enumerate(access.read_scopes)}
    wanted = normal_name(concept.name)
    named = sorted(
        (normal_name(each.name) != wanted, scopes.get(each.group_id, len(scopes)), each.entity_id)
        for each in summary.entities
        if each.kind == CONCEPT
    )
    if not named:
        raise NotFound(f"there is no concept called {shown(concept.name)} in the scopes of the caller", field="concept")
    return named[0][2]


def _predicates(vocabulary: Vocabulary) -> ConceptPredicates:
    names = (HAS_KIND, HAS_TERM, ConceptRelation.SUPPORTS.value, ConceptRelation.CONTRADICTS.value)
    return ConceptPredicates(*(vocabulary.read(name).canonical.name for name in names))


def _related(vocabulary: Vocabulary) -> tuple[str, ...]:
    return tuple(dict.fromkeys(vocabulary.read(relation.value).canonical.name for relation in ConceptRelation))


def _link(fact: StandingFact, concept: Concept, vocabulary: Vocabulary) -> ConceptLink | None:
    """How a fact reads from the concept; None for one whose other end is no concept."""
    if not isinstance(fact.object, Named) or fact.subject.kind != CONCEPT or fact.object.kind != CONCEPT:
        return None
    is_subject = fact.subject.id == concept.id
    if not is_subject and fact.object.id != concept.id:
        # It is told of something that is the same as the concept.
        is_subject = fact.subject.name in concept.names
    other = fact.object if is_subject else fact.subject
    for relation in ConceptRelation:
        reading = vocabulary.read(relation.value)
        if reading.canonical.name == fact.predicate:
            forward = reading.canonical.symmetric or is_subject is not reading.inverted
            return ConceptLink(relation.value if forward else INVERSES[relation], other, fact)
    return None


async def _vector(reads: ConceptReads, access: Access, text: str) -> Vectors | None:
    if reads.embedder is None:
        return None
    try:
        return await embedder_for(access, reads.embedder).embed_queries([text])
    except (Unavailable, BudgetExhausted):
        return None


async def _kind_keys(reads: ConceptReads, access: Access, kinds: tuple[ConceptKind, ...]) -> tuple[UUID, ...]:
    if not kinds:
        return ()
    secret = await reads.keys.organization_key(access.organization_id)
    return tuple(literal_key(TextValue(kind.value), secret) for kind in kinds)


async def _missing(reads: ConceptReads, access: Access, concept_id: EntityId) -> NotFound:
    erased = await reads.facts.erasure_of(access, concept_id)
    if erased is None:
        return NotFound(f"there is no concept {concept_id} in the scopes of the caller", field="concept_id")
    erasure_id, at = erased
    return ContentErased(f"the concept {concept_id} was erased at {at.isoformat()} by the erasure {erasure_id}")
