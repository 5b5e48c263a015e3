"""Which fact an assertion makes: the canonical statement, and the keys of fact, slot and object."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from struct import Struct
from uuid import UUID

from domain.errors import InvalidInput
from domain.identity.ids import EntityId
from domain.knowledge.objects import (
    NORMAL_FORM_VERSION,
    DateValue,
    EntityRef,
    Literal,
    TypedObject,
    folded,
    normal_form,
)
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Vocabulary

MIN_KEY = 16
"""Bytes of an organization's key, at least."""

_LENGTH = Struct(">I")


def _framed(part: bytes) -> bytes:
    """The part behind its length, so that no two lists of parts run together into one text."""
    return _LENGTH.pack(len(part)) + part


_FACT = _framed(b"assay/fact/%d" % NORMAL_FORM_VERSION)
_SLOT = _framed(b"assay/slot/%d" % NORMAL_FORM_VERSION)
_LITERAL = _framed(b"assay/literal/%d" % NORMAL_FORM_VERSION)


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
    - A date under a word that says what happened falls under the predicate that says when: "founded" with 1999 is
      FOUNDED_ON, which has one value. ``domain/knowledge/dated.py`` lists them.
    - A symmetric pair of entities is sorted.
    - The slot of a one-valued predicate is the fact without its object; of a many-valued one, the fact.

    Raises InvalidInput for a predicate without letters, one that is too long, a number that is not finite, and a key
    under ``MIN_KEY`` bytes.
    """
    _require_length(key)
    reading = vocabulary.read(stated_predicate)
    policy, inverted = reading.stated, False
    if isinstance(object, EntityRef):
        policy, inverted = reading.canonical, reading.inverted
        if policy.symmetric:
            inverted = subject.int > object.entity_id.int
        if inverted:
            subject, object = object.entity_id, EntityRef(subject)
    elif isinstance(object, DateValue):
        policy = reading.of_date
    form = _framed(normal_form(object).encode())
    kept = _kept(policy, qualifiers)
    head = _framed(subject.bytes) + _framed(policy.name.encode())
    for detail in kept:
        head += _framed(detail[0].encode()) + _framed(detail[1].encode())
    fact_key = hmac.digest(key, _FACT + head + form, "sha256")
    slot_key = fact_key
    if policy.cardinality is Cardinality.ONE:
        slot_key = hmac.digest(key, _SLOT + head, "sha256")
    object_key: UUID = object.entity_id if isinstance(object, EntityRef) else _literal_key(form, key)
    return Placement(subject, policy.name, object, kept, policy, inverted, fact_key, slot_key, object_key)


def literal_key(literal: Literal, key: bytes) -> UUID:
    """The ``object_key`` that every placement of this literal has, whatever its subject and predicate.

    Raises InvalidInput for a number that is not finite and a key under ``MIN_KEY`` bytes.
    """
    _require_length(key)
    return _literal_key(_framed(normal_form(literal).encode()), key)


def _literal_key(form: bytes, key: bytes) -> UUID:
    return UUID(bytes=hmac.digest(key, _LITERAL + form, "sha256")[:16])


def _require_length(key: bytes) -> None:
    if len(key) < MIN_KEY:
        raise InvalidInput(f"an organization's key has at least {MIN_KEY} bytes, not {len(key)}", field="key")


def _kept(policy: PredicatePolicy, qualifiers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    if not policy.qualifiers or not qualifiers:
        return ()
    stated = {folded(name): folded(value) for name, value in sorted(qualifiers.items())}
    return tuple((name, stated[name]) for name in sorted(map(folded, policy.qualifiers)) if stated.get(name))
