"""Starting: what stops it, what it does without."""

from __future__ import annotations

import asyncpg
import pytest
from pydantic import SecretStr

from adapters.postgres.installation import DatabaseOutOfDate
from application.identity.create_organization import NewOrganization, Operator
from domain.errors import Forbidden, InvalidInput, Unavailable
from entrypoints.bootstrap import application, migrate
from entrypoints.sections.stores import GraphSettings
from entrypoints.settings import Settings, SettingsInvalid
from tests.services.database import Database


def at(settings: Settings, **database: str) -> Settings:
    secrets = {name: SecretStr(value) for name, value in database.items()}
    return settings.model_copy(update={"database": settings.database.model_copy(update=secrets)})


async def test_an_application_works_from_the_first_key_to_an_access(settings: Settings) -> None:
    async with application(settings) as app:
        made = await app.identity.create_organization(Operator("test"), NewOrganization("Acme", "Olga"))
        credential = await app.verifier.verify(made.key.key.text)
        access = await app.resolve_access(credential)
        assert access.organization_id == made.organization_id
        for probe in app.probes:
            await probe.check()


async def test_a_database_that_does_not_answer_stops_the_start(settings: Settings) -> None:
    with pytest.raises(Unavailable, match="does not answer"):
        async with application(at(settings, url="postgresql://assay_app:x@127.0.0.1:1/assay")):
            pass


async def test_a_wrong_login_names_the_setting(settings: Settings, database: Database) -> None:
    with pytest.raises(Unavailable, match="ASSAY_DATABASE__URL"):
        async with application(at(settings, url=database.dsn("assay_app", "wrong"))):
            pass
    with pytest.raises(InvalidInput, match="no address of a database"):
        async with application(at(settings, url="nonsense")):
            pass


async def test_missing_scripts_ask_for_assay_migrate_and_migrating_repairs(
    settings: Settings, database: Database
) -> None:
    administrator = await asyncpg.connect(database.administrator)
    await administrator.execute("UPDATE assay.applied_functions SET checksum = '' WHERE name = '020_sign_in.sql'")
    with pytest.raises(DatabaseOutOfDate, match=r"020_sign_in\.sql.*run `assay migrate`"):
        async with application(settings):
            pass
    assert await migrate(settings) == ["020_sign_in.sql"]
    await administrator.execute("INSERT INTO assay.applied_migrations VALUES ('9999_later.sql', '')")
    with pytest.raises(DatabaseOutOfDate, match=r"ahead of this version \(9999_later\.sql\)"):
        async with application(settings):
            pass
    await administrator.execute("DROP FUNCTION assay.applied_scripts()")
    with pytest.raises(DatabaseOutOfDate, match="has not been set up"):
        async with application(settings):
            pass
    await administrator.close()


async def test_migrating_needs_an_administrator_and_the_two_roles(settings: Settings, database: Database) -> None:
    with pytest.raises(SettingsInvalid, match="ASSAY_DATABASE__URL: it must log in as assay_app"):
        await migrate(at(settings, url=database.dsn("somebody", "x")))
    with pytest.raises(Forbidden, match="ASSAY_DATABASE__ADMINISTRATOR_URL"):
        await migrate(at(settings, administrator_url=database.application))


async def test_a_graph_that_is_down_stops_nobody(settings: Settings) -> None:
    down = settings.model_copy(update={"graph": GraphSettings(engine="falkordb", url="redis://127.0.0.1:1/0")})
    async with application(down) as app:
        graph = next(probe for probe in app.probes if probe.name == "graph")
        assert not graph.needed
        with pytest.raises(Unavailable):
            await graph.check()
