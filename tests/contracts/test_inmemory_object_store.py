from __future__ import annotations

import pytest

from adapters.inmemory.object_store import InMemoryObjectStore
from domain.ports.object_store import ObjectStore
from tests.contracts.object_store_contract import ObjectStoreContract


class TestInMemoryObjectStore(ObjectStoreContract):
    @pytest.fixture
    def store(self) -> ObjectStore:
        return InMemoryObjectStore()
