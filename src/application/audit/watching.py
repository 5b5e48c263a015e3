"""Sign-in that is noted in the visit of its request."""

from __future__ import annotations

from application.audit.visit import note_credential, note_refused
from domain.ports.token_verifier import Credential, CredentialRefused, TokenVerifier


class WatchedVerifier:
    """Implements ``TokenVerifier`` by another one."""

    def __init__(self, inner: TokenVerifier) -> None:
        self._inner = inner

    async def verify(self, token: str) -> Credential:
        try:
            credential = await self._inner.verify(token)
        except CredentialRefused as error:
            note_refused(error.credential)
            raise
        note_credential(credential)
        return credential
