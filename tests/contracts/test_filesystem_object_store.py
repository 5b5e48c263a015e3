from __future__ import annotations

import os
import resource
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.filesystem.object_store import FileObjectStore
from domain.errors import InvalidInput, StorageFull, Unavailable
from domain.ports.object_store import ObjectStore
from tests.contracts.object_store_contract import ObjectStoreContract, keys_under


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "objects"


@pytest.fixture
def small_files() -> Iterator[int]:
    """The kernel refuses files over this many bytes, as it would on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, limits[1]))
    yield 65_536
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


class TestFileObjectStore(ObjectStoreContract):
    @pytest.fixture
    def store(self, root: Path) -> ObjectStore:
        return FileObjectStore(root)

    async def test_only_the_owner_can_read(self, store: ObjectStore, root: Path) -> None:
        await store.put("a/b", b"1")
        assert [stat.S_IMODE((root / name).stat().st_mode) for name in (".", "a", "a/b")] == [0o700, 0o700, 0o600]

    async def test_a_full_disk_stores_nothing_and_keeps_the_old(
        self, store: ObjectStore, root: Path, small_files: int
    ) -> None:
        await store.put("a/b", b"old")
        with pytest.raises(StorageFull, match="no room is left"):
            await store.put("a/b", bytes(small_files + 1))
        assert await store.get("a/b") == b"old"
        assert list((root / ".incoming").iterdir()) == []

    async def test_a_key_under_another_key_is_refused_and_leaves_nothing(self, store: ObjectStore, root: Path) -> None:
        await store.put("a/b", b"1")
        for key in ("a", "a/b/c"):
            with pytest.raises(InvalidInput, match="folder of other keys"):
                await store.put(key, b"2")
        assert await keys_under(store, "") == ["a/b"]
        assert list((root / ".incoming").iterdir()) == []

    async def test_what_a_killed_writer_left_is_cleared_and_never_listed(self, store: ObjectStore, root: Path) -> None:
        incoming = root / ".incoming"
        incoming.mkdir(parents=True)
        for name, age in (("old.part", 7200), ("fresh.part", 0)):
            part = incoming / name
            part.write_bytes(b"half")
            times = part.stat().st_mtime - age
            os.utime(part, (times, times))
        await store.put("a", b"1")
        assert await keys_under(store, "") == ["a"]
        assert [part.name for part in incoming.iterdir()] == ["fresh.part"]

    async def test_a_root_that_cannot_be_a_folder_is_unavailable(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"")
        with pytest.raises(Unavailable, match="Check that the folder exists"):
            await FileObjectStore(tmp_path / "file" / "objects").put("a", b"1")
