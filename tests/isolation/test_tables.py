"""Every table of the catalogue, with a row of each of two organizations: what the application can do across them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import asyncpg
import pytest

from tests.isolation.catalogue import Column, Tenant, fill, tables
from tests.isolation.checks import tables as checks
from tests.isolation.numbers import say
from tests.isolation.rules import tables as rules
from tests.services.database import Database
from tests.services.shared_database import database as database

OURS, THEIRS = Tenant.named("ours"), Tenant.named("theirs")


@dataclass(frozen=True, slots=True)
class Filled:
    """The filled database as its administrator and as the application."""

    administrator: asyncpg.Connection
    application: asyncpg.Connection
    catalogue: dict[str, list[Column]]
    index: int


@pytest.fixture(scope="module")
async def filled(database: Database) -> AsyncIterator[Filled]:
    administrator = await asyncpg.connect(database.administrator)
    application = await asyncpg.connect(database.application, server_settings={"search_path": "assay, public"})
    catalogue = await tables(administrator)
    index = await fill(administrator, (OURS, THEIRS))
    yield Filled(administrator, application, catalogue, index)
    await administrator.close()
    await application.close()


async def test_every_table_says_whose_rows_it_holds(filled: Filled) -> None:
    assert await checks.undeclared(filled.application, filled.catalogue) == []


async def test_policies_are_forced_on_every_table_of_tenants(filled: Filled) -> None:
    assert await checks.open_tables(filled.application, filled.catalogue) == []


async def test_the_application_role_owns_nothing_and_has_no_right_too_many(filled: Filled) -> None:
    assert await checks.rights(filled.application, filled.catalogue) == []


async def test_keys_and_references_begin_with_the_organization(filled: Filled) -> None:
    assert await checks.short_keys(filled.application, filled.catalogue) == []
    names = {
        row[0]
        for row in await filled.administrator.fetch(
            "SELECT relname FROM pg_class UNION SELECT conname FROM pg_constraint"
        )
    }
    assert rules.KEYS_OF_OTHER_KINDS.keys() - names == set(), "a reason is given for a key that is not there"


async def test_no_row_of_another_organization_is_read(filled: Filled, pytestconfig: pytest.Config) -> None:
    assert await checks.rows_seen(filled.application, filled.catalogue, OURS, THEIRS) == []
    policed = len(checks.of_tenants(filled.catalogue))
    say(pytestconfig, f"{len(filled.catalogue)} tables, {policed} of them under policies")


async def test_no_row_of_another_organization_is_added_changed_or_deleted(filled: Filled) -> None:
    seen = await checks.rows_changed(filled.application, filled.catalogue, OURS, THEIRS, filled.index)
    assert seen == []
