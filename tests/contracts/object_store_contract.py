"""What every object store does."""

from __future__ import annotations

import asyncio

import pytest

from domain.errors import ArtifactMissing, InvalidInput
from domain.ports.object_store import ObjectStore


async def keys_under(store: ObjectStore, prefix: str) -> list[str]:
    return [key async for key in store.list(prefix)]


class ObjectStoreContract:
    """Subclass it and override ``store`` with an empty store."""

    @pytest.fixture
    def store(self) -> ObjectStore:
        raise NotImplementedError

    async def test_what_is_put_is_got(self, store: ObjectStore) -> None:
        await store.put("a/b/c", bytes(range(256)))
        assert await store.get("a/b/c") == bytes(range(256))

    async def test_an_empty_object_is_not_a_missing_one(self, store: ObjectStore) -> None:
        await store.put("empty", b"")
        assert await store.exists("empty")
        assert await store.get("empty") == b""

    async def test_a_large_object_comes_back_whole(self, store: ObjectStore) -> None:
        data = bytes(range(256)) * 4096 * 12
        await store.put("large", data)
        assert await store.get("large") == data

    async def test_putting_twice_leaves_the_last(self, store: ObjectStore) -> None:
        await store.put("a/b", b"first")
        await store.put("a/b", b"first")
        await store.put("a/b", b"second")
        assert await store.get("a/b") == b"second"
        assert await keys_under(store, "") == ["a/b"]

    async def test_a_missing_object_is_named(self, store: ObjectStore) -> None:
        with pytest.raises(ArtifactMissing, match="'no/such/key'"):
            await store.get("no/such/key")
        assert not await store.exists("no/such/key")

    async def test_the_folder_of_an_object_is_not_an_object(self, store: ObjectStore) -> None:
        await store.put("a/b/c", b"1")
        assert not await store.exists("a/b")
        with pytest.raises(ArtifactMissing):
            await store.get("a/b")
        await store.delete("a/b")
        assert await store.get("a/b/c") == b"1"

    async def test_deleting_removes_one_object_and_may_be_repeated(self, store: ObjectStore) -> None:
        await store.put("a/1", b"1")
        await store.put("a/2", b"2")
        await store.delete("a/1")
        await store.delete("a/1")
        await store.delete("never/there")
        assert await keys_under(store, "a/") == ["a/2"]
        assert not await store.exists("a/1")

    async def test_purging_removes_one_object_for_good_and_may_be_repeated(self, store: ObjectStore) -> None:
        await store.put("a/1", b"first")
        await store.put("a/1", b"second")
        await store.put("a/10", b"2")
        assert await store.purge("a/1")
        assert await store.purge("a/1")
        assert await keys_under(store, "a/") == ["a/10"]
        with pytest.raises(ArtifactMissing):
            await store.get("a/1")

    async def test_keys_are_listed_in_order_under_their_prefix(self, store: ObjectStore) -> None:
        for key in ("b/2", "a/2", "a/10", "a/1/x", "ab/1", "a/3"):
            await store.put(key, b"")
        assert await keys_under(store, "a/") == ["a/1/x", "a/10", "a/2", "a/3"]
        assert await keys_under(store, "a") == ["a/1/x", "a/10", "a/2", "a/3", "ab/1"]
        assert await keys_under(store, "") == ["a/1/x", "a/10", "a/2", "a/3", "ab/1", "b/2"]
        assert await keys_under(store, "zz/") == []

    async def test_keys_that_share_a_start_keep_code_point_order(self, store: ObjectStore) -> None:
        keys = ["a-b", "a.b", "a/b", "a0", "aa/b"]
        for key in reversed(keys):
            await store.put(key, b"")
        assert await keys_under(store, "a") == keys

    async def test_more_keys_than_a_page_are_all_listed(self, store: ObjectStore) -> None:
        keys = [f"many/{number:04d}" for number in range(1005)]
        for start in range(0, len(keys), 16):
            await asyncio.gather(*(store.put(key, b"") for key in keys[start : start + 16]))
        assert await keys_under(store, "many/") == keys

    @pytest.mark.parametrize(
        "key", ["", "/a", "a/", "a//b", "../a", "a/../b", ".hidden", "a/.b", "a b", "a\\b", "é", "a\n", "k" * 513]
    )
    async def test_a_key_that_is_no_path_of_plain_segments_is_refused(self, store: ObjectStore, key: str) -> None:
        with pytest.raises(InvalidInput) as refusal:
            await store.put(key, b"1")
        assert refusal.value.field == "key"
        for refused in (store.get(key), store.exists(key), store.delete(key), store.purge(key)):
            with pytest.raises(InvalidInput):
                await refused

    async def test_a_reader_never_sees_half_an_object(self, store: ObjectStore) -> None:
        wholes = {bytes([digit]) * 500_000 for digit in b"ABCD"}
        await store.put("contended", next(iter(wholes)))

        async def write() -> None:
            for data in wholes:
                await store.put("contended", data)

        writer = asyncio.create_task(write())
        while not writer.done():
            assert await store.get("contended") in wholes
            await asyncio.sleep(0)  # lets the writer go on where the store itself never waits
        await writer
