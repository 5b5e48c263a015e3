"""One Valkey for the test session, started when the first test asks for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adapters.embedded.errors import EmbeddedUnavailable
from adapters.embedded.resp_server import RespAddress
from adapters.embedded.valkey import EmbeddedValkey
from tests.services.availability import service_missing


@pytest.fixture(scope="session")
def valkey_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RespAddress]:
    """An empty Valkey that belongs to this session alone; tests take key prefixes of their own."""
    server = EmbeddedValkey(tmp_path_factory.mktemp("valkey"), directives=("appendfsync no",))
    try:
        address = server.start()
    except EmbeddedUnavailable as error:
        server.stop()
        service_missing("Valkey", error.reason)
    try:
        yield address
    finally:
        server.stop()
