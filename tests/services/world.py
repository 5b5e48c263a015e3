"""An organization to work in, on the test's own database, with real adapters and keys in memory."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import uuid4

import asyncpg
import pytest

from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.inmemory.object_store import InMemoryObjectStore
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
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.knowledge.assertion import AssertionState, Claim


@dataclass
class World:
    """What a test of the write path needs."""

    pool: asyncpg.Pool
    unit_of_work: PostgresUnitOfWork
    access: Access
    keys: InMemoryKeyStore
    objects: InMemoryObjectStore
    streams: Streams
    append: AppendClaims

    async def stream(self, name: str = "records", kind: str = "record_export", access: Access | None = None) -> Stream:
        """A stream of a source of that name."""
        return await self.streams.open(access or self.access, SourceSpec(name, kind), "stream", "typed")

    async def say(
        self,
        *claims: Claim,
        source: str = "records",
        kind: str = "record_export",
        state: AssertionState = AssertionState.LIVE,
        access: Access | None = None,
    ) -> Appended:
        """Append claims to the stream of a source."""
        stream = await self.stream(source, kind, access)
        items = [StreamItem(c, f"{c.subject.surface} {c.predicate}", pointer="line") for c in claims]
        return await self.append(access or self.access, stream, items, state)

    async def rows(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        """Rows as the application role sees them in the world's scopes."""
        async with self.pool.acquire() as connection, connection.transaction():
            await connection.execute(
                "SELECT enter_tenant($1, $2)", self.access.organization_id, ",".join(self.access.read_scopes)
            )
            return list(await connection.fetch(query, *arguments))


async def new_world(pool: asyncpg.Pool, role: Role = Role.OWNER) -> World:
    """Make an organization with its owner."""
    organization = OrganizationId(uuid4())
    root = GroupId(f"o_{secrets.token_hex(16)}")
    principal = Principal(PrincipalId(uuid4()), organization, PrincipalKind.HUMAN, role, "test", "Tester")
    access = Access(principal, (root,), root)
    unit_of_work, ids, clock = PostgresUnitOfWork(pool), TimeOrderedIds(), SystemClock()
    async with unit_of_work(access) as tx:
        await tx.directory.add_organization(organization, "Test organization", root)
        await tx.directory.add_principal(principal.id, principal.kind, principal.name)
    keys, objects = InMemoryKeyStore(), InMemoryObjectStore()
    vault = ArtifactVault(objects, keys, AesGcmArtifactCipher())
    return World(
        pool,
        unit_of_work,
        access,
        keys,
        objects,
        Streams(unit_of_work, vault, clock, ids),
        AppendClaims(unit_of_work, keys, ChangeWriter(ids), clock, ids),
    )


@pytest.fixture
async def world(pool: asyncpg.Pool) -> AsyncIterator[World]:
    """An organization of the test's own."""
    yield await new_world(pool)
