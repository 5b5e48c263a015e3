"""The graph in memory follows the record."""

from __future__ import annotations

import pytest

from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from tests.contracts.projection_contract import ProjectedEngineContract

pytestmark = pytest.mark.services


class TestInMemoryProjection(ProjectedEngineContract):
    @pytest.fixture
    def engine(self) -> InMemoryMemoryEngine:
        return InMemoryMemoryEngine()
