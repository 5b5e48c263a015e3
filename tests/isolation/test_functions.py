"""SECURITY DEFINER functions go round policies: each says what it may look at, and shows others nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

from tests.isolation.checks import functions as checks
from tests.isolation.conftest import Two
from tests.isolation.numbers import say
from tests.isolation.rules import functions as rules


@pytest.fixture
async def application(two: Two) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(two.database.application, server_settings={"search_path": "assay, public"})
    yield connection
    await connection.close()


async def test_every_definer_function_says_what_it_may_look_at(application: asyncpg.Connection) -> None:
    wrong = await checks.undeclared(application)
    assert not wrong, "\n".join(wrong)


async def test_functions_of_the_tenant_show_and_change_nothing_of_others(
    two: Two, application: asyncpg.Connection, pytestconfig: pytest.Config
) -> None:
    before = await two.digest(two.theirs.id)
    wrong = await checks.shown_to_others(application, two.ours, two.theirs)
    assert not wrong, "\n".join(wrong)
    assert await two.digest(two.theirs.id) == before
    say(pytestconfig, f"{len(rules.declared())} definer functions, {len(rules.OF_THE_TENANT)} of them called across")


async def test_a_temporary_table_diverts_no_definer_function(two: Two, application: asyncpg.Connection) -> None:
    before = await application.fetch("SELECT * FROM all_organizations() ORDER BY 1")
    async with application.transaction():
        await application.execute("CREATE TEMP TABLE scopes ON COMMIT DROP AS SELECT * FROM assay.scopes WHERE false")
        await application.execute("GRANT SELECT ON pg_temp.scopes TO PUBLIC")
        assert await application.fetch("SELECT * FROM all_organizations() ORDER BY 1") == before
    assert len(before) >= 2
