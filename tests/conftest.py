"""The servers of a test session: fixtures start them on first use and stop them at the end."""

from __future__ import annotations

from tests.scheduling import pytest_collection_modifyitems as pytest_collection_modifyitems
from tests.scheduling import pytest_xdist_make_scheduler as pytest_xdist_make_scheduler
from tests.services.database import database as database
from tests.services.database import pool as pool
from tests.services.database import template_database as template_database
from tests.services.falkordb import falkordb_server as falkordb_server
from tests.services.neo4j_server import neo4j_server as neo4j_server
from tests.services.node_packages import node_packages as node_packages
from tests.services.postgres import postgres_server as postgres_server
from tests.services.seaweedfs import seaweedfs_server as seaweedfs_server
from tests.services.valkey import valkey_server as valkey_server
from tests.services.world import world as world
