"""Predicates as asked, in any spelling and either direction, to predicates as stored."""

from __future__ import annotations

from collections.abc import Sequence

from domain.knowledge.predicate import Vocabulary


def stored_directions(
    stated: Sequence[str] | None, vocabulary: Vocabulary
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """The stored predicates that hold as asked, and those that hold with subject and object exchanged.

    None for both is any predicate in its stored direction; symmetric ones are always read from both sides. An inverse
    is stored under its canonical name where its object is an entity, else under its own; a date may be stored under the
    predicate that says when. Raises InvalidInput for a predicate that has no letters or is too long.
    """
    if stated is None:
        symmetric = tuple(sorted(name for name, policy in vocabulary.policies.items() if policy.symmetric))
        return None, symmetric or None
    forward: dict[str, None] = {}
    backward: dict[str, None] = {}
    for predicate in stated:
        reading = vocabulary.read(predicate)
        if not reading.inverted:
            forward.setdefault(reading.canonical.name)
        else:
            forward.setdefault(reading.stated.name)
            backward.setdefault(reading.canonical.name)
        forward.setdefault(reading.of_date.name)
        if reading.canonical.symmetric:
            forward.setdefault(reading.canonical.name)
            backward.setdefault(reading.canonical.name)
    return tuple(forward), tuple(backward) or None
