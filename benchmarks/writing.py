"""A writer of typed triples: an organization in a database, its stream, and made-up claims."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.inmemory.object_store import InMemoryObjectStore
from adapters.postgres.pool import open_pool
from adapters.postgres.unit_of_work import PostgresUnitOfWork
from adapters.system.artifact_cipher import AesGcmArtifactCipher
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.ingestion.append_claims import AppendClaims, Appended, StreamItem
from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.sources import SourceSpec
from application.ingestion.streams import Stream, Streams
from application.knowledge.change import ChangeWriter
from domain.identity.access import Access
from domain.identity.principal import Role
from domain.knowledge.assertion import AssertionState, Claim, Mention
from domain.ports.unit_of_work import UnitOfWork
from tests.services.database import Database
from tests.services.filled_record import tenant_access

PREDICATES = ("depends on", "runs on", "headquartered in", "knows", "supplies", "mentions")
"""One of them holds one value at a time, so that rivals are judged too."""


@dataclass(frozen=True, slots=True)
class TripleWriter:
    """Appends to one stream as the owner of the first tenant of a filled record."""

    access: Access
    stream: Stream
    append: AppendClaims

    async def write(self, items: list[StreamItem]) -> Appended:
        """Append one batch, live."""
        return await self.append(self.access, self.stream, items, AssertionState.LIVE)


@asynccontextmanager
async def triple_writer(database: Database, keys: InMemoryKeyStore) -> AsyncIterator[TripleWriter]:
    """Real adapters for everything in PostgreSQL; artifacts in memory."""
    pool = await open_pool(database.application)
    try:
        unit_of_work = cast(UnitOfWork, PostgresUnitOfWork(pool))
        clock, ids = SystemClock(), TimeOrderedIds()
        vault = ArtifactVault(InMemoryObjectStore(), keys, AesGcmArtifactCipher())
        access = tenant_access(1, role=Role.OWNER)
        stream = await Streams(unit_of_work, vault, clock, ids).open(
            access, SourceSpec("records", "record_export"), "stream", "typed"
        )
        yield TripleWriter(access, stream, AppendClaims(unit_of_work, keys, ChangeWriter(ids), clock, ids))
    finally:
        await pool.close()


def triples(count: int, entities: int, seed: int) -> list[StreamItem]:
    """Claims between named things; a name is as likely as another."""
    chance = random.Random(seed)
    return [
        StreamItem(
            Claim(
                Mention(f"Unit {chance.randrange(entities)} of series {seed % 7}"),
                chance.choice(PREDICATES),
                Mention(f"Unit {chance.randrange(entities)} of series {seed % 7}"),
                1.0,
            ),
            f"row {number} of load {seed}",
            pointer=f"line {number}",
        )
        for number in range(count)
    ]
