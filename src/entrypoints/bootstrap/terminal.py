"""Signing in from a terminal, which needs the settings and no database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from domain.ports.provider_login import ProviderLogin
from domain.ports.token_verifier import Resource
from entrypoints.bootstrap.signing_in import issuers_of, signing_keys
from entrypoints.protected_resources import address_of
from entrypoints.settings import Settings


@asynccontextmanager
async def terminal_login(settings: Settings) -> AsyncIterator[ProviderLogin]:
    """The issuers that the command line is a client of; their tokens are for the API."""
    from adapters.oidc.access_tokens import Trusted
    from adapters.oidc.discovery import Discovery
    from adapters.oidc.fetching import client
    from adapters.oidc.login import LoginClient, OidcLogin

    issuers, base = issuers_of(settings), settings.api.public_url or ""
    async with client() as http:
        clients = {}
        for item in settings.identity.issuers:
            if item.command_line_client_id is not None:
                discovery = Discovery(item.issuer, http)
                clients[item.issuer] = LoginClient(
                    trusted=Trusted(issuers[item.issuer], signing_keys(item, discovery, http)),
                    discovery=discovery,
                    label=item.label or item.issuer,
                    client_id=item.command_line_client_id,
                    client_secret=None,
                    scopes=item.command_line_scopes,
                    resource=address_of(base, Resource.API),
                )
        yield OidcLogin(clients, http)
