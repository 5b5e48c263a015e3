"""The in-memory engine keeps the contract."""

from __future__ import annotations

import pytest

from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from domain.ports.memory_engine import MemoryEngine
from tests.contracts.memory_engine_contract import MemoryEngineContract
from tests.contracts.memory_engine_projection_contract import MemoryEngineProjectionContract


class TestInMemoryMemoryEngine(MemoryEngineContract, MemoryEngineProjectionContract):
    @pytest.fixture
    def engine(self) -> MemoryEngine:
        return InMemoryMemoryEngine()
