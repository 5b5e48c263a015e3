"""Which fact an assertion makes: the canonical statement, and the keys of fact, slot and object."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from struct import Struct
from uuid import UUID

from domain.errors import InvalidInput
from domain.identity.ids import EntityId
from domain.knowledge.objects import NORMAL_FORM_VERSION, EntityRef, TypedObject, folded, normal_form
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Vocabulary

MIN_KEY = 16
"""Bytes of an organization's key, at least."""

_LENGTH = Struct(">I")
_FACT = b"assay/fact/%d" % NORMAL_FORM_VERSION
_SLOT = b"assay/slot/%d" % NORMAL_FORM_VERSION
_LITERAL = b"assay/literal/%d" % NORMAL_FORM_VERSION


@dataclass(frozen=True, slots=True)
class Placement:
    """A statement in its canonical form.

    ``inverted`` says that subject and object changed places. ``qualifiers`` are the policy's only, sorted by name,
    in normal form. ``fact_key`` and ``slot_key`` are 32 bytes and hold no scope; they are equal where the policy
    is many-valued. ``object_key`` is the entity's id, or a keyed digest of the literal.
    """

    subject: EntityId
    predicate: str
    object: TypedObject
    qualifiers: tuple[tuple[str, str], ...]
    policy: PredicatePolicy
    inverted: bool
    fact_key: bytes
    slot_key: bytes
    object_key: UUID


def place(
    subject: EntityId,
    stated_predicate: str,
    object: TypedObject,
    qualifiers: Mapping[str, str],
    vocabulary: Vocabulary,
    key: bytes,
) -> Placement:
    """The fact that a statement makes under a vocabulary, keyed by the organization's ``key``.

    - An inverse predicate turns to its canonical direction where the object is an entity; with a literal object it
      stays as stated, under its own name.
    - A symmetric pair of entities is sorted.
    - The slot of a one-valued predicate is the fact without its object; of a many-valued one, the fact.

    Raises InvalidInput for a predicate without letters, one that is too long, a number that is not finite, and a key
    under ``MIN_KEY`` bytes.
    """
    if len(key) < MIN_KEY:
        raise InvalidInput(f"an organization's key has at least {MIN_KEY} bytes, not {len(key)}", field="key")
    reading = vocabulary.read(stated_predicate)
    policy, inverted = reading.stated, False
    if isinstance(object, EntityRef):
        policy, inverted = reading.canonical, reading.inverted
        if policy.symmetric:
            inverted = subject.int > object.entity_id.int
        if inverted:
            subject, object = object.entity_id, EntityRef(subject)
    form = normal_form(object).encode()
    kept = _kept(policy, qualifiers)
    name = policy.name.encode()
    details = [part.encode() for pair in kept for part in pair]
    fact_key = _keyed(key, _FACT, subject.bytes, name, form, *details)
    slot_key = fact_key
    if policy.cardinality is Cardinality.ONE:
        slot_key = _keyed(key, _SLOT, subject.bytes, name, *details)
    object_key: UUID = (
        object.entity_id if isinstance(object, EntityRef) else UUID(bytes=_keyed(key, _LITERAL, form)[:16])
    )
    return Placement(subject, policy.name, object, kept, policy, inverted, fact_key, slot_key, object_key)


def _kept(policy: PredicatePolicy, qualifiers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    if not policy.qualifiers or not qualifiers:
        return ()
    stated = {folded(name): folded(value) for name, value in sorted(qualifiers.items())}
    return tuple((name, stated[name]) for name in sorted(map(folded, policy.qualifiers)) if stated.get(name))


def _keyed(key: bytes, *parts: bytes) -> bytes:
    return hmac.digest(key, b"".join([_LENGTH.pack(len(part)) + part for part in parts]), "sha256")
