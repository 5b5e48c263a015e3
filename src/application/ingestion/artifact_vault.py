"""Keeping the raw bytes of what was submitted."""

from __future__ import annotations

import asyncio

from domain.erasure.targets import content_fingerprint, record_fingerprint
from domain.errors import ArtifactAltered, ContentErased, shown
from domain.identity.ids import GroupId, OrganizationId, SourceId
from domain.ingestion.artifacts import StoredArtifact, content_hash, object_key
from domain.ports.artifact_cipher import ArtifactCipher
from domain.ports.budgets import Budgets
from domain.ports.key_store import KeyStore
from domain.ports.object_store import ObjectStore


class ArtifactVault:
    """Seals artifacts under their source's data key, and proves on reading that they are what was stored."""

    def __init__(
        self, objects: ObjectStore, keys: KeyStore, cipher: ArtifactCipher, budgets: Budgets | None = None
    ) -> None:
        self._budgets = budgets
        self._objects = objects
        self._keys = keys
        self._cipher = cipher

    async def store(
        self, organization_id: OrganizationId, group_id: GroupId, source_id: SourceId, data: bytes
    ) -> StoredArtifact:
        """Seal and keep ``data``. Idempotent: the same content in the same place is written over, and so repaired.

        Raises StorageBudgetExhausted, StorageFull or Unavailable; then nothing is kept.
        """
        if self._budgets is not None:
            await self._budgets.require_room(organization_id, group_id, len(data))
        digest = await asyncio.to_thread(content_hash, data)
        place = object_key(organization_id, group_id, source_id, digest)
        key_id, key = await self._keys.source_key(organization_id, source_id)
        sealed = await asyncio.to_thread(self._cipher.seal, key, data, place.encode("ascii"))
        await self._objects.put(place, sealed)
        return StoredArtifact(content_hash=digest, object_key=place, key_id=key_id, size=len(data))

    async def fingerprints(
        self,
        organization_id: OrganizationId,
        group_id: GroupId,
        source_id: SourceId,
        record_key: str,
        data: bytes | None = None,
    ) -> list[bytes]:
        """What a record of a scope, and a content, would be known by if they had been erased. Raises Unavailable."""
        key = await self._keys.organization_key(organization_id)
        found = [record_fingerprint(key, group_id, source_id, record_key)]
        if data is not None:
            found.append(content_fingerprint(key, await asyncio.to_thread(content_hash, data)))
        return found

    async def load(self, object_key: str, key_id: str, content_hash: str) -> bytes:
        """The bytes that were stored.

        Raises ArtifactMissing (no object), ArtifactAltered (other bytes than were stored), NotFound (the key was
        destroyed: the content is erased), ContentErased (nothing is left but the text, without names) or Unavailable.
        """
        if not object_key:
            raise ContentErased("the bytes were erased: names that they had are blacked out in what is left of them")
        key = await self._keys.key(key_id)
        sealed = await self._objects.get(object_key)
        return await asyncio.to_thread(self._opened, key, sealed, object_key, content_hash)

    def _opened(self, key: bytes, sealed: bytes, place: str, expected: str) -> bytes:
        try:
            data = self._cipher.open(key, sealed, place.encode("ascii"))
        except ArtifactAltered as error:
            raise ArtifactAltered(f"The artifact under {shown(place)} cannot be trusted. {error.message}") from error
        found = content_hash(data)
        if found != expected:
            raise ArtifactAltered(
                f"The artifact under {shown(place)} has the hash {found}, but the record says {shown(expected)}. "
                "Restore the object from a backup, or submit the document again."
            )
        return data
