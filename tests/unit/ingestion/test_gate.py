from __future__ import annotations

from itertools import product

import pytest

from domain.errors import InvalidInput
from domain.identity.principal import PrincipalKind, Role
from domain.ingestion.gate import (
    DEFAULT_TIERS,
    AssertionGate,
    DocumentGate,
    GatePolicy,
    SourceKind,
    capped_confidence,
    gate_assertion,
    gate_document,
)

BY_TIER, ALWAYS = GatePolicy.BY_TIER, GatePolicy.ALWAYS
HUMAN, AGENT, SYSTEM = PrincipalKind
VIEWER, MEMBER, CURATOR, ADMIN, OWNER = Role


@pytest.mark.parametrize(
    ("kind", "role", "gates"),
    [
        (HUMAN, MEMBER, ["live", "live", "extract_pending", "propose"]),
        (HUMAN, CURATOR, ["live", "live", "live", "live"]),
        (HUMAN, OWNER, ["live", "live", "live", "live"]),
        (SYSTEM, MEMBER, ["live", "live", "extract_pending", "propose"]),
        (SYSTEM, ADMIN, ["live", "live", "extract_pending", "propose"]),
        (AGENT, MEMBER, ["propose"] * 4),
        (AGENT, OWNER, ["propose"] * 4),
    ],
)
def test_documents_by_tier(kind: PrincipalKind, role: Role, gates: list[str]) -> None:
    assert [gate_document(BY_TIER, tier, kind, role).value for tier in (1, 2, 3, 4)] == gates


@pytest.mark.parametrize(
    ("kind", "role", "gates"),
    [
        (HUMAN, VIEWER, ["pending"] * 4),
        (HUMAN, MEMBER, ["pending"] * 4),
        (HUMAN, CURATOR, ["live"] * 4),
        (AGENT, MEMBER, ["pending"] * 4),
        (AGENT, CURATOR, ["live", "live", "pending", "pending"]),
        (AGENT, OWNER, ["live", "live", "pending", "pending"]),
        (SYSTEM, MEMBER, ["live", "live", "pending", "pending"]),
    ],
)
def test_assertions_by_tier(kind: PrincipalKind, role: Role, gates: list[str]) -> None:
    assert [gate_assertion(BY_TIER, tier, kind, role).value for tier in (1, 2, 3, 4)] == gates


def test_under_always_everything_waits() -> None:
    for tier, kind, role in product((1, 2, 3, 4), PrincipalKind, Role):
        assert gate_document(ALWAYS, tier, kind, role) is DocumentGate.PROPOSE
        assert gate_assertion(ALWAYS, tier, kind, role) is AssertionGate.PENDING


@pytest.mark.parametrize("tier", [0, 5, -1])
def test_another_tier_is_refused(tier: int) -> None:
    for gate in (gate_document, gate_assertion):
        with pytest.raises(InvalidInput) as refusal:
            gate(BY_TIER, tier, HUMAN, MEMBER)
        assert refusal.value.field == "tier"


def test_every_kind_of_source_has_a_default_tier() -> None:
    assert {kind.value: tier for kind, tier in DEFAULT_TIERS.items()} == {
        "connector": 2, "record_export": 2, "upload": 2, "folder": 2, "person": 2,
        "api": 3, "conversation": 3, "research": 4, "agent": 4,
    }  # fmt: skip
    assert set(DEFAULT_TIERS) == set(SourceKind)


def test_an_agent_counts_for_a_half_at_most() -> None:
    assert capped_confidence(AGENT, 0.9) == 0.5
    assert capped_confidence(AGENT, 0.3) == 0.3
    assert capped_confidence(HUMAN, 0.9) == 0.9
