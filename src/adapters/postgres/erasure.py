"""Erasures, suppressions and legal holds on PostgreSQL. The removal itself is in ``functions/097`` and ``098``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import asyncpg

from adapters.postgres.pool import Connection
from adapters.postgres.rows import from_json
from adapters.postgres.statements import statements
from domain.erasure.targets import Target, TargetKind
from domain.identity.ids import GroupId, PrincipalId, Revision, SlotId
from domain.ports.erasure import ErasedContent, ErasureId, ErasureRow, HoldId, HoldRow

_SQL = statements("erasure")


class PostgresErasures:
    """Implements ``Erasures`` on one connection inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def place_of(self, target: Target) -> tuple[GroupId, bool] | None:
        row = await self._connection.fetchrow(_SQL["place_of"], target.kind.value, target.id)
        return None if row is None else (GroupId(row["group_id"]), row["erased"])

    async def open(self, erasure: ErasureRow) -> None:
        e = erasure
        await self._connection.execute(
            _SQL["open"], e.group_id, e.id, e.target.kind.value, e.target.id, e.principal_id, e.principal_kind, e.reason
        )

    async def collect(self, erasure_id: ErasureId) -> list[SlotId]:
        return [SlotId(row[0]) for row in await self._connection.fetch(_SQL["collect"], erasure_id)]

    async def holds(self, erasure_id: ErasureId) -> list[tuple[Target, str]]:
        rows = await self._connection.fetch(_SQL["holds"], erasure_id)
        return [(Target(TargetKind(row["kind"]), row["target_id"]), row["reason"]) for row in rows]

    async def held_since(self, revision: Revision) -> bool:
        return bool(await self._connection.fetchval(_SQL["held_since"], revision))

    async def remove_said(self, erasure_id: ErasureId) -> None:
        await self._connection.execute(_SQL["remove_said"], erasure_id)

    async def overtaken(self, erasure_id: ErasureId) -> bool:
        return bool(await self._connection.fetchval(_SQL["overtaken"], erasure_id))

    async def contents(self, erasure_id: ErasureId) -> list[ErasedContent]:
        return [ErasedContent(*row) for row in await self._connection.fetch(_SQL["contents"], erasure_id)]

    async def remove_rest(self, erasure_id: ErasureId, revision: Revision, fingerprints: Sequence[bytes]) -> None:
        await self._connection.execute(_SQL["remove_rest"], erasure_id, revision, list(fingerprints))

    async def suppressed_by(self, fingerprints: Sequence[bytes]) -> ErasureId | None:
        found = await self._connection.fetchval(_SQL["suppressed_by"], list(fingerprints))
        return None if found is None else ErasureId(found)

    async def erasure(self, erasure_id: ErasureId) -> ErasureRow | None:
        row = await self._connection.fetchrow(_SQL["erasure"], erasure_id)
        return None if row is None else _erasure(row)

    async def erasures(self, after: ErasureId | None, limit: int) -> list[ErasureRow]:
        return [_erasure(row) for row in await self._connection.fetch(_SQL["erasures"], after, limit)]

    async def erasure_of(self, item: UUID) -> tuple[ErasureId, datetime] | None:
        row = await self._connection.fetchrow(_SQL["erasure_of"], item)
        return None if row is None else (ErasureId(row["erasure_id"]), row["requested_at"])

    async def objects(self, erasure_id: ErasureId, limit: int) -> list[tuple[str, str]]:
        return [(row[0], row[1]) for row in await self._connection.fetch(_SQL["objects"], erasure_id, limit)]

    async def object_gone(self, erasure_id: ErasureId, object_key: str) -> None:
        await self._connection.execute(_SQL["object_gone"], erasure_id, object_key)

    async def key_in_use(self, key_id: str) -> bool:
        return bool(await self._connection.fetchval(_SQL["key_in_use"], key_id))

    async def sweep_vectors(self, erasure_id: ErasureId) -> None:
        await self._connection.execute(_SQL["sweep_vectors"], erasure_id)

    async def digests_gone(self, erasure_id: ErasureId) -> None:
        await self._connection.execute(_SQL["digests_gone"], erasure_id)

    async def residue(self, erasure_id: ErasureId) -> dict[str, int]:
        return {row[0]: row[1] for row in await self._connection.fetch(_SQL["residue"], erasure_id)}

    async def finish(self, erasure_id: ErasureId, certificate: bytes, at: datetime) -> bool:
        return bool(await self._connection.fetchval(_SQL["finish"], erasure_id, certificate, at))

    async def place_hold(self, hold: HoldRow) -> None:
        h = hold
        await self._connection.execute(
            _SQL["place_hold"], h.group_id, h.id, h.target.kind.value, h.target.id, h.reason, h.principal_id, h.revision
        )

    async def hold(self, hold_id: HoldId) -> HoldRow | None:
        row = await self._connection.fetchrow(_SQL["hold"], hold_id)
        return None if row is None else _hold(row)

    async def all_holds(self, lifted: bool) -> list[HoldRow]:
        return [_hold(row) for row in await self._connection.fetch(_SQL["all_holds"], lifted)]

    async def lift_hold(self, hold_id: HoldId, principal_id: PrincipalId, reason: str, revision: Revision) -> bool:
        return bool(await self._connection.fetchval(_SQL["lift_hold"], hold_id, principal_id, reason, revision))


def _erasure(row: asyncpg.Record) -> ErasureRow:
    identity, group, kind, target, principal, principal_kind, reason, state, counts, canaries, digests, *rest = row
    return ErasureRow(
        identity, group, Target(TargetKind(kind), target), principal, principal_kind, reason, state, from_json(counts),
        tuple(canaries), tuple(digests), *rest,
    )  # fmt: skip


def _hold(row: asyncpg.Record) -> HoldRow:
    identity, group, kind, target, *rest = row
    return HoldRow(identity, group, Target(TargetKind(kind), target), *rest)
