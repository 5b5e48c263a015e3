"""The tests of the audit share a database; each has an organization of its own."""

from __future__ import annotations

from tests.services.shared_database import database as database
from tests.services.shared_database import pool as pool
from tests.services.world import world as world
