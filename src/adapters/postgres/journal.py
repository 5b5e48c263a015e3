"""The journal on PostgreSQL. Entries are encoded and committed to here; the chain is closed in the database."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import msgspec

from adapters.postgres.pool import Connection
from adapters.postgres.statements import statements
from application.audit.visit import note_mutation
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import OPEN, Revision
from domain.ports.journal import Entry, Head, MovedOn, Mutation

_SQL = statements("journal")

RequireKept = Callable[[str], None]
"""Raises InvalidInput for a reason that may not be kept."""


class PostgresJournal:
    """Implements ``Journal`` on one connection inside one transaction."""

    def __init__(self, connection: Connection, access: Access, require_kept: RequireKept | None = None) -> None:
        self._connection = connection
        self._access = access
        self._require_kept = require_kept

    async def head(self) -> Head:
        row = await self._connection.fetchrow(_SQL["head"])
        return Head(*row) if row else Head(Revision(0), Revision(0), Revision(0))

    async def hold(self) -> None:
        await self._connection.fetchval(_SQL["held_head"])

    async def advance(self, entry: Entry) -> Revision:
        revision = await self._connection.fetchval(
            _SQL["advance"], *entry_parameters(entry, self._access, self._require_kept)
        )
        if revision is None:
            raise MovedOn
        note_mutation(self._access, entry.kind, entry.payload, Revision(revision))
        return Revision(revision)

    async def revision_at(self, at: datetime) -> Revision:
        # The share lock waits for the writer that holds the head: its commit may carry an earlier time.
        await self._connection.fetchval(_SQL["locked_head"])
        found = await self._connection.fetchval(_SQL["revision_at"], at)
        if found is None:
            raise InvalidInput(
                f"{at.isoformat()} is not past, and nobody knows what the record will say then; ask for an "
                "earlier time, or leave it out",
                field="known_at",
            )
        return Revision(found)


def entry_parameters(entry: Entry, access: Access, require_kept: RequireKept | None = None) -> tuple[object, ...]:
    """The parameters of ``take_revision``: the entry, encoded and committed to. Raises what ``require_kept`` does."""
    if entry.reason is not None and require_kept is not None:
        require_kept(entry.reason)
    payload = msgspec.json.encode(entry.payload, order="sorted")
    salt = secrets.token_bytes(16)
    under = entry.placed_under or Head(OPEN, OPEN, OPEN)
    principal = access.principal
    return (
        entry.group_id,
        principal.id,
        principal.kind.value,
        principal.connection_id,
        entry.kind,
        entry.reason,
        hmac.digest(salt, payload, "sha256"),
        salt,
        payload,
        under.vocabulary_rev,
        under.identity_rev,
        entry.changes_vocabulary,
        entry.changes_identity,
    )


def mutation_of(row: Iterable[Any]) -> Mutation:
    """A mutation from its columns, in the order of its fields."""
    revision, kind, principal, principal_kind, connection, reason, at, payload = row
    content = msgspec.json.decode(payload) if payload else None
    return Mutation(revision, kind, principal, principal_kind, connection, reason, at, content)
