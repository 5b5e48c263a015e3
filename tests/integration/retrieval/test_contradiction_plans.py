"""Contradictions at 100,000 rows, as the application role, are found by their index."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from adapters.postgres.hit_rows import PRESENT, tenant
from adapters.postgres.statements import statements
from tests.services.filled_record import FilledRecord, tenant_access
from tests.services.plans import indexes, nodes, rows_read, watch_plans

pytestmark = pytest.mark.slow
LARGEST, SMALLEST = 1, 11


@pytest.mark.parametrize("number", [LARGEST, SMALLEST])
@pytest.mark.parametrize("known_at", [PRESENT, 1])
async def test_contradictions_are_found_by_their_index(filled_record: FilledRecord, number: int, known_at: int) -> None:
    watcher = await watch_plans(filled_record.database)
    try:
        nothing = (None,) * 10
        asked = (*tenant(tenant_access(number)), datetime(2026, 1, 1, tzinfo=UTC), known_at, ["disputed"], *nothing, 50)
        ran = await watcher.run(statements("contradictions")["contested"], *asked, None, None)
    finally:
        await watcher.connection.close()
    assert "standings_contested" in indexes(ran)
    assert not any(node["Node Type"] == "Seq Scan" for plan in ran for node in nodes(plan))
    assert rows_read(ran, "standings") == 0, "none of the record is disputed"
