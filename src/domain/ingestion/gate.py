"""What may speak at once, and what waits for a person.

Documents (the first row that fits decides):

| policy  | who                           | tier | gate            |
|---------|-------------------------------|------|-----------------|
| always  | anybody                       | any  | propose         |
| by tier | an agent                      | any  | propose         |
| by tier | a person, curator or above    | any  | live            |
| by tier | anybody else                  | 1, 2 | live            |
| by tier | anybody else                  | 3    | extract_pending |
| by tier | anybody else                  | 4    | propose         |

Assertions that a principal states directly:

| policy  | who                           | tier | gate    |
|---------|-------------------------------|------|---------|
| always  | anybody                       | any  | pending |
| by tier | a person, curator or above    | any  | live    |
| by tier | an agent, curator or above    | 1, 2 | live    |
| by tier | a system, member or above     | 1, 2 | live    |
| by tier | anybody else                  | any  | pending |

Whether a principal may submit at all is decided before this, by its role.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from domain.errors import InvalidInput
from domain.identity.principal import PrincipalKind, Role

AGENT_CONFIDENCE_CAP = 0.5
"""What an agent says, or has remembered, never counts for more."""

_TIERS = frozenset({1, 2, 3, 4})
_TRUSTED = frozenset({1, 2})
_ANYBODY = frozenset(PrincipalKind)


class GatePolicy(StrEnum):
    """What a workspace lets through: by the source's tier, or nothing without a person."""

    BY_TIER = "by_tier"
    ALWAYS = "always"


class DocumentGate(StrEnum):
    """Extracted and live; extracted with its assertions pending; or bytes and metadata only until approved."""

    LIVE = "live"
    EXTRACT_PENDING = "extract_pending"
    PROPOSE = "propose"


class AssertionGate(StrEnum):
    """Carries truth at once, or waits."""

    LIVE = "live"
    PENDING = "pending"


class SourceKind(StrEnum):
    """Where documents come from."""

    CONNECTOR = "connector"
    RECORD_EXPORT = "record_export"
    UPLOAD = "upload"
    FOLDER = "folder"
    PERSON = "person"
    API = "api"
    CONVERSATION = "conversation"
    RESEARCH = "research"
    AGENT = "agent"


DEFAULT_TIERS: MappingProxyType[SourceKind, int] = MappingProxyType(
    {
        SourceKind.CONNECTOR: 2,
        SourceKind.RECORD_EXPORT: 2,
        SourceKind.UPLOAD: 2,
        SourceKind.FOLDER: 2,
        SourceKind.PERSON: 2,
        SourceKind.API: 3,
        SourceKind.CONVERSATION: 3,
        SourceKind.RESEARCH: 4,
        SourceKind.AGENT: 4,
    }
)
"""The trust tier (1 strongest, 4 weakest) of a new source by its kind."""


@dataclass(frozen=True, slots=True)
class _Row:
    policy: GatePolicy
    kinds: frozenset[PrincipalKind]
    minimum_role: Role
    tiers: frozenset[int]

    def fits(self, policy: GatePolicy, tier: int, kind: PrincipalKind, role: Role) -> bool:
        return policy is self.policy and tier in self.tiers and kind in self.kinds and role.at_least(self.minimum_role)


_AGENT = frozenset({PrincipalKind.AGENT})
_HUMAN = frozenset({PrincipalKind.HUMAN})
_SYSTEM = frozenset({PrincipalKind.SYSTEM})

_DOCUMENTS: tuple[tuple[_Row, DocumentGate], ...] = (
    (_Row(GatePolicy.ALWAYS, _ANYBODY, Role.VIEWER, _TIERS), DocumentGate.PROPOSE),
    (_Row(GatePolicy.BY_TIER, _AGENT, Role.VIEWER, _TIERS), DocumentGate.PROPOSE),
    (_Row(GatePolicy.BY_TIER, _HUMAN, Role.CURATOR, _TIERS), DocumentGate.LIVE),
    (_Row(GatePolicy.BY_TIER, _ANYBODY, Role.VIEWER, _TRUSTED), DocumentGate.LIVE),
    (_Row(GatePolicy.BY_TIER, _ANYBODY, Role.VIEWER, frozenset({3})), DocumentGate.EXTRACT_PENDING),
    (_Row(GatePolicy.BY_TIER, _ANYBODY, Role.VIEWER, frozenset({4})), DocumentGate.PROPOSE),
)
_ASSERTIONS: tuple[tuple[_Row, AssertionGate], ...] = (
    (_Row(GatePolicy.ALWAYS, _ANYBODY, Role.VIEWER, _TIERS), AssertionGate.PENDING),
    (_Row(GatePolicy.BY_TIER, _HUMAN, Role.CURATOR, _TIERS), AssertionGate.LIVE),
    (_Row(GatePolicy.BY_TIER, _AGENT, Role.CURATOR, _TRUSTED), AssertionGate.LIVE),
    (_Row(GatePolicy.BY_TIER, _SYSTEM, Role.MEMBER, _TRUSTED), AssertionGate.LIVE),
    (_Row(GatePolicy.BY_TIER, _ANYBODY, Role.VIEWER, _TIERS), AssertionGate.PENDING),
)


def gate_document(policy: GatePolicy, tier: int, principal_kind: PrincipalKind, role: Role) -> DocumentGate:
    """The gate of a document from a source of ``tier``, by the first table. Raises InvalidInput for no such tier."""
    checked_tier(tier)
    return next(gate for row, gate in _DOCUMENTS if row.fits(policy, tier, principal_kind, role))


def gate_assertion(policy: GatePolicy, tier: int, principal_kind: PrincipalKind, role: Role) -> AssertionGate:
    """The gate of an assertion stated directly, by the second table. Raises InvalidInput for no such tier.

    Assertions extracted from a document follow the document's gate instead.
    """
    checked_tier(tier)
    return next(gate for row, gate in _ASSERTIONS if row.fits(policy, tier, principal_kind, role))


def capped_confidence(principal_kind: PrincipalKind, confidence: float) -> float:
    """``confidence``, at most 0.5 for what an agent says."""
    return min(confidence, AGENT_CONFIDENCE_CAP) if principal_kind is PrincipalKind.AGENT else confidence


def checked_tier(tier: int) -> int:
    """``tier``, if it is 1 to 4. Raises InvalidInput."""
    if tier not in _TIERS:
        raise InvalidInput(f"A source's tier is 1 (strongest) to 4 (weakest), not {tier}.", field="tier")
    return tier
