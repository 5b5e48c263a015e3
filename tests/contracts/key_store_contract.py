"""What every key store does."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest

from domain.errors import NotFound
from domain.identity.ids import OrganizationId, SourceId
from domain.ports.key_store import KeyStore

ACME = OrganizationId(UUID(int=1))
GLOBEX = OrganizationId(UUID(int=2))
WIKI = SourceId(UUID(int=10))
CHAT = SourceId(UUID(int=11))


class KeyStoreContract:
    """Subclass it and override ``store`` with an empty store."""

    @pytest.fixture
    def store(self) -> KeyStore:
        raise NotImplementedError

    async def test_an_organization_keeps_its_key_and_shares_it_with_nobody(self, store: KeyStore) -> None:
        key = await store.organization_key(ACME)
        assert len(key) == 32
        assert await store.organization_key(ACME) == key
        assert await store.organization_key(GLOBEX) != key

    async def test_an_organization_signs_with_its_newest_key_and_the_others_stay_known(self, store: KeyStore) -> None:
        ((first, seed),) = await store.signing_keys(ACME)
        assert len(seed) == 32
        second = await store.rotate_signing_key(ACME)
        assert [key_id for key_id, _ in await store.signing_keys(ACME)] == [first, second]
        assert (await store.signing_keys(ACME))[0] == (first, seed)
        assert (await store.signing_keys(ACME))[1][1] != seed
        assert {first, second}.isdisjoint(key_id for key_id, _ in await store.signing_keys(GLOBEX))

    async def test_a_source_keeps_its_key_and_finds_it_by_id(self, store: KeyStore) -> None:
        key_id, key = await store.source_key(ACME, WIKI)
        assert len(key) == 32
        assert await store.source_key(ACME, WIKI) == (key_id, key)
        assert await store.key(key_id) == key

    async def test_keys_differ_by_source_and_by_organization(self, store: KeyStore) -> None:
        pairs = [await store.source_key(*of) for of in ((ACME, WIKI), (ACME, CHAT), (GLOBEX, WIKI))]
        assert len({key_id for key_id, _ in pairs}) == 3
        assert len({key for _, key in pairs}) == 3

    async def test_a_destroyed_key_is_gone_and_the_source_gets_a_new_one(self, store: KeyStore) -> None:
        key_id, key = await store.source_key(ACME, WIKI)
        await store.destroy(key_id)
        await store.destroy(key_id)
        with pytest.raises(NotFound):
            await store.key(key_id)
        new_id, new_key = await store.source_key(ACME, WIKI)
        assert new_id != key_id
        assert new_key != key
        assert await store.key(new_id) == new_key
        with pytest.raises(NotFound):
            await store.key(key_id)

    async def test_destroying_one_key_leaves_the_others(self, store: KeyStore) -> None:
        kept = await store.source_key(ACME, CHAT)
        destroyed, _ = await store.source_key(ACME, WIKI)
        await store.destroy(destroyed)
        assert await store.source_key(ACME, CHAT) == kept

    @pytest.mark.parametrize("key_id", ["", "nonsense", "../../etc/passwd", f"{ACME.hex}_{WIKI.hex}_1"])
    async def test_an_unknown_key_is_not_found(self, store: KeyStore, key_id: str) -> None:
        with pytest.raises(NotFound):
            await store.key(key_id)
        with pytest.raises(NotFound):
            await store.destroy(key_id)

    async def test_callers_at_the_same_moment_agree(self, store: KeyStore) -> None:
        assert len(set(await asyncio.gather(*(store.organization_key(ACME) for _ in range(20))))) == 1
        assert len(set(await asyncio.gather(*(store.source_key(ACME, WIKI) for _ in range(20))))) == 1
