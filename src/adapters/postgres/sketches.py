"""Sketches of passages on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from adapters.postgres.pool import Connection
from adapters.postgres.statements import statements
from domain.errors import Conflict
from domain.identity.access import Access
from domain.ingestion.copies import Sketch

_SQL = statements("sketches")
_encode = msgspec.json.Encoder().encode


class PostgresSketches:
    """Implements ``Sketches`` on one connection inside one transaction."""

    def __init__(self, connection: Connection, access: Access) -> None:
        self._connection = connection
        self._access = access

    async def alike(self, bands: Sequence[int]) -> list[Sketch]:
        # Two statements: the second has to see what was committed while the first one waited.
        await self._connection.execute(_SQL["take_turn"])
        rows = await self._connection.fetch(_SQL["alike"], self._access.write_scope, list(bands))
        return [Sketch(*row) for row in rows]

    async def add(self, sketches: Sequence[Sketch], bands: Sequence[Sequence[int]]) -> None:
        if not sketches:
            return
        rows = [
            {
                "id": s.id, "version": s.version_id, "document": s.document_id, "starts": s.start, "ends": s.end,
                "content": s.content, "key": s.independence_key, "copy_of": s.copy_of, "likeness": s.likeness,
                "bands": own,
            }
            for s, own in zip(sketches, bands, strict=True)
        ]  # fmt: skip
        added = await self._connection.fetchval(_SQL["add"], self._access.write_scope, _encode(rows).decode())
        if not added:
            raise Conflict("the document was erased while it was read; nothing of it is kept")
