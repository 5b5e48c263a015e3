"""Sources, documents, versions and chunks on PostgreSQL. Receipts and proposals are in ``submissions.py``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg

from adapters.postgres.rows import from_json, to_json
from adapters.postgres.statements import statements
from adapters.postgres.submissions import PostgresSubmissions
from domain.identity.ids import CollectionId, DocumentId, GroupId, Revision, SourceId, VersionId
from domain.ingestion.artifacts import StoredArtifact
from domain.ports.documents import ChunkRow, CollectionRow, RunRow, SourceRow, VersionRow

_SQL = statements("documents")


class PostgresDocuments(PostgresSubmissions):
    """Implements ``Documents`` on one connection inside one transaction."""

    async def source(self, name: str) -> SourceRow | None:
        rows = await self._connection.fetch(_SQL["sources"], name, None)
        return SourceRow(*rows[0]) if rows else None

    async def source_by_id(self, source_id: SourceId) -> SourceRow | None:
        rows = await self._connection.fetch(_SQL["sources"], None, source_id)
        return SourceRow(*rows[0]) if rows else None

    async def sources(self) -> list[SourceRow]:
        return [SourceRow(*row) for row in await self._connection.fetch(_SQL["sources"], None, None)]

    async def add_source(self, source: SourceRow, revision: Revision) -> None:
        await self._connection.execute(
            _SQL["add_source"], source.group_id, source.id, source.kind, source.name, source.zone, revision
        )
        await self._connection.execute(
            _SQL["add_grade"], source.group_id, source.id, source.tier, source.trust, source.withdrawn, revision
        )

    async def regrade_source(
        self, source: SourceRow, tier: int, trust: float | None, withdrawn: bool, revision: Revision
    ) -> None:
        await self._connection.execute(_SQL["close_grade"], source.id, revision)
        await self._connection.execute(_SQL["add_grade"], source.group_id, source.id, tier, trust, withdrawn, revision)

    async def collection(self, name: str) -> CollectionRow | None:
        rows = await self._connection.fetch(_SQL["collections"], name)
        return _collection(rows[0]) if rows else None

    async def collections(self) -> list[CollectionRow]:
        return [_collection(row) for row in await self._connection.fetch(_SQL["collections"], None)]

    async def add_collection(self, collection: CollectionRow, revision: Revision) -> None:
        await self._connection.execute(
            _SQL["add_collection"],
            self._access.write_scope,
            collection.id,
            collection.name,
            to_json(collection.settings),
            to_json(collection.entities),
            revision,
        )

    async def configure_collection(
        self, collection_id: CollectionId, settings: Mapping[str, object], entities: Mapping[str, str]
    ) -> None:
        await self._connection.execute(
            _SQL["configure_collection"], collection_id, to_json(settings), to_json(entities)
        )

    async def sensitive_policies(self) -> list[Mapping[str, object]]:
        return [from_json(row[0]) for row in await self._connection.fetch(_SQL["sensitive_policies"])]

    async def own_sensitive_policy(self, group_id: GroupId) -> Mapping[str, object]:
        return from_json(await self._connection.fetchval(_SQL["own_sensitive_policy"], group_id)) or {}

    async def set_sensitive_policy(self, group_id: GroupId, stated: Mapping[str, object]) -> None:
        await self._connection.execute(_SQL["set_sensitive_policy"], group_id, to_json(stated))

    async def latest_version(self, source_id: SourceId, record_key: str, *, lock: bool = False) -> VersionRow | None:
        scope = self._access.write_scope
        if lock:
            await self._connection.fetchval(_SQL["lock_document"], source_id, record_key, scope)
        return await self._version(None, None, source_id, record_key, False, scope)

    async def version(self, version_id: VersionId, *, with_text: bool = False) -> VersionRow | None:
        return await self._version(version_id, None, None, None, with_text, None)

    async def _version(self, *arguments: Any) -> VersionRow | None:
        row = await self._connection.fetchrow(_SQL["versions"], *arguments)
        return _version(row) if row else None

    async def document_versions(self, document_id: DocumentId) -> list[VersionRow]:
        rows = await self._connection.fetch(_SQL["versions"], None, document_id, None, None, False, None)
        return [_version(row) for row in rows]

    async def documents(
        self,
        *,
        collection: str | None = None,
        source: str | None = None,
        status: str | None = None,
        after: DocumentId | None = None,
        limit: int = 50,
    ) -> list[VersionRow]:
        rows = await self._connection.fetch(_SQL["documents"], collection, source, status, after, limit)
        return [_version(row) for row in rows]

    async def add_document(
        self,
        document_id: DocumentId,
        source_id: SourceId,
        collection_id: CollectionId | None,
        record_key: str,
        revision: Revision,
    ) -> None:
        await self._connection.execute(
            _SQL["add_document"], self._access.write_scope, document_id, source_id, collection_id, record_key, revision
        )

    async def add_version(self, version: VersionRow, artifact: StoredArtifact, revision: Revision) -> None:
        v = version
        await self._connection.execute(
            _SQL["add_artifact"], v.group_id, v.source_id, artifact.content_hash, artifact.object_key, artifact.key_id,
            artifact.size, revision,
        )  # fmt: skip
        await self._connection.execute(
            _SQL["add_version"], v.group_id, v.id, v.document_id, v.source_id, v.content_hash, v.title, v.content_type,
            v.source_type, v.source_uri, v.published_at, v.retrieved_at,
            to_json(v.mapping) if v.mapping is not None else None, v.gate, v.text, v.principal_id,
            v.principal_kind, revision, v.origin_uri, to_json(v.screening) if v.screening is not None else None,
        )  # fmt: skip
        await self._connection.execute(_SQL["add_state"], v.id, v.status, v.status_detail, revision)

    async def set_status(self, version_id: VersionId, status: str, detail: str | None, revision: Revision) -> None:
        await self._connection.execute(_SQL["close_state"], version_id, revision)
        await self._connection.execute(_SQL["add_state"], version_id, status, detail, revision)

    async def set_gate(self, version_id: VersionId, gate: str) -> None:
        await self._connection.execute(_SQL["set_gate"], version_id, gate)

    async def set_text(self, version_id: VersionId, text: str, title: str | None) -> None:
        await self._connection.execute(_SQL["set_text"], version_id, text, title)

    async def set_route(self, version_id: VersionId, route: str, confidence: float | None, reason: str) -> None:
        await self._connection.execute(_SQL["set_route"], version_id, route, confidence, reason)

    async def add_chunks(
        self,
        version_id: VersionId,
        document_id: DocumentId,
        chunks: Sequence[ChunkRow],
        embed: bool,
        revision: Revision,
    ) -> None:
        if chunks:
            columns = list(zip(*((c.id, c.ordinal, c.start, c.end, c.text) for c in chunks), strict=True))
            await self._connection.execute(
                _SQL["add_chunks"], self._access.write_scope, version_id, document_id, embed, revision, *columns
            )

    async def close_chunks(self, version_ids: Sequence[VersionId], revision: Revision) -> None:
        await self._connection.execute(_SQL["close_chunks"], list(version_ids), revision)

    async def add_run(self, run: RunRow, revision: Revision) -> None:
        await self._connection.execute(
            _SQL["add_run"], self._access.write_scope, run.id, run.version_id, run.recipe, run.extractor,
            run.extractor_version, run.model, run.prompt_version, to_json(run.settings), revision,
        )  # fmt: skip

    async def runs(self, version_id: VersionId) -> list[RunRow]:
        rows = await self._connection.fetch(_SQL["runs"], version_id)
        return [_run(row) for row in rows]


def _collection(row: asyncpg.Record) -> CollectionRow:
    return CollectionRow(
        CollectionId(row["collection_id"]), row["name"], from_json(row["settings"]), from_json(row["entities"]),
        row["documents"],
    )  # fmt: skip


def _version(row: asyncpg.Record) -> VersionRow:
    values = dict(row)
    return VersionRow(
        id=values.pop("version_id"),
        mapping=from_json(values.pop("mapping")),
        screening=from_json(values.pop("screening")),
        status_detail=values.pop("detail"),
        **values,
    )


def _run(row: asyncpg.Record) -> RunRow:
    values = dict(row)
    return RunRow(id=values.pop("run_id"), settings=from_json(values.pop("settings")), **values)
