"""Keys in process memory, for tests and trials."""

from __future__ import annotations

import secrets

from domain.errors import NotFound, shown
from domain.identity.ids import OrganizationId, SourceId
from domain.ports.key_store import KEY_BYTES


class InMemoryKeyStore:
    """Forgets every key when the process ends, and with them whatever they sealed."""

    def __init__(self) -> None:
        self._organizations: dict[OrganizationId, bytes] = {}
        self._present: dict[tuple[OrganizationId, SourceId], str] = {}
        self._keys: dict[str, bytes | None] = {}
        self._signing: dict[OrganizationId, list[tuple[str, bytes]]] = {}

    async def organization_key(self, organization_id: OrganizationId) -> bytes:
        """The organization's HMAC key."""
        return self._organizations.setdefault(organization_id, secrets.token_bytes(KEY_BYTES))

    async def source_key(self, organization_id: OrganizationId, source_id: SourceId) -> tuple[str, bytes]:
        """The source's present data key."""
        key_id = self._present.get((organization_id, source_id), "")
        key = self._keys.get(key_id)
        if key is None:
            key_id, key = f"k{len(self._keys)}", secrets.token_bytes(KEY_BYTES)
            self._keys[key_id] = key
            self._present[organization_id, source_id] = key_id
        return key_id, key

    async def key(self, key_id: str) -> bytes:
        """The key with this id; raises NotFound."""
        key = self._keys.get(key_id)
        if key is None:
            raise NotFound(f"There is no data key {shown(key_id)}: it never existed or was destroyed.", field="key_id")
        return key

    async def signing_keys(self, organization_id: OrganizationId) -> list[tuple[str, bytes]]:
        """The organization's signing keys, oldest first."""
        if organization_id not in self._signing:
            await self.rotate_signing_key(organization_id)
        return list(self._signing[organization_id])

    async def rotate_signing_key(self, organization_id: OrganizationId) -> str:
        """Make a new signing key."""
        keys = self._signing.setdefault(organization_id, [])
        key_id = f"{organization_id.hex}_signing_{len(keys) + 1}"
        keys.append((key_id, secrets.token_bytes(KEY_BYTES)))
        return key_id

    async def destroy(self, key_id: str) -> None:
        """Forget the key; raises NotFound when it never existed."""
        if key_id not in self._keys:
            raise NotFound(f"There is no data key {shown(key_id)}.", field="key_id")
        self._keys[key_id] = None
