"""What verifies keys, tokens and sessions, and forgets what changed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import asyncpg

from adapters.postgres.api_keys import PostgresApiKeys
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.postgres.subjects import PostgresSubjects
from adapters.system.clock import SystemClock
from application.identity.access import AccessResolver
from application.identity.admit_subject import AdmitSubject
from application.identity.browser_sign_in import BrowserSignIn, Lifetimes, Provider
from application.identity.verify_token import AnyToken, ProviderTokens
from domain.errors import InvalidInput
from domain.identity.ids import OrganizationId
from domain.identity.issuer import Issuer, MembershipRule
from domain.identity.principal import PrincipalKind
from domain.identity.resource import Resource
from domain.ports.access_tokens import AccessTokens
from domain.ports.ids import Ids
from domain.ports.subjects import Subjects
from domain.ports.unit_of_work import UnitOfWork
from entrypoints.protected_resources import address_of
from entrypoints.sections.identity import IdentitySettings, IssuerSettings
from entrypoints.settings import Settings, SettingsInvalid

if TYPE_CHECKING:
    import httpx

    from adapters.oidc.discovery import Discovery
    from adapters.oidc.signing_keys import SigningKeys


@dataclass(frozen=True, slots=True)
class SigningIn:
    """Who verifies, who resolves scopes, and who admits the subjects of providers."""

    verifier: AnyToken
    resolver: AccessResolver
    subjects: Subjects
    browser_sign_in: BrowserSignIn

    def forget(self, organization_id: OrganizationId | None) -> None:
        """Forget what is remembered of an organization; None is everything."""
        self.verifier.forget(organization_id)
        self.resolver.forget(organization_id)


def signing_in(
    settings: Settings, pool: asyncpg.Pool, unit_of_work: UnitOfWork, ids: Ids, stack: AsyncExitStack
) -> SigningIn:
    """Raises SettingsInvalid for a static key that cannot be used."""
    resolver, keys, subjects = AccessResolver(PostgresScopeFinder(pool)), PostgresApiKeys(pool), PostgresSubjects(pool)
    admit = AdmitSubject(subjects, unit_of_work, resolver, ids)
    issuers, identity = issuers_of(settings), settings.identity
    tokens, provider = _provider(identity, issuers, stack) if issuers else (None, None)
    provider_tokens = None if tokens is None else ProviderTokens(tokens, admit)
    lifetimes = Lifetimes(timedelta(seconds=identity.session_idle_seconds), timedelta(seconds=identity.session_seconds))
    browsers = BrowserSignIn(provider, admit, unit_of_work, SystemClock(), ids, lifetimes)
    return SigningIn(AnyToken(keys, provider_tokens), resolver, subjects, browsers)


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


def _provider(
    identity: IdentitySettings, issuers: Mapping[str, Issuer], stack: AsyncExitStack
) -> tuple[AccessTokens, Provider]:
    # They take a twentieth of a second: only those who use them pay.
    from adapters.oidc.access_tokens import OidcAccessTokens, Trusted
    from adapters.oidc.discovery import Discovery
    from adapters.oidc.fetching import client
    from adapters.oidc.login import LoginClient, OidcLogin
    from adapters.oidc.seal import JweSeal

    http = client()
    stack.push_async_callback(http.aclose)
    trusted: dict[str, Trusted] = {}
    clients: dict[str, LoginClient] = {}
    for item in identity.issuers:
        discovery = Discovery(item.issuer, http)
        trusted[item.issuer] = Trusted(issuers[item.issuer], signing_keys(item, discovery, http))
        if item.client_id is not None:
            secret = None if item.client_secret is None else item.client_secret.get_secret_value()
            clients[item.issuer] = LoginClient(
                trusted[item.issuer], discovery, item.label or item.issuer, item.client_id, secret, item.scopes
            )
    seal = JweSeal([client.client_secret for client in clients.values() if client.client_secret])
    return OidcAccessTokens(trusted), Provider(OidcLogin(clients, http), seal)


def signing_keys(item: IssuerSettings, discovery: Discovery, http: httpx.AsyncClient) -> SigningKeys:
    """The static key of the settings, else what the issuer publishes. Raises SettingsInvalid."""
    from adapters.oidc.signing_keys import PublishedKeys, StaticKey, static_key

    async def address() -> str:
        return item.jwks_url or (await discovery.metadata()).keys

    if item.key is None:
        return PublishedKeys(address, http)
    try:
        return StaticKey(static_key(item.key.get_secret_value(), item.algorithms))
    except InvalidInput as error:
        raise SettingsInvalid(f"ASSAY_IDENTITY__ISSUERS: {item.issuer}: {error.message}") from error
