"""The graph on FalkorDB follows the record."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from adapters.embedded.resp_server import RespAddress
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from tests.contracts.projection_contract import ProjectedEngineContract

pytestmark = pytest.mark.services


class TestFalkorDBProjection(ProjectedEngineContract):
    @pytest.fixture
    async def engine(self, falkordb_server: RespAddress) -> AsyncIterator[FalkorDBMemoryEngine]:
        engine = FalkorDBMemoryEngine.at(falkordb_server.url)
        yield engine
        await engine.aclose()
