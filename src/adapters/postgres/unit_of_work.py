"""One transaction in one tenant on PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg

from adapters.postgres.audit import PostgresAudit
from adapters.postgres.chronicle import PostgresChronicle
from adapters.postgres.claimed import PostgresClaimed
from adapters.postgres.credentials import PostgresCredentials
from adapters.postgres.directory import PostgresDirectory
from adapters.postgres.documents import PostgresDocuments
from adapters.postgres.entities import PostgresEntities
from adapters.postgres.erasure import PostgresErasures
from adapters.postgres.feedback import PostgresFeedback
from adapters.postgres.history import PostgresHistory
from adapters.postgres.job_queue import PgQueuerJobQueue
from adapters.postgres.journal import PostgresJournal, RequireKept
from adapters.postgres.pool import Connection, translated
from adapters.postgres.promotions import PostgresPromotions
from adapters.postgres.record import PostgresRecord
from adapters.postgres.sketches import PostgresSketches
from adapters.postgres.snapshots import PostgresSnapshots
from adapters.postgres.tenancy import scopes_text
from adapters.postgres.vocabulary import PostgresPredicates
from domain.identity.access import Access


@dataclass(frozen=True, slots=True)
class PostgresTransaction:
    """What a use case reaches inside a unit of work."""

    record: PostgresRecord
    documents: PostgresDocuments
    entities: PostgresEntities
    directory: PostgresDirectory
    journal: PostgresJournal
    jobs: PgQueuerJobQueue
    feedback: PostgresFeedback
    predicates: PostgresPredicates
    history: PostgresHistory
    chronicle: PostgresChronicle
    erasures: PostgresErasures
    snapshots: PostgresSnapshots
    sketches: PostgresSketches
    promotions: PostgresPromotions
    audit: PostgresAudit
    claimed: PostgresClaimed
    credentials: PostgresCredentials


class PostgresUnitOfWork:
    """Implements ``UnitOfWork``: READ COMMITTED, the tenant set for this transaction only.

    ``require_kept`` is asked about every reason that is journalled.
    """

    def __init__(self, pool: asyncpg.Pool, require_kept: RequireKept | None = None) -> None:
        self._pool = pool
        self._require_kept = require_kept

    @asynccontextmanager
    async def __call__(self, access: Access) -> AsyncIterator[PostgresTransaction]:
        with translated():
            async with self._pool.acquire() as connection, _begun(connection, access):
                yield PostgresTransaction(
                    record=PostgresRecord(connection, access, self._require_kept),
                    documents=PostgresDocuments(connection, access, self._require_kept),
                    entities=PostgresEntities(connection),
                    directory=PostgresDirectory(connection),
                    journal=PostgresJournal(connection, access, self._require_kept),
                    jobs=PgQueuerJobQueue(connection),
                    feedback=PostgresFeedback(connection, access),
                    predicates=PostgresPredicates(connection),
                    history=PostgresHistory(connection),
                    chronicle=PostgresChronicle(connection),
                    erasures=PostgresErasures(connection),
                    snapshots=PostgresSnapshots(connection),
                    sketches=PostgresSketches(connection, access),
                    promotions=PostgresPromotions(connection, access),
                    audit=PostgresAudit(connection, access),
                    claimed=PostgresClaimed(connection),
                    credentials=PostgresCredentials(connection),
                )


@asynccontextmanager
async def _begun(connection: Connection, access: Access) -> AsyncIterator[None]:
    """A transaction whose begin and tenant take one round trip; the pool rolls back what a lost connection leaves.

    The values are no text of a client's: a UUID and scopes that ``Access`` has checked.
    """
    scopes, writable = scopes_text(access), ",".join(access.writable)
    await connection.execute(f"BEGIN; SELECT enter_tenant('{access.organization_id}', '{scopes}', '{writable}')")
    try:
        yield
    except BaseException:
        if not connection.is_closed():
            await connection.execute("ROLLBACK")
        raise
    if await connection.execute("COMMIT") != "COMMIT":
        raise asyncpg.InFailedSQLTransactionError("a statement failed before, and the failure was caught")


async def enter(connection: Connection, access: Access) -> None:
    """Take the access's tenant for the connection's present transaction."""
    await connection.fetchval(
        "SELECT enter_tenant($1, $2, $3)",
        access.organization_id,
        scopes_text(access),
        ",".join(access.writable),
    )
