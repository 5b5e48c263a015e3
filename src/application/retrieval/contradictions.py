"""What contradicts itself, as every entry point lists it: open contradictions, settled ones, and two sets compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from uuid import UUID

from application.retrieval.queries import Term
from application.retrieval.vocabulary import Vocabularies
from domain.errors import InvalidInput, LimitExceeded
from domain.identity.access import Access
from domain.identity.ids import AssertionId, FactId, GroupId
from domain.identity.permissions import Action, permit
from domain.identity.scope_name import kind_of
from domain.knowledge.assertion import Polarity
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.predicate import PredicatePolicy
from domain.ports.clock import Clock
from domain.ports.contradictions import ContestedCursor, ContestedRead, ContradictionReader, DocumentSet
from domain.ports.knowledge_reader import KnowledgeReader
from domain.retrieval.contradictions import (
    Compared,
    Contested,
    FoundContradiction,
    Saying,
    shown_segment,
    taken_apart,
)
from domain.retrieval.directions import stored_directions
from domain.retrieval.facts import StandingFact
from domain.retrieval.reading import SHOWN_LIFECYCLES, FactFilter, ReadPoint, Side
from domain.retrieval.scopes import JoinedSlot, joined_slots
from domain.standing.across import contradictions_across
from domain.standing.contradiction import (
    Contradiction,
    ContradictionKind,
    Severity,
    contradictions_between,
    contradictions_in,
    severity,
)
from domain.standing.testimony import Lifecycle, Testimony

MAX_COMPARED = 2_000
"""Slots in which two sets of documents may say more than one thing."""
_CORE = {policy.name: policy for policy in CORE_VOCABULARY}


@dataclass(frozen=True, slots=True)
class ContradictionReads:
    """What the reads of this module need."""

    reader: ContradictionReader
    facts: KnowledgeReader
    vocabularies: Vocabularies
    clock: Clock


@dataclass(frozen=True, slots=True)
class ContradictionsQuery:
    """Which contradictions. Predicates are in any spelling and either direction; ``entity`` is on any side.

    ``point`` asks about one moment, now unless it says otherwise, or about all of time. ``against`` compares the
    documents and collections of the filter with those of another set: what these say against what those say,
    whatever else is known, and whoever wins. ``between_scopes`` asks for what one scope that the caller reads says
    against another, a project against its organization, also where each agrees with itself.
    """

    predicates: tuple[str, ...] = ()
    entity: Term | None = None
    about: UUID | None = None
    settled: bool = False
    point: ReadPoint = field(default_factory=ReadPoint)
    filter: FactFilter = field(default_factory=FactFilter)
    against: DocumentSet | None = None
    between_scopes: bool = False
    limit: int = 50
    after: ContestedCursor | None = None


@dataclass(frozen=True, slots=True)
class ContradictionsPage:
    """Contradictions, the most severe first; how many slots and facts are contested in all; where the next page starts.

    A slot that is disputed over several stretches has one entry for each, and counts once.
    """

    contradictions: tuple[FoundContradiction, ...]
    total: int
    next: ContestedCursor | None


async def contradictions(reads: ContradictionReads, access: Access, query: ContradictionsQuery) -> ContradictionsPage:
    """One page of contradictions. Raises InvalidInput for what makes no question, LimitExceeded for sets too large."""
    permit(access, Action.READ)
    if query.point.lifecycles != SHOWN_LIFECYCLES:
        raise InvalidInput(
            "a contradiction is what stands disputed; ask for settled ones instead of lifecycles", field="lifecycle"
        )
    if query.entity is not None and query.entity.literal is not None:
        raise InvalidInput("name an entity, by its id or its name", field="entity")
    if query.between_scopes:
        return await _across_scopes(reads, access, query)
    if query.against is not None:
        return await _compared(reads, access, query, query.against)
    moment = None if query.point.all_time else query.point.as_of or reads.clock.now()
    point = replace(query.point, as_of=moment)
    side = None
    if query.entity is not None:
        named = query.entity
        side = Side(ids=(named.id,)) if named.id is not None else Side(names=(named.name or "",))
    read = ContestedRead(
        point,
        query.settled,
        await stored_predicates(reads, access, query.predicates),
        side,
        query.about,
        query.filter,
        query.limit,
        query.after,
    )
    rows = await reads.reader.contested(access, read)
    segments = await _segments(reads, access, rows, point)
    found = [each for row in rows for each in _of_row(row, segments, moment, query.settled)]
    last = rows[-1] if len(rows) == query.limit else None
    following = ContestedCursor(last.severity.value, last.about) if last else None
    return ContradictionsPage(tuple(found), rows[0].total if rows else 0, following)


async def stored_predicates(
    reads: ContradictionReads, access: Access, predicates: tuple[str, ...]
) -> tuple[str, ...] | None:
    """The stored names that predicates in any spelling and either direction stand for; None for no predicates."""
    if not predicates:
        return None
    forward, backward = stored_directions(predicates, await reads.vocabularies.of(access))
    return tuple(dict.fromkeys(chain(forward or (), backward or ())))


Segments = Mapping[FactId, Sequence[StandingFact]]


async def _segments(
    reads: ContradictionReads, access: Access, rows: Iterable[Contested | Compared | JoinedSlot], point: ReadPoint
) -> Segments:
    loaded = await reads.facts.load(access, [each for row in rows for each in row.standings], point)
    by_fact: dict[FactId, list[StandingFact]] = defaultdict(list)
    for fact in loaded:
        by_fact[fact.fact_id].append(fact)
    return by_fact


def _of_row(row: Contested, segments: Segments, moment: datetime | None, settled: bool) -> list[FoundContradiction]:
    testimonies = [saying.testimony() for saying in row.sayings]
    return [
        _found(each, row, row.severity, segments, {})
        for each in contradictions_in(testimonies, _policy(row), settled=settled)
        if each.kind is row.kind
        and (each.kind is ContradictionKind.RIVALS or each.facts == (row.about,))
        and (moment is None or each.lasts_at(moment))
    ]


def _policy(row: Contested | Compared | JoinedSlot) -> PredicatePolicy:
    """The policy at the revision that is read: the organization's own, the built-in one, or many-valued."""
    return row.policy or _CORE.get(row.predicate) or PredicatePolicy(row.predicate)


async def _compared(
    reads: ContradictionReads, access: Access, query: ContradictionsQuery, against: DocumentSet
) -> ContradictionsPage:
    first = DocumentSet(query.filter.documents, query.filter.collections)
    if (
        query.entity is not None
        or query.about is not None
        or query.filter != FactFilter(documents=first.documents, collections=first.collections)
    ):
        raise InvalidInput(
            "two sets are compared by documents, collections and predicates; leave the other filters out",
            field="against",
        )
    predicates = await stored_predicates(reads, access, query.predicates)
    rows = await reads.reader.compared(access, first, against, query.point, predicates, MAX_COMPARED + 1)
    if len(rows) > MAX_COMPARED:
        raise LimitExceeded(
            f"the two sets meet in more than {MAX_COMPARED} slots; name predicates, or smaller sets", field="against"
        )
    moment = None if query.point.all_time else query.point.as_of or reads.clock.now()
    met = [each for row in rows if (each := _between(row, moment)) is not None]
    return await _page_of(reads, access, query, met)


async def _across_scopes(reads: ContradictionReads, access: Access, query: ContradictionsQuery) -> ContradictionsPage:
    others = (query.entity, query.about, query.against)
    if any(other is not None for other in others) or query.filter != FactFilter() or query.settled:
        raise InvalidInput(
            "scopes are compared whole, or by predicates; leave the other filters out", field="between_scopes"
        )
    moment = None if query.point.all_time else query.point.as_of or reads.clock.now()
    point = replace(query.point, as_of=moment)
    predicates = await stored_predicates(reads, access, query.predicates)
    slots = joined_slots(await reads.reader.differing(access, point, predicates, MAX_COMPARED + 1))
    if len(slots) > MAX_COMPARED:
        raise LimitExceeded(
            f"your scopes differ in more than {MAX_COMPARED} slots; name predicates", field="between_scopes"
        )
    met = [each for slot in slots if (each := _across(slot, moment)) is not None]
    return await _page_of(reads, access, query, met)


def _across(slot: JoinedSlot, moment: datetime | None) -> _Met | None:
    testimonies = [saying.testimony() for saying in slot.sayings]
    by_scope: dict[GroupId, list[Testimony]] = defaultdict(list)
    for said in testimonies:
        by_scope[slot.scopes[said.assertion_id]].append(said)
    across = contradictions_across(list(by_scope.values()), _policy(slot))
    found = [(severity(each, testimonies), each) for each in across if moment is None or each.lasts_at(moment)]
    return _Met(slot, max(serious.value for serious, _ in found), found) if found else None


async def _page_of(
    reads: ContradictionReads, access: Access, query: ContradictionsQuery, met: Sequence[_Met]
) -> ContradictionsPage:
    """The worst of what was met, a page of it."""
    ranked = sorted(met, key=lambda each: (-each.value, each.row.slot_id))
    total, after = len(ranked), query.after
    if after is not None:
        ranked = [each for each in ranked if (-each.value, each.row.slot_id) > (-after.severity, after.about)]
    page = ranked[: query.limit]
    segments = await _segments(reads, access, [each.row for each in page], query.point)
    found = [_found(c, each.row, serious, segments, _sets(each.row)) for each in page for serious, c in each.found]
    following = ContestedCursor(page[-1].value, page[-1].row.slot_id) if len(ranked) > len(page) else None
    return ContradictionsPage(tuple(found), total, following)


@dataclass(frozen=True, slots=True)
class _Met:
    """A slot in which two sets contradict each other; ``value`` is the severity of the worst of it."""

    row: Compared | JoinedSlot
    value: float
    found: list[tuple[Severity, Contradiction]]


def _between(row: Compared, moment: datetime | None) -> _Met | None:
    testimonies = [saying.testimony() for saying in row.sayings]
    between = contradictions_between(
        testimonies, _policy(row), lambda t: t.assertion_id in row.first, lambda t: t.assertion_id in row.second
    )
    found = [(severity(each, testimonies), each) for each in between if moment is None or each.lasts_at(moment)]
    return _Met(row, max(serious.value for serious, _ in found), found) if found else None


def _sets(row: Compared | JoinedSlot) -> dict[AssertionId, str]:
    if isinstance(row, JoinedSlot):
        return {assertion_id: kind_of(group).value for assertion_id, group in row.scopes.items()}
    return (
        dict.fromkeys(row.first, "first")
        | dict.fromkeys(row.second, "second")
        | dict.fromkeys(row.first & row.second, "both")
    )


def _found(
    contradiction: Contradiction,
    row: Contested | Compared | JoinedSlot,
    serious: Severity,
    segments: Segments,
    sets: Mapping[AssertionId, str],
) -> FoundContradiction:
    sayings: dict[AssertionId, Saying] = {saying.assertion_id: saying for saying in row.sayings}
    sides = []
    for stance in contradiction.stances:
        fact = shown_segment(segments.get(stance.fact_id, ()), contradiction.valid_from, contradiction.valid_to)
        if fact is not None:
            sides.append(taken_apart(stance, fact, sayings, sets))
    holding = [s.fact_id for s in contradiction.stances if s.lifecycle is Lifecycle.ACTIVE and _holds(s.polarity)]
    is_denial = contradiction.kind is ContradictionKind.DENIAL
    return FoundContradiction(
        id=contradiction.facts[0] if is_denial else row.slot_id,
        kind=contradiction.kind,
        group_id=row.group_id,
        predicate=row.predicate,
        valid_from=contradiction.valid_from,
        valid_to=contradiction.valid_to,
        open=contradiction.open,
        winner=holding[0] if holding and not contradiction.open else None,
        severity=serious,
        assertions=len({factor.saying.assertion_id for side in sides for factor in side.factors}),
        between_scopes=any(side.fact.differs_by_scope for side in sides),
        sides=tuple(sides),
    )


def _holds(polarity: Polarity) -> bool:
    return polarity is Polarity.SUPPORT
