"""A record to search: tenants of very different sizes, 384-dimensional vectors for all facts, questions about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import asyncpg
import numpy as np

from adapters.postgres.pool import register_types
from benchmarks.vector_import import DIMENSION, clustered
from domain.ports.embedder import Vectors
from tests.services.filled_record import fill, finish, prepare, tenant_access, tenant_id, tenant_sizes

MODEL = "clustered"
WORDS = 4
NOISE = 0.35
"""How far a question's vector lies from its fact's, beside a length of one."""

_PARTS = re.split(r"^-- name: (\w+)\s*$", Path(__file__).with_suffix(".sql").read_text("utf-8"), flags=re.MULTILINE)
STATEMENTS = {name: body.strip() for name, body in zip(_PARTS[1::2], _PARTS[2::2], strict=True)}


@dataclass(frozen=True, slots=True)
class Question:
    """Some words of one fact, and a vector near its own."""

    text: str
    vector: Vectors


async def fill_searchable(administrator: asyncpg.Connection, facts: int) -> dict[int, int]:
    """Write tenants of 60 % to 0.02 % with vectors and their search graphs, and count the terms. Gives the sizes."""
    sizes = tenant_sizes(facts)
    await prepare(administrator)
    await fill(administrator, sizes)
    await finish(administrator)
    await add_vectors(administrator)
    return sizes


async def add_vectors(administrator: asyncpg.Connection) -> None:
    """A vector for every fact in one active index."""
    await register_types(administrator)
    rows = await administrator.fetch(STATEMENTS["facts"])
    index = await administrator.fetchval("SELECT create_vector_index($1, $2)", MODEL, DIMENSION)
    await administrator.copy_records_to_table(
        "fact_vectors", columns=["index_id", "organization_id", "group_id", "fact_id", "embedding"],
        records=((index, *row, vector) for row, vector in zip(rows, clustered(len(rows)), strict=True)),
    )  # fmt: skip
    await administrator.execute(STATEMENTS["activate"], index)
    await administrator.execute("SELECT build_vector_graphs($1)", index)
    await administrator.execute("SELECT refresh_search_terms(organization_id) FROM organizations")
    await administrator.execute("VACUUM ANALYZE")


async def questions_of(administrator: asyncpg.Connection, tenant: int, count: int) -> list[Question]:
    """Questions about facts of one tenant, drawn evenly."""
    await register_types(administrator)
    rows = await administrator.fetch(STATEMENTS["asked"], tenant_id(tenant), count)
    chance = np.random.default_rng(tenant)
    return [
        Question(" ".join(row["sentence"].split()[-WORDS:]), _near(row["embedding"], chance))
        for row in (rows * (1 + count // len(rows)))[:count]
    ]


async def nearest(administrator: asyncpg.Connection, tenant: int, vector: Vectors, count: int) -> set[UUID]:
    """The ids of the nearest facts in force, by reading every vector of the tenant."""
    return {row[0] for row in await administrator.fetch(STATEMENTS["nearest"], tenant_id(tenant), vector, count)}


def _near(vector: Vectors, chance: np.random.Generator) -> Vectors:
    moved = vector + NOISE / np.sqrt(DIMENSION) * chance.standard_normal(DIMENSION)
    unit: Vectors = (moved / np.linalg.norm(moved)).astype(np.float32)
    return unit


async def plain_search(administrator: asyncpg.Connection, tenant: int) -> str:
    """The hand-written statement for one tenant; $1 is the vector, $2 the words as ``in_words_only`` gives them."""
    access = tenant_access(tenant)
    index = await administrator.fetchval("SELECT max(index_id) FROM vector_indexes")
    literals = {
        ":dimension": str(DIMENSION),
        ":index": str(index),
        ":organization": f"'{access.organization_id}'",
        ":group": f"'{access.read_scopes[0]}'",
    }
    statement = STATEMENTS["plain_search"]
    for name, value in literals.items():
        statement = statement.replace(name, value)
    return statement


def in_words_only(text: str) -> str:
    """Any of the words, as a tsquery."""
    return " | ".join(text.split())
