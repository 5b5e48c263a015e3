"""A record of one retrieval set: passages as chunks, shipped triples as facts, vectors beside them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import NAMESPACE_URL, UUID, uuid5

import asyncpg
import numpy as np
from numpy.typing import NDArray

from adapters.postgres.vector_store import PostgresVectorStore
from benchmarks.retrieval_sets import RetrievalSet, Triple
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.ports.vector_store import VectorKind
from domain.resolution.names import normal_name

_PARTS = re.split(r"^-- name: (\w+)\s*$", Path(__file__).with_suffix(".sql").read_text("utf-8"), flags=re.MULTILINE)
STATEMENTS = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True))


@dataclass(frozen=True, slots=True)
class LoadedSet:
    """Where a set lies. ``passages`` gives a chunk's or document's number, ``sentences`` are the facts' with ids."""

    access: Access
    passages: dict[UUID, int]
    sentences: dict[UUID, str]


def new_access(name: str) -> Access:
    """An organization of its own for a set; the same every time, since equal scores are ordered by id."""
    organization = uuid5(NAMESPACE_URL, name)
    principal = Principal(
        PrincipalId(organization),
        OrganizationId(organization),
        PrincipalKind.HUMAN,
        Role.MEMBER,
        "benchmark",
        "benchmark",
    )
    group = GroupId(f"o_{organization.hex}")
    return Access(principal, (group,), group)


async def load(administrator: asyncpg.Connection, asked: RetrievalSet) -> LoadedSet:
    """Write the passages and, where the set has them, the triples."""
    access = new_access(asked.name)
    organization, group = access.organization_id, access.write_scope
    numbers = [uuid5(organization, f"passage {number}") for number in range(len(asked.passages))]

    async def put(name: str, *columns: list[object]) -> None:
        await administrator.execute(STATEMENTS[name], organization, group, *columns)

    async with administrator.transaction():
        await administrator.execute("SELECT enter_tenant($1, $2, $2)", organization, group)
        for name in ("tenant", "source"):
            await administrator.execute(STATEMENTS[name], organization, group)
        for name in ("documents", "artifacts", "versions", "runs"):
            await put(name, list(numbers))
        await put("chunks", list(numbers), list(asked.passages))
        sentences = await _facts(put, organization, numbers, asked.triples) if asked.triples else {}
        await administrator.execute("SELECT refresh_search_terms($1)", organization)
    return LoadedSet(access, {each: number for number, each in enumerate(numbers)}, sentences)


async def _facts(
    put: Callable[..., Awaitable[None]], organization: UUID, numbers: list[UUID], triples: list[Triple]
) -> dict[UUID, str]:
    names = {
        name: uuid5(organization, f"entity {normal_name(name)}") for t in triples for name in (t.subject, t.object)
    }
    by_id = {entity: name for name, entity in names.items()}
    await put("entities", list(by_id), list(by_id.values()))
    await put("names", list(by_id), list(by_id.values()), [normal_name(name) for name in by_id.values()])
    keyed = [(uuid5(organization, f"fact {t.subject} {t.predicate} {t.object}"), t) for t in triples]
    once = dict(keyed)
    told = {fact: f"{t.subject} {t.predicate} {t.object}" for fact, t in once.items()}
    await put("slots", list(once))
    await put(
        "facts",
        list(once),
        [names[t.subject] for t in once.values()],
        [re.sub(r"\W+", "_", t.predicate).upper() for t in once.values()],
        [names[t.object] for t in once.values()],
        list(told.values()),
    )
    await put("mentions", list(numbers), list(numbers))
    said = [
        (
            uuid5(organization, f"assertion {number}"),
            numbers[t.passage],
            uuid5(organization, f"fact {t.subject} {t.predicate} {t.object}"),
        )
        for number, t in enumerate(triples)
    ]
    assertions, documents, facts = (list(column) for column in zip(*said, strict=True))
    await put("assertions", assertions, documents)
    await put("evidence", assertions, documents, [told[fact] for fact in facts])
    await put("placements", assertions, facts)
    await put("standings")
    return told


async def store(
    pool: asyncpg.Pool, access: Access, kind: VectorKind, ids: list[UUID], vectors: NDArray[np.float32], model: str
) -> None:
    """Put the vectors of a set into the active index of the model."""
    vectors_of = PostgresVectorStore(pool)
    active = (await vectors_of.ensure(access, model, vectors.shape[1])).active
    assert active is not None
    for start in range(0, len(ids), 1_000):
        await vectors_of.store(access, active, kind, ids[start : start + 1_000], vectors[start : start + 1_000])
