"""From names to entities, for one batch of assertions."""

from __future__ import annotations

import hmac
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from uuid import UUID

from domain.identity.access import Access
from domain.identity.ids import EntityId, MentionId, VersionId
from domain.knowledge.assertion import Mention
from domain.knowledge.concept import CONCEPT
from domain.knowledge.kinds import kind_family
from domain.ports.ids import Ids
from domain.ports.record import EntityRow, MentionRow, NameCandidate, Recalled, Record, StoredAssertion
from domain.resolution.names import normal_name
from domain.resolution.resolve import Resolved, Rule, resolve

MentionKey = tuple[VersionId, str, str | None]
Peers = dict[MentionKey, MentionKey]


@dataclass(frozen=True, slots=True)
class Named:
    """An assertion to be added, with the keys of its subject and, when that is a name too, its object."""

    addition: StoredAssertion
    subject: MentionKey
    object: MentionKey | None

    @classmethod
    def of(cls, addition: StoredAssertion) -> Named:
        """Normalise the names once."""
        claim, version = addition.claim, addition.version_id
        subject, target = claim.subject, claim.object
        return cls(
            addition,
            (version, normal_name(subject.surface), subject.kind),
            (version, normal_name(target.surface), target.kind) if isinstance(target, Mention) else None,
        )


@dataclass(slots=True)
class Resolution:
    """The mentions of a batch, by version, normal name and kind. ``mentions`` and ``entities`` are the new ones."""

    by_key: dict[MentionKey, MentionRow] = field(default_factory=dict)
    mentions: list[MentionRow] = field(default_factory=list)
    entities: list[EntityRow] = field(default_factory=list)
    names: dict[UUID, str] = field(default_factory=dict)

    def of(self, named: Named) -> tuple[MentionRow, MentionRow | None]:
        """The rows of an assertion's subject and, when that is a name too, its object."""
        return self.by_key[named.subject], self.by_key[named.object] if named.object is not None else None


def names_of(additions: Sequence[Named]) -> list[MentionKey]:
    """Every name of the batch once."""
    return list(dict.fromkeys(key for a in additions for key in (a.subject, a.object) if key is not None))


async def resolve_mentions(
    record: Record,
    access: Access,
    key: bytes,
    additions: Sequence[Named],
    recalled: Recalled,
    ids: Ids,
    given: Mapping[MentionKey, EntityId] = MappingProxyType({}),
) -> Resolution:
    """Resolve every name of the batch: a version's own mentions first, then the scopes outwards, else a new entity.

    One statement, whatever the size. Entities are made in the write scope; the first writer of a name makes it.
    ``given`` names are not looked up: whoever wrote them pointed at the entity.
    """
    resolution = Resolution()
    wanted = _wanted(additions)
    for known in recalled.mentions:
        if (mention_key := (known.version_id, known.normal, known.kind)) in wanted:
            resolution.by_key[mention_key] = known
    missing = {k: v for k, v in wanted.items() if k not in resolution.by_key}
    peers = _kinded_peers(missing)
    found = _find(recalled.candidates, access, missing, peers)
    found |= {k: Resolved(entity_id, Rule.GIVEN) for k, entity_id in given.items() if k in missing}
    claimed = await _claim(record, key, missing, found, peers, resolution)
    for mention_key, (mention, addition) in missing.items():
        resolved = found.get(mention_key) or Resolved(claimed[mention_key], Rule.NEW)
        row = MentionRow(
            MentionId(ids.new()),
            addition.version_id,
            addition.document_id,
            mention.surface,
            mention_key[1],
            mention.kind,
            mention.start,
            mention.end,
            resolved.entity_id,
            resolved.rule.value,
        )
        resolution.by_key[mention_key] = row
        resolution.mentions.append(row)
    for row in resolution.by_key.values():
        resolution.names.setdefault(row.entity_id, row.surface)
    return resolution


def _wanted(additions: Sequence[Named]) -> dict[MentionKey, tuple[Mention, StoredAssertion]]:
    wanted: dict[MentionKey, tuple[Mention, StoredAssertion]] = {}
    for named in additions:
        addition = named.addition
        wanted.setdefault(named.subject, (addition.claim.subject, addition))
        if named.object is not None and isinstance(addition.claim.object, Mention):
            wanted.setdefault(named.object, (addition.claim.object, addition))
    return wanted


def _find(
    candidates: Sequence[NameCandidate],
    access: Access,
    missing: dict[MentionKey, tuple[Mention, StoredAssertion]],
    peers: Peers,
) -> dict[MentionKey, Resolved]:
    if not candidates:
        return {}
    by_normal = defaultdict(list)
    for candidate in candidates:
        by_normal[candidate.normal].append(candidate)
    # A fact of a scope may name things of the scopes that contain it, never of those below.
    start = access.read_scopes.index(access.write_scope) if access.write_scope in access.read_scopes else 0
    scopes = {group: distance for distance, group in enumerate(access.read_scopes[start:])}
    found = {}
    for mention_key in missing:
        resolved = resolve(mention_key[2], by_normal[mention_key[1]], scopes)
        if resolved is not None:
            found[mention_key] = resolved
    for mention_key in missing:
        # A name without a kind is its only namesake of the batch that has one.
        if mention_key not in found and (peer := peers.get(mention_key, mention_key)) in found:
            found[mention_key] = Resolved(found[peer].entity_id, Rule.EXACT_NAME)
    return found


async def _claim(
    record: Record,
    key: bytes,
    missing: dict[MentionKey, tuple[Mention, StoredAssertion]],
    found: dict[MentionKey, Resolved],
    peers: Peers,
    resolution: Resolution,
) -> dict[MentionKey, EntityId]:
    keys = {k: _entity_key(key, k[1], peers.get(k, k)[2]) for k in missing if k not in found}
    if not keys:
        return {}
    claimed = await record.claim_entities(list(keys.values()))
    made: set[EntityId] = set()
    for mention_key, entity_key in keys.items():
        entity_id, is_new = claimed[entity_key]
        if is_new and entity_id not in made:
            made.add(entity_id)
            kind = peers.get(mention_key, mention_key)[2]
            resolution.entities.append(EntityRow(entity_id, kind, missing[mention_key][0].surface, mention_key[1]))
    return {k: claimed[v][0] for k, v in keys.items()}


def _kinded_peers(missing: dict[MentionKey, tuple[Mention, StoredAssertion]]) -> Peers:
    """For a name without a kind, the first of its version and name that has one, if all mean the same; not concepts."""
    kinded = defaultdict(list)
    for mention_key in missing:
        if mention_key[2] not in (None, CONCEPT):
            kinded[mention_key[:2]].append(mention_key)
    families = {named: {kind_family(str(each[2])) for each in keys} for named, keys in kinded.items()}
    return {k: kinded[k[:2]][0] for k in missing if k[2] is None and len(families.get(k[:2], ())) == 1}


def _entity_key(key: bytes, normal: str, kind: str | None) -> bytes:
    family = kind_family(kind) if kind is not None else ""
    return hmac.digest(key, b"assay/entity/1\0" + normal.encode() + b"\0" + family.encode(), "sha256")
