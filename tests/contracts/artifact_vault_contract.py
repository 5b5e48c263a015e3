"""What the artifact vault does, whatever stores it is built on."""

from __future__ import annotations

from uuid import UUID

import pytest

from adapters.system.artifact_cipher import AesGcmArtifactCipher
from application.ingestion.artifact_vault import ArtifactVault
from domain.errors import ArtifactAltered, ArtifactMissing, NotFound
from domain.identity.ids import GroupId, OrganizationId, SourceId
from domain.ports.key_store import KeyStore
from domain.ports.object_store import ObjectStore

ACME = OrganizationId(UUID(int=1))
WIKI = SourceId(UUID(int=10))
TEAM = GroupId("w_" + "0" * 31 + "1")
OTHER_TEAM = GroupId("w_" + "0" * 31 + "2")
DATA = "Lương của An là 50000.".encode()


class ArtifactVaultContract:
    """Subclass it and override ``objects`` and ``keys`` with empty stores."""

    @pytest.fixture
    def objects(self) -> ObjectStore:
        raise NotImplementedError

    @pytest.fixture
    def keys(self) -> KeyStore:
        raise NotImplementedError

    @pytest.fixture
    def vault(self, objects: ObjectStore, keys: KeyStore) -> ArtifactVault:
        return ArtifactVault(objects, keys, AesGcmArtifactCipher())

    async def test_what_is_stored_is_loaded(self, vault: ArtifactVault) -> None:
        stored = await vault.store(ACME, TEAM, WIKI, DATA)
        assert stored.size == len(DATA)
        assert await vault.load(stored.object_key, stored.key_id, stored.content_hash) == DATA

    async def test_the_store_never_holds_the_content_in_the_clear(
        self, vault: ArtifactVault, objects: ObjectStore
    ) -> None:
        stored = await vault.store(ACME, TEAM, WIKI, DATA)
        assert b"50000" not in await objects.get(stored.object_key)

    async def test_storing_again_gives_the_same_artifact_and_repairs_a_damaged_one(
        self, vault: ArtifactVault, objects: ObjectStore
    ) -> None:
        stored = await vault.store(ACME, TEAM, WIKI, DATA)
        await objects.put(stored.object_key, b"damaged")
        assert await vault.store(ACME, TEAM, WIKI, DATA) == stored
        assert await vault.load(stored.object_key, stored.key_id, stored.content_hash) == DATA

    async def test_equal_content_in_two_scopes_is_two_objects(self, vault: ArtifactVault) -> None:
        first = await vault.store(ACME, TEAM, WIKI, DATA)
        second = await vault.store(ACME, OTHER_TEAM, WIKI, DATA)
        assert first.content_hash == second.content_hash
        assert first.object_key != second.object_key

    async def test_a_missing_artifact_is_reported(self, vault: ArtifactVault, objects: ObjectStore) -> None:
        stored = await vault.store(ACME, TEAM, WIKI, DATA)
        await objects.delete(stored.object_key)
        with pytest.raises(ArtifactMissing):
            await vault.load(stored.object_key, stored.key_id, stored.content_hash)

    async def test_an_altered_artifact_is_reported(self, vault: ArtifactVault, objects: ObjectStore) -> None:
        stored = await vault.store(ACME, TEAM, WIKI, DATA)
        sealed = await objects.get(stored.object_key)
        for altered in (sealed[:-1] + bytes([sealed[-1] ^ 1]), sealed[:20], b"", DATA):
            await objects.put(stored.object_key, altered)
            with pytest.raises(ArtifactAltered):
                await vault.load(stored.object_key, stored.key_id, stored.content_hash)

    async def test_an_artifact_moved_to_another_place_is_reported(
        self, vault: ArtifactVault, objects: ObjectStore
    ) -> None:
        mine = await vault.store(ACME, TEAM, WIKI, DATA)
        theirs = await vault.store(ACME, TEAM, WIKI, b"something else")
        await objects.put(mine.object_key, await objects.get(theirs.object_key))
        with pytest.raises(ArtifactAltered):
            await vault.load(mine.object_key, mine.key_id, mine.content_hash)

    async def test_a_record_with_another_hash_is_reported(self, vault: ArtifactVault) -> None:
        stored = await vault.store(ACME, TEAM, WIKI, DATA)
        with pytest.raises(ArtifactAltered, match="but the record says"):
            await vault.load(stored.object_key, stored.key_id, "0" * 64)

    async def test_after_its_key_is_destroyed_an_artifact_cannot_be_read(
        self, vault: ArtifactVault, keys: KeyStore
    ) -> None:
        stored = await vault.store(ACME, TEAM, WIKI, DATA)
        await keys.destroy(stored.key_id)
        with pytest.raises(NotFound):
            await vault.load(stored.object_key, stored.key_id, stored.content_hash)
