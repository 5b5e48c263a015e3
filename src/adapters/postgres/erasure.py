"""Erasures, suppressions and legal holds on PostgreSQL. The removal itself is in ``functions/097`` and ``098``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import asyncpg

from adapters.postgres.pool import Connection
from adapters.postgres.rows import from_json
from adapters.postgres.statements import statements
from domain.erasure.canaries import KnownName, Sought
from domain.erasure.naming import NamingDocument
from domain.erasure.rules import CONTENT
from domain.erasure.targets import Target, TargetKind
from domain.identity.ids import DocumentId, GroupId, PrincipalId, Revision, SlotId
from domain.ports.erasure import (
    VERSIONS_LEFT,
    ErasedContent,
    ErasureId,
    ErasureRow,
    HoldId,
    HoldRow,
    KeptArtifact,
    StoreScan,
)
from domain.resolution.names import normal_name

_SQL = statements("erasure")
_SCAN_SECONDS = 3_600.0


class PostgresErasures:
    """Implements ``Erasures`` on one connection inside one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def place_of(self, target: Target) -> tuple[GroupId, bool] | None:
        row = await self._connection.fetchrow(_SQL["place_of"], target.kind.value, target.id)
        return None if row is None else (GroupId(row["group_id"]), row["erased"])

    async def erasure_of_target(self, target: Target) -> tuple[ErasureId, datetime] | None:
        row = await self._connection.fetchrow(_SQL["erasure_of_target"], target.kind.value, target.id)
        return None if row is None else (ErasureId(row["erasure_id"]), row["requested_at"])

    async def open(self, erasure: ErasureRow) -> None:
        e = erasure
        await self._connection.execute(
            _SQL["open"], e.group_id, e.id, e.target.kind.value, e.target.id, e.principal_id, e.principal_kind,
            e.reason, list(e.canaries),
        )  # fmt: skip

    async def names(self, target: Target, also: Sequence[str] = ()) -> list[KnownName]:
        normals = [normal_name(spelling) for spelling in also]
        return [KnownName(*row) for row in await self._connection.fetch(_SQL["names"], target.id, list(also), normals)]

    async def naming(self, target: Target, sought: Sought | None, there: Sought | None) -> list[NamingDocument]:
        rows = await self._connection.fetch(_SQL["naming"], target.id, _pattern(sought), _pattern(there))
        return [NamingDocument(DocumentId(row[0]), GroupId(row[1]), row[2], row[3]) for row in rows]

    async def decide(
        self,
        erasure_id: ErasureId,
        erase: Sequence[DocumentId],
        black_out: Sequence[DocumentId],
        sought: Sought | None,
        there: Sought | None,
    ) -> None:
        await self._connection.execute(
            _SQL["decide"], erasure_id, list(erase), list(black_out), _pattern(sought), _pattern(there)
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

    async def overtaken(self, erasure_id: ErasureId, seen: Revision) -> bool:
        return bool(await self._connection.fetchval(_SQL["overtaken"], erasure_id, seen))

    async def contents(self, erasure_id: ErasureId) -> list[ErasedContent]:
        return [ErasedContent(*row) for row in await self._connection.fetch(_SQL["contents"], erasure_id)]

    async def remove_rest(self, erasure_id: ErasureId, revision: Revision, fingerprints: Sequence[bytes]) -> None:
        await self._connection.execute(_SQL["remove_rest"], erasure_id, revision, list(fingerprints))
        await self._connection.execute(_SQL["black_out_rest"], erasure_id, list(CONTENT))

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

    async def object_gone(self, erasure_id: ErasureId, object_key: str, *, versions_stay: bool) -> None:
        await self._connection.execute(_SQL["object_gone"], erasure_id, object_key, versions_stay, VERSIONS_LEFT)

    async def key_in_use(self, key_id: str) -> bool:
        return bool(await self._connection.fetchval(_SQL["key_in_use"], key_id))

    async def sweep_vectors(self, erasure_id: ErasureId) -> None:
        await self._connection.execute(_SQL["sweep_vectors"], erasure_id)

    async def residue(self, sought: Sought) -> StoreScan:
        rows = await self._connection.fetch(_SQL["residue"], sought.database, timeout=_SCAN_SECONDS)
        tables = {place.partition(".")[0]: looked_at for place, looked_at, _ in rows}
        looked_at = {"tables": len(tables), "columns": len(rows), "rows": sum(tables.values())}
        return StoreScan("database", looked_at, {place: found for place, _, found in rows if found})

    async def artifacts(self) -> list[KeptArtifact]:
        return [KeptArtifact(*row) for row in await self._connection.fetch(_SQL["artifacts"])]

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


def _pattern(sought: Sought | None) -> str | None:
    return None if sought is None else sought.database


def _erasure(row: asyncpg.Record) -> ErasureRow:
    identity, group, kind, target, principal, principal_kind, reason, state, counts, canaries, digests, *rest = row
    return ErasureRow(
        identity, group, Target(TargetKind(kind), target), principal, principal_kind, reason, state, from_json(counts),
        tuple(canaries), tuple(digests), *rest,
    )  # fmt: skip


def _hold(row: asyncpg.Record) -> HoldRow:
    identity, group, kind, target, *rest = row
    return HoldRow(identity, group, Target(TargetKind(kind), target), *rest)
