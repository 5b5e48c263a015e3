"""What verifies keys, tokens and sessions, and forgets what changed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

import asyncpg

from adapters.postgres.api_keys import PostgresApiKeys
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.postgres.subjects import PostgresSubjects
from application.identity.access import AccessResolver
from application.identity.admit_subject import AdmitSubject
from application.identity.verify_token import AnyToken, ProviderTokens
from domain.errors import InvalidInput
from domain.identity.ids import OrganizationId
from domain.identity.issuer import Issuer, MembershipRule
from domain.identity.principal import PrincipalKind
from domain.identity.resource import Resource
from domain.ports.access_tokens import AccessTokens
from domain.ports.ids import Ids
from domain.ports.token_verifier import TokenVerifier
from domain.ports.unit_of_work import UnitOfWork
from entrypoints.protected_resources import address_of
from entrypoints.sections.identity import IssuerSettings
from entrypoints.settings import Settings, SettingsInvalid


@dataclass(frozen=True, slots=True)
class SigningIn:
    """Who verifies, who resolves scopes, and who admits the subjects of providers."""

    verifier: TokenVerifier
    resolver: AccessResolver
    admit: AdmitSubject
    keys: PostgresApiKeys
    provider_tokens: ProviderTokens | None

    def forget(self, organization_id: OrganizationId | None) -> None:
        """Forget what is remembered of an organization; None is everything."""
        self.keys.forget(organization_id)
        self.resolver.forget(organization_id)
        if self.provider_tokens is not None:
            self.provider_tokens.forget(organization_id)


def signing_in(
    settings: Settings, pool: asyncpg.Pool, unit_of_work: UnitOfWork, ids: Ids, stack: AsyncExitStack
) -> SigningIn:
    """Raises SettingsInvalid for a static key that cannot be used."""
    resolver, keys = AccessResolver(PostgresScopeFinder(pool)), PostgresApiKeys(pool)
    admit = AdmitSubject(PostgresSubjects(pool), unit_of_work, resolver, ids)
    issuers = issuers_of(settings)
    tokens = ProviderTokens(_access_tokens(settings, issuers, stack), admit) if issuers else None
    return SigningIn(AnyToken(keys, tokens), resolver, admit, keys, tokens)


def issuers_of(settings: Settings) -> Mapping[str, Issuer]:
    """The issuers that the settings name, by their address."""
    base = settings.api.public_url
    if base is None:
        return {}
    return {item.issuer: _issuer(item, base) for item in settings.identity.issuers}


def _issuer(item: IssuerSettings, base: str) -> Issuer:
    audiences: dict[Resource, tuple[str, ...]] = {resource: (address_of(base, resource),) for resource in Resource}
    audiences[Resource.API] += item.audiences
    audiences[Resource.MCP] += item.mcp_audiences
    return Issuer(
        url=item.issuer,
        audiences={name: resource for resource, names in audiences.items() for name in names},
        algorithms=item.algorithms,
        organization_id=None if item.organization is None else OrganizationId(item.organization),
        organization_claim=item.organization_claim,
        organizations={value: OrganizationId(id_) for value, id_ in item.organizations.items()},
        name_claim=item.name_claim,
        machine_claim=item.machine_claim,
        machine_value=item.machine_value,
        memberships=tuple(
            MembershipRule(m.scope, m.role, m.claim, m.value, None if m.kind is None else PrincipalKind(m.kind))
            for m in item.memberships
        ),
        default_grants=frozenset(item.default_grants),
        skew_seconds=item.skew_seconds,
        provision=item.provision,
    )


def _access_tokens(settings: Settings, issuers: Mapping[str, Issuer], stack: AsyncExitStack) -> AccessTokens:
    # They take a twentieth of a second: only those who use them pay.
    from adapters.oidc.access_tokens import OidcAccessTokens, Trusted
    from adapters.oidc.discovery import Discovery
    from adapters.oidc.fetching import client
    from adapters.oidc.signing_keys import PublishedKeys, SigningKeys, StaticKey, static_key

    http = client()
    stack.push_async_callback(http.aclose)

    def keys(item: IssuerSettings) -> SigningKeys:
        if item.key is not None:
            try:
                return StaticKey(static_key(item.key.get_secret_value(), item.algorithms))
            except InvalidInput as error:
                raise SettingsInvalid(f"ASSAY_IDENTITY__ISSUERS: {item.issuer}: {error.message}") from error
        discovery, fixed = Discovery(item.issuer, http), item.jwks_url

        async def address() -> str:
            return fixed or (await discovery.metadata()).keys

        return PublishedKeys(address, http)

    return OidcAccessTokens(
        {item.issuer: Trusted(issuers[item.issuer], keys(item)) for item in settings.identity.issuers}
    )
