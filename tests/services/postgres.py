"""One PostgreSQL for the test session, started when the first test asks for it. It gives up durability for speed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from adapters.embedded.errors import EmbeddedUnavailable
from adapters.embedded.postgres import EmbeddedPostgres, PostgresAddress
from tests.services.availability import service_missing


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresAddress]:
    """The superuser's address of an empty server that belongs to this session alone."""
    server = EmbeddedPostgres(
        tmp_path_factory.mktemp("postgres"), settings={"max_connections": "200"}, fast_and_unsafe=True
    )
    try:
        address = server.start()
    except EmbeddedUnavailable as error:
        server.stop()
        service_missing("PostgreSQL", error.reason)
    try:
        yield address
    finally:
        server.stop()
