"""The servers of a test session: fixtures start them on first use and stop them at the end."""

from __future__ import annotations

from tests.services.neo4j_server import neo4j_server as neo4j_server
from tests.services.postgres import postgres_server as postgres_server

# Databases made from a migrated template (tests/services/database.py).

