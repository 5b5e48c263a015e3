"""Names follow the facts that give them: while such a fact stands its names are an entity's, and no longer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from domain.identity.ids import AssertionId, FactId
from domain.knowledge.assertion import AssertionState, Mention, Polarity
from domain.knowledge.naming import CANONICAL_NAME
from domain.knowledge.objects import TextValue
from domain.ports.record import AliasRow, FactRow, MentionRow, Record, RowSet, SlotContents, StoredAssertion
from domain.resolution.names import normal_name
from domain.standing.testimony import Lifecycle, Segment

NAMES_WHILE = frozenset({Lifecycle.ACTIVE, Lifecycle.DISPUTED, Lifecycle.SUPERSEDED})
"""A former name goes on being one that its entity is found by; a denied one does not."""
Said = tuple[StoredAssertion, MentionRow, MentionRow | None]
"""An assertion with its subject and, when that is a name too, its object."""


async def follow_names(
    record: Record,
    contents: SlotContents,
    segments: Mapping[FactId, Sequence[Segment]],
    additions: Sequence[Said],
    rows: RowSet,
) -> bool:
    """Open and close the names that the facts of assessed slots give; returns whether there are any such facts.

    ``segments`` are the present ones of the assessed facts that name something, ``additions`` are not stored yet.
    """
    naming = [contents.facts[fact_id] for fact_id in segments]
    if not naming:
        return False
    fresh = {said[0].id: said for said in additions}
    stored: dict[AssertionId, FactRow] = {}
    for fact in naming:
        stands = any(s.support and s.lifecycle in NAMES_WHILE for s in segments[fact.id])
        for testimony in contents.testimonies.get(fact.id, ()):
            gives = stands and testimony.state is AssertionState.LIVE and testimony.polarity is Polarity.SUPPORT
            if not gives:
                rows.close_aliases_of.append(testimony.assertion_id)
            elif testimony.assertion_id in fresh:
                if (alias := _alias(*fresh[testimony.assertion_id])) is not None:
                    rows.aliases.append(_of(alias, fact))
            else:
                stored[testimony.assertion_id] = fact
    if stored:
        rows.aliases += [_of(a, stored[a.assertion_id]) for a in await record.aliases_of(sorted(stored))]
    return True


def _alias(addition: StoredAssertion, subject: MentionRow, target: MentionRow | None) -> AliasRow | None:
    """The name that an assertion gives: to its object by what the subject is called, or to its subject by a text."""
    said = addition.claim.object
    if isinstance(said, Mention):
        assert target is not None
        return AliasRow(target.entity_id, subject.surface, subject.normal, addition.id)
    if isinstance(said, TextValue):
        return AliasRow(subject.entity_id, said.value, normal_name(said.value), addition.id)
    return None


def _of(alias: AliasRow, fact: FactRow) -> AliasRow:
    return replace(alias, canonical=True) if fact.predicate == CANONICAL_NAME else alias
