"""Who may sign in with what another system says of them."""

from __future__ import annotations

import json
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import BeforeValidator, Field, SecretStr, model_validator
from pydantic_settings import NoDecode

from domain.errors import InvalidInput
from domain.identity.grants import Grant
from domain.identity.issuer import ASYMMETRIC, SYMMETRIC
from domain.identity.principal import Role
from domain.identity.scope_name import ScopeName
from entrypoints.sections.values import Seconds, Section, SecureUrl


def _json_list(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        found = json.loads(value)
    except ValueError:
        found = None
    if not isinstance(found, list):
        raise ValueError('this is no list in JSON; write [{"issuer": "https://…", …}]')
    return found


class MembershipSettings(Section):
    """A role in a scope for whose claim is or holds the value; without a claim for everybody."""

    scope: str
    role: Role
    claim: str | None = None
    value: str | None = None
    kind: Literal["human", "agent"] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.value is not None and self.claim is None:
            raise ValueError("a value needs a claim")
        try:
            ScopeName.parse(self.scope)
        except InvalidInput as error:
            raise ValueError(error.message) from error
        if self.scope == "personal":
            raise ValueError("a personal scope has one member for good")
        return self


class IssuerSettings(Section):
    """One identity provider; docs/signing-in.md says what each field does."""

    issuer: SecureUrl
    label: str | None = None
    organization: UUID | None = None
    organization_claim: str | None = None
    organizations: dict[str, UUID] = Field(default_factory=dict)
    audiences: tuple[str, ...] = ()
    mcp_audiences: tuple[str, ...] = ()
    client_id: str | None = None
    client_secret: SecretStr | None = None
    command_line_client_id: str | None = None
    command_line_scopes: tuple[str, ...] = ("openid", "offline_access", *(grant.value for grant in Grant))
    scopes: tuple[str, ...] = ("openid", "profile", "email")
    jwks_url: SecureUrl | None = None
    key: SecretStr | None = None
    algorithms: tuple[str, ...] = ("RS256", "ES256")
    skew_seconds: Annotated[int, Field(ge=0, le=300)] = 30
    provision: bool = True
    name_claim: str = "name"
    machine_claim: str | None = None
    machine_value: str | None = None
    memberships: tuple[MembershipSettings, ...] = ()
    default_grants: tuple[Grant, ...] = (Grant.READ,)

    @model_validator(mode="after")
    def _check(self) -> Self:
        families = [bool(ASYMMETRIC.intersection(self.algorithms)), bool(SYMMETRIC.intersection(self.algorithms))]
        unknown = set(self.algorithms) - ASYMMETRIC - SYMMETRIC
        if unknown or not self.algorithms:
            raise ValueError(f"algorithms: choose among {', '.join(sorted(ASYMMETRIC | SYMMETRIC))}")
        if all(families):
            raise ValueError("algorithms: signatures and HMAC do not go together; choose one family")
        if families[1] and self.key is None:
            raise ValueError("algorithms: HMAC needs a static key")
        if self.key is not None and self.jwks_url is not None:
            raise ValueError("key and jwks_url do not go together; leave one out")
        if (self.organization is None) == (self.organization_claim is None):
            raise ValueError("name either organization or organization_claim")
        if self.organization_claim is not None and not self.organizations:
            raise ValueError("organization_claim needs organizations: a map from its values to ids")
        return self


class IdentitySettings(Section):
    """Identity providers (OpenID Connect), and how long a browser's session lasts unused and at most."""

    issuers: Annotated[tuple[IssuerSettings, ...], NoDecode, BeforeValidator(_json_list)] = ()
    session_idle_seconds: Seconds = 3_600.0
    session_seconds: Seconds = 43_200.0

    @model_validator(mode="after")
    def _check(self) -> Self:
        if len({item.issuer for item in self.issuers}) < len(self.issuers):
            raise ValueError("an issuer is there twice; leave one out")
        return self
