"""Ten leaks, planted one by one: each is caught by the check that is there for it, and gone when it is taken out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import asyncpg
import pytest

from adapters.embeddings import caching
from adapters.graphiti import reading
from application.ingestion import artifact_vault, queries
from application.operations.answer_once import AnswerOnce
from domain.errors import NotFound
from domain.identity.ids import ReceiptId
from domain.ingestion.artifacts import object_key
from tests.isolation import catalogue
from tests.isolation.asking import changed_by_others, routes, told_apart
from tests.isolation.checks import functions, stores, tables
from tests.isolation.conftest import Two
from tests.isolation.numbers import say

PLANTED = 10


@pytest.fixture(scope="module")
async def administrator(two: Two) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(two.database.administrator, server_settings={"search_path": "assay, public"})
    yield connection
    await connection.close()


@asynccontextmanager
async def planted(connection: asyncpg.Connection, statement: str) -> AsyncIterator[asyncpg.Connection]:
    """A connection that acts as the application after the statement; all of it is taken back."""
    transaction = connection.transaction()
    await transaction.start()
    try:
        await connection.execute(statement)
        await connection.execute("SET LOCAL ROLE assay_app")
        yield connection
    finally:
        await transaction.rollback()


def tenant(organization: Any, group: str) -> catalogue.Tenant:
    return catalogue.Tenant(organization.uuid, group)


async def root(connection: asyncpg.Connection, organization: Any) -> str:
    found: str = await connection.fetchval(
        "SELECT group_id FROM scopes WHERE organization_id = $1 AND kind = 'organization'", organization.uuid
    )
    return found


async def test_1_a_policy_that_lets_everything_be_read(two: Two, administrator: asyncpg.Connection) -> None:
    columns = (await catalogue.tables(administrator))["principals"]
    ours = tenant(two.ours, await root(administrator, two.ours))
    theirs = tenant(two.theirs, await root(administrator, two.theirs))
    async with planted(administrator, "ALTER POLICY tenant_read ON principals USING (true)") as application:
        found = await tables.rows_seen(application, {"principals": columns}, ours, theirs)
    assert {"principals: rows are read without a tenant", "principals: rows of others are read"} <= set(found)


async def test_2_a_table_whose_policies_are_not_forced(administrator: asyncpg.Connection) -> None:
    known = await catalogue.tables(administrator)
    async with planted(administrator, "ALTER TABLE facts NO FORCE ROW LEVEL SECURITY") as application:
        assert await tables.open_tables(application, known) == ["facts: row security is not forced"]
    async with planted(administrator, "DROP POLICY tenant_update ON facts") as application:
        (found,) = await tables.open_tables(application, known)
    assert found.startswith("facts: the policies are")


async def test_3_a_definer_function_without_the_organization_in_its_filter(
    two: Two, administrator: asyncpg.Connection
) -> None:
    text = await administrator.fetchval("SELECT pg_get_functiondef('names_statement'::regproc)")
    leaky = text.replace("s.organization_id = %L AND s.group_id = ANY (%L) AND", "(%L, %L) IS NOT NULL AND")
    assert leaky != text
    async with planted(administrator, leaky) as application:
        found = await functions.shown_to_others(application, two.ours, two.theirs, "search_names")
    assert [leak.partition(" ")[0] for leak in found] == ["search_names"]
    async with planted(administrator, text) as application:
        assert await functions.shown_to_others(application, two.ours, two.theirs, "search_names") == []


async def test_4_a_cache_key_without_the_organization(monkeypatch: pytest.MonkeyPatch) -> None:
    keep = caching._key
    monkeypatch.setattr(
        caching, "_key", lambda role, model, dimension, digest, _: keep(role, model, dimension, digest, None)
    )
    assert await stores.free_vectors() == ["a text that another organization embedded costs nothing"]


async def test_5_an_error_text_that_names_whose_a_foreign_id_is(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    look = queries.receipt

    async def telling(unit_of_work: Any, access: Any, receipt_id: ReceiptId) -> Any:
        try:
            return await look(unit_of_work, access, receipt_id)
        except NotFound as error:
            owner = "SELECT organization_id FROM assay.receipts WHERE receipt_id = $1"
            found = await two.administrator.fetchval(owner, receipt_id)
            raise NotFound(f"{error.message}; it belongs to {found}") from error

    monkeypatch.setattr(queries, "receipt", telling)
    route = route_of(two, "GET /v1/receipts/{receipt_id}")
    (found,) = await told_apart(two, route, two.ours.owner, two.theirs.ids)
    assert "it belongs to <organization>" in found
    monkeypatch.undo()
    assert await told_apart(two, route, two.ours.owner, two.theirs.ids) == []


async def test_6_a_count_over_all_organizations(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    look = queries.sources

    async def counting(unit_of_work: Any, access: Any) -> Any:
        rows = await look(unit_of_work, access)
        every = await two.administrator.fetchval("SELECT count(*) FROM assay.documents")
        return [_counted(row, every) for row in rows]

    monkeypatch.setattr(queries, "sources", counting)
    route = route_of(two, "GET /v1/sources")
    (found,) = await changed_by_others(two, [route])
    assert found.startswith("GET /v1/sources: ")
    monkeypatch.undo()
    assert await changed_by_others(two, [route]) == []


async def test_7_an_object_key_without_organization_and_scope(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(artifact_vault, "object_key", lambda *parts: object_key(*parts).rpartition("/")[2])
        found = await stores.misplaced_objects(two)
    assert len(found) == 2
    assert all(leak.endswith("is not under its organization and scope") for leak in found)
    await two.administrator.execute("UPDATE assay.artifacts SET object_key = '' WHERE object_key NOT LIKE '%/%'")
    assert await stores.misplaced_objects(two) == []


async def test_8_a_graph_query_without_the_scopes_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = "{m}.group_id IN $scopes AND "
    assert bound in reading._ALLOWED
    reading.within.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(reading, "_ALLOWED", reading._ALLOWED.replace(bound, ""))
        found = await stores.unbound_graph_statements()
    reading.within.cache_clear()
    assert found
    assert all(leak.startswith("m") for leak in found)


async def test_9_keys_and_references_without_the_organization(administrator: asyncpg.Connection) -> None:
    known = await catalogue.tables(administrator)
    loose = """CREATE UNIQUE INDEX facts_alone ON facts (fact_id);
               ALTER TABLE feedback ADD CONSTRAINT feedback_alone FOREIGN KEY (fact_id) REFERENCES facts (fact_id)"""
    async with planted(administrator, loose) as application:
        found = await tables.short_keys(application, known)
    assert sorted(found) == [
        "facts: the key facts_alone begins with fact_id", "feedback: the key feedback_alone begins with fact_id",
    ]  # fmt: skip


async def test_10_an_idempotent_answer_that_is_kept_for_everybody(
    two: Two, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    kept: dict[str, bytes] = {}

    async def for_everybody(
        _: AnswerOnce, access: object, key: str, request: bytes, produce: Callable[[], Awaitable[bytes]]
    ) -> tuple[bytes, bool]:
        replayed = key in kept
        if not replayed:
            kept[key] = await produce()
        return kept[key], replayed

    with monkeypatch.context() as patch:
        patch.setattr(AnswerOnce, "__call__", for_everybody)
        found = await stores.replayed_across(two)
    assert found[0] == "an answer of others is replayed"
    assert await stores.replayed_across(two) == []
    say(pytestconfig, f"{PLANTED} planted leaks, each caught")


def route_of(two: Two, name: str) -> Any:
    return next(route for route in routes(two) if route.name == name)


def _counted(row: Any, documents: int) -> Any:
    return SimpleNamespace(**{n: getattr(row, n) for n in row.__dataclass_fields__} | {"documents": documents})
