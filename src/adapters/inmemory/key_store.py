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

    async def destroy(self, key_id: str) -> None:
        """Forget the key; raises NotFound when it never existed."""
        if key_id not in self._keys:
            raise NotFound(f"There is no data key {shown(key_id)}.", field="key_id")
        self._keys[key_id] = None
