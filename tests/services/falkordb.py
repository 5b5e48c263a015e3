"""One FalkorDB for the test session, started when the first test asks for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adapters.embedded.errors import EmbeddedUnavailable
from adapters.embedded.falkordb import EmbeddedFalkorDB
from adapters.embedded.resp_server import RespAddress
from tests.services.availability import service_missing


@pytest.fixture(scope="session")
def falkordb_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RespAddress]:
    """An empty FalkorDB that belongs to this session alone; tests take a graph name of their own."""
    server = EmbeddedFalkorDB(tmp_path_factory.mktemp("falkordb"))
    try:
        address = server.start()
    except EmbeddedUnavailable as error:
        server.stop()
        service_missing("FalkorDB", error.reason)
    try:
        yield address
    finally:
        server.stop()
