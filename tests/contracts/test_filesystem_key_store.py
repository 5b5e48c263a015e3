from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.filesystem.key_store import FileKeyStore
from domain.errors import NotFound, Unavailable
from domain.ports.key_store import KeyStore
from tests.contracts.key_store_contract import ACME, WIKI, KeyStoreContract

SOURCE = Path(__file__).parents[2] / "src"
IN_ANOTHER_PROCESS = """
import asyncio, pathlib, sys, uuid
from adapters.filesystem.key_store import FileKeyStore
sys.stdin.readline()
key_id, key = asyncio.run(FileKeyStore(pathlib.Path(sys.argv[1])).source_key(uuid.UUID(int=1), uuid.UUID(int=10)))
print(key_id, key.hex())
"""


def files_under(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file()]


def modes_of(paths: list[Path]) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in paths}


class TestFileKeyStore(KeyStoreContract):
    @pytest.fixture
    def root(self, tmp_path: Path) -> Path:
        return tmp_path / "keys"

    @pytest.fixture
    def store(self, root: Path) -> KeyStore:
        return FileKeyStore(root)

    async def test_a_new_process_finds_the_keys(self, store: KeyStore, root: Path) -> None:
        organization = await store.organization_key(ACME)
        source = await store.source_key(ACME, WIKI)
        reopened = FileKeyStore(root)
        assert await reopened.organization_key(ACME) == organization
        assert await reopened.source_key(ACME, WIKI) == source

    async def test_a_destroyed_key_stays_destroyed_for_a_new_process(self, store: KeyStore, root: Path) -> None:
        key_id, _ = await store.source_key(ACME, WIKI)
        await store.destroy(key_id)
        reopened = FileKeyStore(root)
        with pytest.raises(NotFound):
            await reopened.key(key_id)
        assert (await reopened.source_key(ACME, WIKI))[0] != key_id

    async def test_a_destroyed_keys_bytes_are_in_no_file(self, store: KeyStore, root: Path) -> None:
        key_id, key = await store.source_key(ACME, WIKI)
        await store.destroy(key_id)
        assert [path.read_bytes() for path in files_under(root)] == [b""]
        assert key != b""

    def test_processes_that_start_together_agree_on_one_key(self, root: Path) -> None:
        racers = [
            subprocess.Popen(
                [sys.executable, "-c", IN_ANOTHER_PROCESS, str(root)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(SOURCE)},
            )
            for _ in range(4)
        ]  # fmt: skip
        for racer in racers:
            assert racer.stdin is not None
            racer.stdin.write("go\n")
            racer.stdin.flush()
        answers = {racer.communicate(timeout=30)[0] for racer in racers}
        assert len(answers) == 1
        assert len(answers.pop().split()) == 2

    async def test_only_the_owner_can_read(self, store: KeyStore, root: Path) -> None:
        await store.organization_key(ACME)
        await store.source_key(ACME, WIKI)
        folders = [root, *(path.parent for path in files_under(root))]
        assert modes_of(folders) == {0o700}
        assert modes_of(files_under(root)) == {0o600}

    async def test_a_damaged_key_file_is_reported(self, store: KeyStore, root: Path) -> None:
        await store.organization_key(ACME)
        (root / "organizations" / ACME.hex).write_bytes(b"short")
        with pytest.raises(Unavailable, match="damaged"):
            await store.organization_key(ACME)
