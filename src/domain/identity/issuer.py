"""An identity provider whose tokens are believed here, and what they mean here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from domain.identity.grants import Grant
from domain.identity.ids import OrganizationId
from domain.identity.principal import PrincipalKind, Role
from domain.identity.resource import Resource

ASYMMETRIC = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519"})
SYMMETRIC = frozenset({"HS256", "HS384", "HS512"})
"""Algorithms by family: an issuer has those of one family only, so that no public key can be taken for a secret."""


@dataclass(frozen=True, slots=True)
class MembershipRule:
    """Who gets which role where: whose ``claim`` is or holds ``value``; no value is any, no claim is everybody.

    ``kind`` narrows it to people or to agents.
    """

    scope: str
    role: Role
    claim: str | None = None
    value: str | None = None
    kind: PrincipalKind | None = None


@dataclass(frozen=True, slots=True)
class Issuer:
    """One provider. ``audiences`` say which resource of ours a token's audience is."""

    url: str
    audiences: Mapping[str, Resource]
    algorithms: tuple[str, ...]
    organization_id: OrganizationId | None = None
    organization_claim: str | None = None
    organizations: Mapping[str, OrganizationId] = field(default_factory=dict)
    name_claim: str = "name"
    machine_claim: str | None = None
    machine_value: str | None = None
    memberships: tuple[MembershipRule, ...] = ()
    default_grants: frozenset[Grant] = frozenset({Grant.READ})
    skew_seconds: int = 30
    provision: bool = True
