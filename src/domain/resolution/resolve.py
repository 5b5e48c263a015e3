"""Which entity a mention means. Exact names only: nothing fuzzy merges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from domain.identity.ids import EntityId, GroupId
from domain.knowledge.concept import CONCEPT
from domain.knowledge.kinds import kind_family


class Rule(StrEnum):
    """Why a mention was taken for an entity."""

    EXACT_NAME_AND_KIND = "exact_name_and_kind"
    EXACT_NAME = "exact_name"
    ALIAS = "alias"
    GIVEN = "given"  # who said it pointed at the entity itself
    NEW = "new"


class Named(Protocol):
    """An entity that has the mention's name now."""

    @property
    def entity_id(self) -> EntityId: ...
    @property
    def kind(self) -> str | None: ...
    @property
    def group_id(self) -> GroupId: ...
    @property
    def by_alias(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Resolved:
    """An entity and the rule that named it."""

    entity_id: EntityId
    rule: Rule


def resolve(kind: str | None, candidates: Sequence[Named], scopes: Mapping[GroupId, int]) -> Resolved | None:
    """The entity of a mention of this kind among those that share its name; None when it needs one of its own.

    - The narrowest scope that has a fitting candidate decides; ``scopes`` gives each its distance.
    - There, an alias leads to what it is an alias of.
    - Otherwise the same name and kind is the same thing.
    - A missing kind, on either side, fits when exactly one entity has the name; two kinds that differ never
      fit; what counts is the family of a kind, as a company is an organization.
    - A concept is meant by a mention of kind concept only: a statement is no thing that happens to be called so.
    """
    for distance in sorted({scopes[c.group_id] for c in candidates if c.group_id in scopes}):
        near = [c for c in candidates if scopes.get(c.group_id) == distance]
        found = _within(kind, near)
        if found is not None:
            return found
    return None


def _within(kind: str | None, candidates: Sequence[Named]) -> Resolved | None:
    aliased = _fitting(kind, [c for c in candidates if c.by_alias])
    if len(aliased) == 1:
        return Resolved(aliased[0], Rule.ALIAS)
    own = [c for c in candidates if not c.by_alias]
    same = sorted({c.entity_id for c in own if _family(c.kind) == _family(kind)})
    if len(same) == 1:
        return Resolved(same[0], Rule.EXACT_NAME_AND_KIND)
    loose = _fitting(kind, own)
    if len(loose) == 1:
        return Resolved(loose[0], Rule.EXACT_NAME)
    return None


def _fitting(kind: str | None, candidates: Sequence[Named]) -> list[EntityId]:
    return sorted({c.entity_id for c in candidates if _fits(kind, c.kind)})


def _fits(kind: str | None, other: str | None) -> bool:
    return _family(kind) == _family(other) or (CONCEPT not in (kind, other) and (kind is None or other is None))


def _family(kind: str | None) -> str | None:
    return None if kind is None else kind_family(kind)
