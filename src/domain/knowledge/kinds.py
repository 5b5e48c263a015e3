"""Kinds of things: which words mean the same one, and whether a statement's ends are of those that a policy names."""

from __future__ import annotations

from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.object_wire import to_wire
from domain.knowledge.objects import DateValue, Literal
from domain.knowledge.predicate import PredicatePolicy, Vocabulary

_SAME = (
    ("organization", "organisation", "company", "corporation", "business", "firm"),
    ("place", "location"),
    ("person", "human", "individual"),
)
_FAMILY = {word: words[0] for words in _SAME for word in words}

LITERAL_KINDS = frozenset({"text", "number", "date", "boolean"})
"""Kinds of values, none of a thing."""


def kind_family(kind: str) -> str:
    """The one word for kinds that sources call differently: a company is an organization. Other kinds are their own."""
    folded = kind.casefold()
    return _FAMILY.get(folded, folded)


def kinds_fit(claim: Claim, vocabulary: Vocabulary) -> bool:
    """Whether the stated kinds of both ends are among those of the policy; one that nobody stated always is.

    A literal's kind is its type: text, number, date or boolean. An inverse is asked as it is stated, and its canonical
    predicate turned round. A date is asked of the predicate that it falls under.
    """
    reading = vocabulary.read(claim.predicate)
    if isinstance(claim.object, DateValue):
        reading = vocabulary.read(reading.of_date.name)
    if not any(p.subject_kinds or p.object_kinds for p in (reading.stated, reading.canonical)):
        return True
    ends = _kind(claim.subject), _kind(claim.object)
    turned = ends[::-1] if reading.inverted else ends
    return _are_of(ends, reading.stated) and _are_of(turned, reading.canonical)


def object_fits(target: Mention | Literal, policy: PredicatePolicy) -> bool:
    """Whether an object is of the policy's kinds; a thing of no stated kind is, unless only literals are."""
    wanted = {kind_family(each) for each in policy.object_kinds}
    kind = _kind(target)
    return not wanted or (bool(wanted - LITERAL_KINDS) if kind is None else kind in wanted)


def _are_of(ends: tuple[str | None, ...], policy: PredicatePolicy) -> bool:
    return all(
        kind is None or not wanted or kind in {kind_family(each) for each in wanted}
        for kind, wanted in zip(ends, (policy.subject_kinds, policy.object_kinds), strict=True)
    )


def _kind(end: object) -> str | None:
    if isinstance(end, Mention):
        return kind_family(end.kind) if end.kind is not None else None
    return str(to_wire(end)["type"])  # type: ignore[arg-type]
