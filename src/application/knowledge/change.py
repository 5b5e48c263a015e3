"""The one way that facts change: assertions are added, or change state, and the slots they touch are assessed anew.

A change is prepared under the slots' locks, then written with a revision. Retraction, approval, a new version of a
document, a raised tier and an import are all this, with different additions and transitions.
"""

from __future__ import annotations

import hmac
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from application.ingestion.intake import Intake
from application.knowledge.follow_names import follow_names
from application.knowledge.resolution import MentionKey, Named, Resolution, names_of, resolve_mentions
from domain.identity.access import Access
from domain.identity.ids import AssertionId, EntityId, FactId, OrganizationId, Revision, RunId, SlotId, StandingId
from domain.knowledge.assertion import AssertionState, Mention, StatementEvidence
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.kinds import kinds_fit
from domain.knowledge.naming import NAMING
from domain.knowledge.objects import EntityRef, TypedObject, normal_form
from domain.knowledge.predicate import PredicatePolicy, Vocabulary
from domain.knowledge.wording import describe, fitted
from domain.ports.ids import Ids
from domain.ports.journal import Head
from domain.ports.record import (
    FactRow,
    MentionRow,
    PlacedAssertion,
    PlacementRow,
    Recalled,
    Regrade,
    RowSet,
    SlotContents,
    StandingRow,
    StoredAssertion,
)
from domain.ports.unit_of_work import Transaction
from domain.ports.vocabulary import PredicateRecord
from domain.standing.assess import assess
from domain.standing.digest import standing_hash
from domain.standing.place import Placement, place
from domain.standing.testimony import Segment, Testimony

MAX_VOCABULARIES = 1_000
"""Organizations whose vocabulary is kept in memory."""
Addition = tuple[StoredAssertion, MentionRow, MentionRow | None]
"""An assertion with its subject and, when that is a name too, its object."""
BATCH = 1_000
"""Assertions a transaction, at most."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is to happen. ``additions`` go into the write scope; ``transitions`` may lie in several.

    ``given`` says which entity a name of an addition means, where that was pointed at. ``approved`` says of which
    additions and transitions to live, or that of all of the transitions, a person approved. ``regrade`` is the grade
    that a source is to have.
    """

    additions: Sequence[StoredAssertion] = ()
    given: Mapping[MentionKey, EntityId] = field(default_factory=dict)
    transitions: Sequence[tuple[PlacedAssertion, AssertionState]] = ()
    touched: Sequence[SlotId] = ()
    approved: bool | frozenset[AssertionId] = False
    regrade: Regrade | None = None


@dataclass(slots=True)
class Prepared:
    """A change under its locks, ready to be written.

    ``merged`` counts additions that were stored before or came twice; ``repeated`` names the former.
    """

    rows: RowSet
    head: Head
    merged: int = 0
    repeated: list[tuple[AssertionId, RunId]] = field(default_factory=list)
    changes_identity: bool = False
    placed: dict[AssertionId, FactId] = field(default_factory=dict)


class ChangeWriter:
    """Prepares changes; the caller takes the revision and writes ``prepared.rows`` with it.

    The order of locks is names, slots, head, each sorted, so that no two writers wait for each other in a ring.
    """

    def __init__(self, ids: Ids, intake: Intake | None = None) -> None:
        self._ids = ids
        self._intake = intake
        self._vocabularies: dict[OrganizationId, tuple[Revision, Vocabulary]] = {}

    async def prepare(self, tx: Transaction, head: Head | None, access: Access, key: bytes, change: Change) -> Prepared:
        """Resolve, place, lock, load and assess. Only rows without a revision are written here.

        ``key`` is the organization's. Without a ``head``, it is read together with what the additions need.
        Raises InvalidInput when an assertion cannot be placed, or somebody's word holds what may not be kept.
        """
        if self._intake is not None:
            await self._intake.require_clean(tx, "what is said", *_said_directly(change.additions))
        record = tx.record
        named = [Named.of(a) for a in change.additions]
        recalled = await record.recall([(a.document_id, a.key) for a in change.additions], names_of(named))
        prepared = Prepared(RowSet(), head or recalled.head)
        vocabulary = await self._vocabulary(tx.predicates, access.organization_id, prepared.head)
        fresh = _unknown(named, recalled, prepared)
        resolution = await resolve_mentions(record, access, key, fresh, recalled, self._ids, change.given)
        prepared.rows.entities = resolution.entities
        prepared.rows.mentions = resolution.mentions
        additions = [(_held_back(n.addition, vocabulary), *resolution.of(n)) for n in fresh]
        placements = [_place(*addition, vocabulary, key) for addition in additions]
        slots = await record.lock_slots([p.slot_key for p in placements]) if placements else {}
        known = sorted({t.slot_id for t, _ in change.transitions} | set(change.touched))
        if known:
            await record.lock_slot_ids(known)
        stale = [slot_id for slot_id, fresh in slots.values() if not fresh]
        contents = await record.slot_contents(sorted({*stale, *known}), regrade=change.regrade)
        facts = self._facts(placements, slots, contents, resolution, access, prepared)
        approved = change.approved if isinstance(change.approved, frozenset) else frozenset()
        _add(additions, facts, access, contents, prepared, approved)
        _transit(change, contents, prepared)
        naming = self._assess({slot_id for slot_id, _ in slots.values()} | set(known), contents, vocabulary, prepared)
        prepared.changes_identity = await follow_names(record, contents, naming, additions, prepared.rows)
        return prepared

    async def _vocabulary(self, held: PredicateRecord, organization: OrganizationId, head: Head) -> Vocabulary:
        """The organization's, kept until it changes; a writer under an older one has to start again at the head."""
        revision, vocabulary = self._vocabularies.get(organization, (None, None))
        if vocabulary is None or revision != head.vocabulary_rev:
            vocabulary = Vocabulary.of((*CORE_VOCABULARY, *await held.policies()))
            if len(self._vocabularies) >= MAX_VOCABULARIES:
                self._vocabularies.clear()
            self._vocabularies[organization] = head.vocabulary_rev, vocabulary
        return vocabulary

    def _facts(
        self,
        placements: Sequence[Placement],
        slots: Mapping[bytes, tuple[SlotId, bool]],
        contents: SlotContents,
        resolution: Resolution,
        access: Access,
        prepared: Prepared,
    ) -> list[FactRow]:
        by_key = {f.key: f for f in contents.facts.values() if f.group_id == access.write_scope}
        chosen: list[FactRow] = []
        for placement in placements:
            fact = by_key.get(placement.fact_key)
            if fact is None:
                fact = FactRow(
                    id=FactId(self._ids.new()),
                    group_id=access.write_scope,
                    key=placement.fact_key,
                    slot_id=slots[placement.slot_key][0],
                    subject_id=placement.subject,
                    predicate=placement.predicate,
                    object=placement.object,
                    object_key=placement.object_key,
                    qualifiers=dict(placement.qualifiers),
                    sentence=sentence_of(placement, resolution.names),
                )
                by_key[placement.fact_key] = fact
                contents.facts[fact.id] = fact
                prepared.rows.facts.append(fact)
            chosen.append(fact)
        return chosen

    def _assess(
        self, slots: set[SlotId], contents: SlotContents, vocabulary: Vocabulary, prepared: Prepared
    ) -> dict[FactId, list[Segment]]:
        """Open and close standings; returns the segments of facts that name something."""
        naming: dict[FactId, list[Segment]] = {}
        by_slot: dict[SlotId, list[FactRow]] = defaultdict(list)
        for fact in contents.facts.values():
            if fact.slot_id in slots:
                by_slot[fact.slot_id].append(fact)
        for facts in by_slot.values():
            rows = standings_of(facts, contents, vocabulary.policy(facts[0].predicate), self._ids)
            stored = {(o.fact_id, o.standing_hash): o.id for f in facts for o in contents.standings.get(f.id, ())}
            for row in rows:
                if stored.pop((row.fact.id, row.standing_hash), None) is None:
                    prepared.rows.open_standings.append(row)
            prepared.rows.close_standings.extend(stored.values())
            if facts[0].predicate in NAMING:
                naming |= {fact.id: [row.segment for row in rows if row.fact.id == fact.id] for fact in facts}
        return naming


def _transit(change: Change, contents: SlotContents, prepared: Prepared) -> None:
    """Move assertions to their new states."""
    rows = prepared.rows
    for placed, state in change.transitions:
        held = contents.testimonies.get(placed.fact_id, [])
        index = next((i for i, t in enumerate(held) if t.assertion_id == placed.assertion_id), None)
        if index is None or held[index].state is state:
            continue
        by_person = change.approved if isinstance(change.approved, bool) else placed.assertion_id in change.approved
        approved = by_person and state is AssertionState.LIVE
        held[index] = replace(held[index], state=state, approved=approved)
        rows.close_placements.append(placed.assertion_id)
        rows.open_placements.append(PlacementRow(placed.assertion_id, placed.fact_id, placed.group_id, state, approved))


def standings_of(
    facts: Sequence[FactRow], contents: SlotContents, policy: PredicatePolicy, ids: Ids
) -> list[StandingRow]:
    """How the facts of one slot stand, as rows with new ids."""
    by_id = {f.id: f for f in facts}
    testimonies = [t for f in facts for t in contents.testimonies.get(f.id, ())]
    rows = []
    for segment in assess(testimonies, policy):
        fact = by_id[segment.fact_id]
        digest = standing_hash(fact.group_id, fact.subject_id, fact.predicate, normal_form(fact.object), segment)
        rows.append(StandingRow(StandingId(ids.new()), fact, segment, digest))
    return rows


def _unknown(additions: Sequence[Named], recalled: Recalled, prepared: Prepared) -> list[Named]:
    seen = set(recalled.items)
    prepared.repeated += recalled.items.values()
    fresh = []
    for named in additions:
        item = named.addition.document_id, named.addition.key
        if item not in seen:
            seen.add(item)
            fresh.append(named)
    prepared.merged = len(additions) - len(fresh)
    return fresh


def _add(
    additions: Sequence[Addition],
    facts: Sequence[FactRow],
    access: Access,
    contents: SlotContents,
    prepared: Prepared,
    approved: frozenset[AssertionId],
) -> None:
    rows = prepared.rows
    for (addition, subject, target), fact in zip(additions, facts, strict=True):
        by_person = addition.id in approved and addition.state is AssertionState.LIVE
        rows.assertions.append((addition, subject.id, target.id if target else None))
        rows.open_placements.append(PlacementRow(addition.id, fact.id, access.write_scope, addition.state, by_person))
        contents.testimonies.setdefault(fact.id, []).append(_testimony(addition, fact, by_person))
        prepared.placed[addition.id] = fact.id


def _said_directly(additions: Sequence[StoredAssertion]) -> Iterator[str]:
    """The words of additions that come from no document: those of documents were looked through with the document."""
    for addition in additions:
        if isinstance(addition.evidence, StatementEvidence):
            claim = addition.claim
            target = claim.object.surface if isinstance(claim.object, Mention) else describe(claim.object)
            yield from (claim.subject.surface, f"{claim.predicate}: {target}", addition.evidence.excerpt)


def item_key(key: bytes, *parts: str) -> bytes:
    """What makes a repeated item the same assertion: an HMAC over its parts."""
    return hmac.digest(key, b"".join([b"%d:%s" % (len(p), p) for p in map(str.encode, parts)]), "sha256")


def _held_back(addition: StoredAssertion, vocabulary: Vocabulary) -> StoredAssertion:
    """One whose kinds do not fit its predicate's policy waits for a person, unless it is a person's correction."""
    if addition.state is not AssertionState.LIVE or addition.corrects or kinds_fit(addition.claim, vocabulary):
        return addition
    return replace(addition, state=AssertionState.PENDING)


def _place(
    addition: StoredAssertion, subject: MentionRow, target: MentionRow | None, vocabulary: Vocabulary, key: bytes
) -> Placement:
    claim = addition.claim
    typed: TypedObject
    if isinstance(claim.object, Mention):
        assert target is not None
        typed = EntityRef(target.entity_id)
    else:
        typed = claim.object
    return place(subject.entity_id, claim.predicate, typed, claim.qualifiers, vocabulary, key)


def sentence_of(placement: Placement, names: Mapping[UUID, str]) -> str:
    """The fact as a sentence, from the names of its ends."""
    target = placement.object
    words = placement.policy.words
    if isinstance(target, EntityRef):
        shown = names[target.entity_id]
    else:
        shown, words = describe(target), fitted(words, target)
    details = ", ".join(f"{name} {value}" for name, value in placement.qualifiers)
    sentence = f"{names[placement.subject]} {words} {shown}"
    return f"{sentence} ({details})" if details else sentence


def _testimony(a: StoredAssertion, fact: FactRow, approved: bool) -> Testimony:
    claim = a.claim
    return Testimony(
        assertion_id=a.id,
        fact_id=fact.id,
        object=fact.object,
        state=a.state,
        polarity=claim.polarity,
        kind=claim.kind,
        confidence=claim.confidence,
        valid_from=claim.valid_from,
        valid_to=claim.valid_to,
        observed_at=a.observed_at,
        published_at=a.published_at,
        tier=a.tier,
        trust=a.trust,
        independence_key=a.independence_key,
        corrects=a.corrects[1] if a.corrects else None,
        approved=approved,
    )
