"""From the verified claims of a token to who that is here: pure rules, set by the issuer's configuration."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from domain.errors import InvalidInput, NotAuthenticated, shown
from domain.identity.grants import Grant, grants_in
from domain.identity.ids import OrganizationId
from domain.identity.issuer import Issuer, MembershipRule
from domain.identity.principal import PrincipalKind, Role
from domain.identity.resource import Resource

Claims: TypeAlias = Mapping[str, Any]
LONGEST_SUBJECT = 255
"""Characters of a subject, by OpenID Connect."""
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a token speaks of. ``subject`` is unique in the organization: the issuer, ``#``, and its subject.

    ``name`` is None where no claim gives one. ``memberships`` are roles by the path of a scope. ``connection`` is the
    client that the token was given to.
    """

    organization_id: OrganizationId
    subject: str
    kind: PrincipalKind
    name: str | None
    memberships: Mapping[str, Role]
    connection: str

    @property
    def shown_name(self) -> str:
        """The name, else the subject."""
        return self.name or self.subject.rpartition("#")[2][:LONGEST_NAME]

    @property
    def digest(self) -> bytes:
        """What the claims give, in 32 bytes: the same digest gives the same."""
        content = [self.name, sorted((scope, role.value) for scope, role in self.memberships.items())]
        return hashlib.sha256(json.dumps(content).encode()).digest()


def identity_of(issuer: Issuer, claims: Claims) -> Identity:
    """Who the claims speak of. Raises NotAuthenticated where they name no usable subject or no organization."""
    subject = claims.get("sub")
    if not isinstance(subject, str) or not usable_subject(subject):
        raise NotAuthenticated("the token names no usable subject; ask the identity provider's administrator")
    kind = PrincipalKind.AGENT if is_machine(issuer, claims) else PrincipalKind.HUMAN
    return Identity(
        organization_id=_organization(issuer, claims),
        subject=f"{issuer.url}#{subject}",
        kind=kind,
        name=_name(issuer, claims),
        memberships=memberships_by_claims(issuer.memberships, claims, kind),
        connection=f"token {_client(claims) or subject}"[:LONGEST_NAME],
    )


def subject_of(issuer: str, subject: str) -> str:
    """How a principal keeps whom a provider means by a subject. Raises InvalidInput for what no provider would say."""
    if not usable_subject(subject) or "#" in issuer or not issuer.startswith(("https://", "http://")):
        raise InvalidInput(
            f"{shown(subject)} of {shown(issuer)} is no account at an identity provider; give its address and 'sub'",
            field="subject",
        )
    return f"{issuer}#{subject}"


def usable_subject(subject: str) -> bool:
    """Whether a subject can be one: 1 to 255 printable characters."""
    return 1 <= len(subject) <= LONGEST_SUBJECT and subject.isprintable()


def is_machine(issuer: Issuer, claims: Claims) -> bool:
    """Whether a program got the token for itself: by the issuer's own mark, else where the subject is the client."""
    if issuer.machine_claim is not None:
        return _holds(claims, issuer.machine_claim, issuer.machine_value)
    client = _client(claims)
    return client is not None and claims.get("sub") in {client, f"{client}@clients"}


def memberships_by_claims(rules: tuple[MembershipRule, ...], claims: Claims, kind: PrincipalKind) -> dict[str, Role]:
    """The greatest role that the rules give in each scope."""
    given: dict[str, Role] = {}
    for rule in rules:
        if rule.kind not in (None, kind) or (rule.claim is not None and not _holds(claims, rule.claim, rule.value)):
            continue
        if rule.scope not in given or not given[rule.scope].at_least(rule.role):
            given[rule.scope] = rule.role
    return given


def grants_of(issuer: Issuer, claims: Claims) -> frozenset[Grant]:
    """What the token may do at most: the scopes of ours that it names, else what the issuer's tokens get."""
    words = [word for name in ("scope", "scp") for text in _words(claims.get(name)) for word in text.split()]
    return grants_in(words) or issuer.default_grants


def resources_of(issuer: Issuer, claims: Claims) -> frozenset[Resource]:
    """The resources that the token was made for."""
    return frozenset(issuer.audiences[word] for word in _words(claims.get("aud")) if word in issuer.audiences)


def _organization(issuer: Issuer, claims: Claims) -> OrganizationId:
    if issuer.organization_id is not None:
        return issuer.organization_id
    named = _words(claim_of(claims, issuer.organization_claim or ""))
    found = {issuer.organizations[word] for word in named if word in issuer.organizations}
    if len(found) != 1:
        raise NotAuthenticated("the token names no organization that its issuer vouches for; ask your administrator")
    return found.pop()


def _name(issuer: Issuer, claims: Claims) -> str | None:
    """What people see: nothing in it that a page or a terminal obeys, cut where it is too long."""
    for claim in (issuer.name_claim, "preferred_username", "email"):
        for text in _words(claim_of(claims, claim))[:1]:
            name = "".join(char for char in text if char.isprintable()).strip()[:LONGEST_NAME].strip()
            if name:
                return name
    return None


def _client(claims: Claims) -> str | None:
    for claim in ("client_id", "azp"):
        if isinstance(claims.get(claim), str):
            return str(claims[claim])
    return None


def claim_of(claims: Claims, path: str) -> object:
    """A claim by its name, else by a path of names between dots, such as ``realm_access.roles``; None where none is."""
    if path in claims:
        return claims[path]
    found: object = claims
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _holds(claims: Claims, path: str, value: str | None) -> bool:
    found = claim_of(claims, path)
    return bool(found) if value is None else value in _words(found)


def _words(value: object) -> list[str]:
    values = value if isinstance(value, list | tuple) else [value]
    return [item for item in values if isinstance(item, str)]
