from __future__ import annotations

import pytest

from adapters.inmemory.key_store import InMemoryKeyStore
from domain.ports.key_store import KeyStore
from tests.contracts.key_store_contract import KeyStoreContract


class TestInMemoryKeyStore(KeyStoreContract):
    @pytest.fixture
    def store(self) -> KeyStore:
        return InMemoryKeyStore()
