"""Before a table was ever analysed its look-ups go by the key that they name, not by any index of the organization."""

from __future__ import annotations

from uuid import uuid4

import asyncpg
import pytest

ID = "00000000-0000-7000-8000-000000000001"
LOOK_UPS = {
    "slots_organization_id_group_id_key_key": (
        "SELECT 1 FROM slots WHERE organization_id = tenant_organization() AND group_id = 'o_' AND key = '\\x00'"
    ),
    "assertions_organization_id_document_id_key_key": (
        f"SELECT 1 FROM assertions WHERE organization_id = tenant_organization() AND document_id = '{ID}' "
        "AND key = '\\x00'"
    ),
    "facts_pkey": f"SELECT 1 FROM facts WHERE organization_id = tenant_organization() AND fact_id = '{ID}'",
    "mentions_pkey": (f"SELECT 1 FROM mentions WHERE organization_id = tenant_organization() AND mention_id = '{ID}'"),
    "names_by_normal": "SELECT 1 FROM names WHERE organization_id = tenant_organization() AND normal = 'x'",
}


@pytest.mark.parametrize("index", LOOK_UPS)
async def test_a_look_up_by_key_uses_its_index_in_an_empty_table(pool: asyncpg.Pool, index: str) -> None:
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT enter_tenant($1, $2)", uuid4(), f"o_{'0' * 32}")
        await connection.execute("SET LOCAL enable_seqscan = off")
        plan = "\n".join(row[0] for row in await connection.fetch(f"EXPLAIN {LOOK_UPS[index]}"))
    assert index in plan, plan
