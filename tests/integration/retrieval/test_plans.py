"""Every search and pattern at 100,000 rows, as the application role, uses its index; a plain shape does not."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import asyncpg
import numpy as np
import pytest

from adapters.postgres.hit_rows import PRESENT
from adapters.postgres.pool import open_pool
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.postgres.statements import statements
from domain.identity.access import Access
from domain.ports.search_index import CandidateQuery
from domain.retrieval.reading import ReadPoint
from tests.services.filled_record import CONCEPTS, DIMENSION, FilledRecord, tenant_access
from tests.services.plans import PlanWatcher, indexes, nodes, rows_read, watch_plans

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LARGEST, MIDDLE, SMALLEST = 1, 8, 11
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
async def plans(filled_record: FilledRecord) -> AsyncIterator[PlanWatcher]:
    watcher = await watch_plans(filled_record.database)
    yield watcher
    await watcher.connection.close()


@pytest.fixture(scope="module")
async def administrator(filled_record: FilledRecord) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(
        filled_record.database.administrator, server_settings={"search_path": "assay, public"}
    )
    yield connection
    await connection.close()


async def example(administrator: asyncpg.Connection, access: Access) -> asyncpg.Record:
    row = await administrator.fetchrow(
        """SELECT s.subject_id, s.predicate, s.object_id, f.sentence, e.name FROM standings s
           JOIN facts f USING (organization_id, fact_id) JOIN entities e ON e.entity_id = s.subject_id
           WHERE s.organization_id = $1 AND s.lifecycle = 'active' ORDER BY s.standing_id DESC LIMIT 1""",
        access.organization_id,
    )
    assert row is not None
    return row


def pattern_arguments(
    access: Access, subject: UUID | None, predicate: str | None, object: UUID | None
) -> tuple[Any, ...]:
    return (
        access.organization_id, ",".join(access.read_scopes), [subject] if subject else None, None,
        [predicate] if predicate else None, None, [object] if object else None, None, NOW, PRESENT,
        ["active", "disputed"], None, None, None, None, None, None, 50, None, None, None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "index"),
    [
        ("SP?", "standings_by_subject"),
        ("S??", "standings_by_subject"),
        ("?PO", "standings_by_object"),
        ("??O", "standings_by_object"),
        ("S?O", "standings_by_"),
        ("?P?", "standings_by_predicate"),
    ],
)
@pytest.mark.parametrize("tenant", [LARGEST, MIDDLE, SMALLEST])
async def test_each_pattern_uses_its_index(
    plans: PlanWatcher, administrator: asyncpg.Connection, tenant: int, shape: str, index: str
) -> None:
    access = tenant_access(tenant)
    row = await example(administrator, access)
    wanted = pattern_arguments(
        access,
        row["subject_id"] if shape[0] == "S" else None,
        row["predicate"] if shape[1] == "P" else None,
        row["object_id"] if shape[2] == "O" else None,
    )
    ran = await plans.run(statements("reads")["facts_by_pattern"], *wanted)
    lookups = [plan for plan in ran if "FROM standings s" in plan["Query Text"]]
    assert any(name.startswith(index) for name in indexes(lookups)), indexes(lookups)
    assert not any(_sequential(plan) for plan in ran)
    assert rows_read(ran, "standings") < 3_000


@pytest.mark.parametrize("tenant", [LARGEST, SMALLEST])
async def test_outlines_are_read_by_key(plans: PlanWatcher, administrator: asyncpg.Connection, tenant: int) -> None:
    access = tenant_access(tenant)
    found = await administrator.fetch(
        "SELECT standing_id, fact_id FROM standings WHERE organization_id = $1 LIMIT 50", access.organization_id
    )
    outlines = "SELECT * FROM outline_candidates($1, $2, $3, $4, $5, $6)"
    wanted = ([row[0] for row in found], [row[1] for row in found], ["RELATION_3"], NOW, PRESENT, ["active"])
    async with plans.connection.transaction():
        await plans.connection.execute(
            "SELECT enter_tenant($1, $2)", access.organization_id, ",".join(access.read_scopes)
        )
        ran = await plans.run(outlines, *wanted)
    answering = sum(row["predicate"] == "RELATION_3" for row in await administrator.fetch(
        "SELECT predicate FROM standings WHERE standing_id = ANY ($1)", wanted[0]
    ))  # fmt: skip
    assert not any(_sequential(plan) for plan in ran)
    assert (rows_read(ran, "standings"), rows_read(ran, "facts"), rows_read(ran, "evidence")) == (50, 0, 0)
    assert rows_read(ran, "entities") == 2 * answering > 0


def _sequential(plan: Any) -> list[str]:
    large = ("standings", "facts", "assertions", "placements", "evidence", "entities", "facts_search", "fact_vectors")
    return [n["Relation Name"] for n in nodes(plan) if n["Node Type"] == "Seq Scan" and n["Relation Name"] in large]


@pytest.mark.parametrize("tenant", [LARGEST, MIDDLE, SMALLEST])
async def test_full_text_uses_its_index_and_the_plain_shape_under_policies_cannot(
    plans: PlanWatcher, administrator: asyncpg.Connection, tenant: int
) -> None:
    access = tenant_access(tenant)
    words = " ".join((await example(administrator, access))["sentence"].split()[:3])
    wanted = candidate_arguments(access, words, None)
    ran = await plans.run(statements("search")["candidates"], *wanted)
    text = [plan for plan in ran if "FROM facts_search s" in plan["Query Text"] and "@@" in plan["Query Text"]]
    few = {"facts_search_pkey", "facts_search_by_fact", "chunks_search_pkey"} if tenant == SMALLEST else set()
    assert indexes(text) <= {"facts_search_terms"} | few
    assert rows_read(text, "facts_search") < 3_000
    chunks = [plan for plan in ran if "FROM chunks_search s" in plan["Query Text"] and "@@" in plan["Query Text"]]
    assert indexes(chunks) <= {"chunks_search_terms"} | few


async def test_a_plain_text_search_under_a_policy_reads_the_whole_tenant(
    filled_record: FilledRecord, plans: PlanWatcher, administrator: asyncpg.Connection
) -> None:
    """The control: a table with the same index and a policy, searched by the role directly."""
    access = tenant_access(LARGEST)
    await administrator.execute(
        """CREATE TABLE plain_search AS SELECT organization_id, group_id, standing_id, terms FROM facts_search;
           CREATE INDEX plain_terms ON plain_search USING gin (organization_id, terms);
           ALTER TABLE plain_search ENABLE ROW LEVEL SECURITY;
           CREATE POLICY tenant_read ON plain_search FOR SELECT USING
               (organization_id = tenant_organization() AND group_id = ANY (tenant_read_scopes()));
           GRANT SELECT ON plain_search TO assay_app; ANALYZE plain_search"""
    )
    try:
        async with plans.connection.transaction():
            await plans.connection.execute(
                "SELECT enter_tenant($1, $2)", access.organization_id, ",".join(access.read_scopes)
            )
            ran = await plans.run("SELECT standing_id FROM plain_search WHERE terms @@ 'w9999'::tsquery")
    finally:
        await administrator.execute("DROP TABLE plain_search")
    assert rows_read(ran, "plain_search") > 0.99 * filled_record.sizes[LARGEST]


@pytest.mark.parametrize("tenant", [LARGEST, MIDDLE, SMALLEST])
async def test_names_are_found_by_trigram(plans: PlanWatcher, administrator: asyncpg.Connection, tenant: int) -> None:
    access = tenant_access(tenant)
    name = (await example(administrator, access))["name"]
    ran = await plans.run(
        statements("search")["find_entities"],
        access.organization_id, ",".join(access.read_scopes), name[:-1], 10, PRESENT, None, None,
    )  # fmt: skip
    search = [plan for plan in ran if "similarity" in plan["Query Text"]]
    few = {"names_search_pkey", "names_search_by_folded", "names_search_by_normal"} if tenant == SMALLEST else set()
    assert indexes(search) <= {"names_search_trigrams"} | few
    assert rows_read(search, "names_search") < 2_000


def candidate_arguments(access: Access, words: str, vector: np.ndarray | None) -> tuple[Any, ...]:
    return (
        access.organization_id, ",".join(access.read_scopes), words, [], "random", vector, 10, 10, None, NOW, PRESENT,
        ["active", "disputed"], None, None, None, None, None, None, None, [], None, None, 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("tenant", "graph"), [(LARGEST, True), (2, True), (5, False), (MIDDLE, False), (SMALLEST, False)]
)
async def test_a_large_tenants_vectors_are_walked_and_a_small_ones_read(
    plans: PlanWatcher, administrator: asyncpg.Connection, tenant: int, graph: bool
) -> None:
    access = tenant_access(tenant)
    vector = np.random.default_rng(tenant).normal(size=DIMENSION).astype(np.float32)
    ran = await plans.run(statements("search")["candidates"], *candidate_arguments(access, "nothing", vector))
    search = [plan for plan in ran if "<=>" in plan["Query Text"]]
    used = indexes(search)
    assert any(name.endswith("_graph") for name in used) == graph, used
    assert rows_read(search, "fact_vectors") <= 5_000


@pytest.mark.parametrize("tiers", [None, [2]])
@pytest.mark.parametrize("tenant", [LARGEST, SMALLEST])
async def test_concepts_are_searched_without_reading_what_is_said_of_other_things(
    plans: PlanWatcher, administrator: asyncpg.Connection, tenant: int, tiers: list[int] | None
) -> None:
    access, concepts = tenant_access(tenant), CONCEPTS[tenant]
    label = await administrator.fetchval(
        "SELECT name FROM entities WHERE organization_id = $1 AND kind = 'concept' ORDER BY entity_id LIMIT 1",
        access.organization_id,
    )
    vector = np.random.default_rng(tenant).normal(size=DIMENSION).astype(np.float32)
    wanted = (
        access.organization_id, ",".join(access.read_scopes), label, "random", vector, 40, "HAS_SEARCH_TERM",
        "HAS_CONCEPT_KIND", None, NOW, PRESENT, ["active", "disputed"], None, None, tiers, None, None, None,
    )  # fmt: skip
    ran = await plans.run(statements("concepts")["candidates"], *wanted)
    assert not any(_sequential(plan) for plan in ran)
    names = [plan for plan in ran if "names_search s" in plan["Query Text"]]
    few = {"names_search_pkey", "names_search_by_folded", "names_search_by_normal"} if tenant == SMALLEST else set()
    assert indexes(names) <= {"names_search_trigrams"} | few
    assert "standings_by_predicate" in indexes(ran)
    # Terms are counted and read, kinds are read with a filter, and one row each shows that a label is in force.
    assert rows_read(ran, "standings") <= (5 if tiers is None else 6) * concepts
    assert rows_read(ran, "fact_vectors") == 2 * concepts, "terms, by key"
    assert rows_read(ran, "concept_vectors") == concepts
    assert rows_read(ran, "placements") == rows_read(ran, "assertions") == (0 if tiers is None else concepts)
    assert rows_read(ran, "facts_search") < 3_000


@pytest.mark.parametrize("tenant", [LARGEST, SMALLEST])
async def test_what_bears_on_concepts_is_read_by_key(
    plans: PlanWatcher, administrator: asyncpg.Connection, tenant: int
) -> None:
    access = tenant_access(tenant)
    found = await administrator.fetch(
        "SELECT entity_id FROM entities WHERE organization_id = $1 AND kind = 'concept' LIMIT 5", access.organization_id
    )
    wanted = (
        access.organization_id, ",".join(access.read_scopes), [row[0] for row in found], "HAS_SEARCH_TERM",
        "HAS_CONCEPT_KIND", "SUPPORTS", "CONTRADICTS", NOW, PRESENT, None,
    )  # fmt: skip
    ran = await plans.run(statements("concepts")["concepts"], *wanted)
    assert not any(_sequential(plan) for plan in ran)
    assert rows_read(ran, "standings") == 5 * 3, "the kind and two terms of each"
    assert rows_read(ran, "placements") == rows_read(ran, "assertions") == 5


@pytest.mark.parametrize("tenant", [LARGEST, 2, 3, MIDDLE, SMALLEST])
async def test_the_ten_nearest_are_found(
    filled_record: FilledRecord, administrator: asyncpg.Connection, tenant: int
) -> None:
    access = tenant_access(tenant)
    pool = await open_pool(filled_record.database.application)
    random = np.random.default_rng(5)
    shares = []
    for _ in range(20):
        vector = random.normal(size=DIMENSION).astype(np.float32)
        query = CandidateQuery("zzz", (), vector, "random", 10, 0, ReadPoint(), NOW)
        found = (await PostgresSearchIndex(pool).candidates(access, query)).vector
        exact = await administrator.fetch(
            """SELECT s.standing_id FROM fact_vectors v JOIN standings s USING (organization_id, fact_id)
               WHERE v.organization_id = $1 AND s.lifecycle = 'active'
               ORDER BY v.embedding <=> $2::text::halfvec LIMIT 10""",
            access.organization_id,
            str(vector.tolist()),
        )
        shares.append(len(set(found) & {row[0] for row in exact}) / len(exact))
    await pool.close()
    small = filled_record.sizes[tenant] < 5_000
    assert np.mean(shares) >= (1.0 if small else 0.95)
