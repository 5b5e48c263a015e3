from __future__ import annotations

from pathlib import Path

import pytest

from adapters.filesystem.key_store import FileKeyStore
from adapters.filesystem.object_store import FileObjectStore
from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.inmemory.object_store import InMemoryObjectStore
from domain.ports.key_store import KeyStore
from domain.ports.object_store import ObjectStore
from tests.contracts.artifact_vault_contract import ArtifactVaultContract


class TestArtifactVaultInMemory(ArtifactVaultContract):
    @pytest.fixture
    def objects(self) -> ObjectStore:
        return InMemoryObjectStore()

    @pytest.fixture
    def keys(self) -> KeyStore:
        return InMemoryKeyStore()


class TestArtifactVaultInFiles(ArtifactVaultContract):
    @pytest.fixture
    def objects(self, tmp_path: Path) -> ObjectStore:
        return FileObjectStore(tmp_path / "objects")

    @pytest.fixture
    def keys(self, tmp_path: Path) -> KeyStore:
        return FileKeyStore(tmp_path / "keys")
