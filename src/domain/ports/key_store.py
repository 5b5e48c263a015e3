"""The secrets of organizations and sources."""

from __future__ import annotations

from typing import Protocol

from domain.identity.ids import OrganizationId, SourceId

KEY_BYTES = 32
"""Bytes of every key."""


class KeyStore(Protocol):
    """Makes keys on first use and keeps them. Callers in several processes get the same key.

    Every method raises Unavailable when the store does not answer, StorageFull when a new key cannot be kept.
    """

    async def organization_key(self, organization_id: OrganizationId) -> bytes:
        """The organization's HMAC key (32 bytes), made on first use."""
        ...

    async def source_key(self, organization_id: OrganizationId, source_id: SourceId) -> tuple[str, bytes]:
        """The id and the bytes (32) of the source's present data key, made on first use and after ``destroy``.

        The id goes into the record; it stays valid for ``key`` until that key is destroyed.
        """
        ...

    async def key(self, key_id: str) -> bytes:
        """The data key with this id. Raises NotFound when it never existed or was destroyed."""
        ...

    async def signing_keys(self, organization_id: OrganizationId) -> list[tuple[str, bytes]]:
        """The organization's signing keys (ids and 32-byte seeds), oldest first; the last one signs.

        The first is made on first use.
        """
        ...

    async def rotate_signing_key(self, organization_id: OrganizationId) -> str:
        """Make a new signing key, which signs from now on; the others stay known. Returns its id."""
        ...

    async def destroy(self, key_id: str) -> None:
        """Destroy a data key, so that nothing sealed with it can ever be read again. Idempotent, not reversible.

        Raises NotFound when the id never existed.
        """
        ...
