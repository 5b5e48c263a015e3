"""A stretch of a document as a reader sees it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from domain.identity.ids import ChunkId, DocumentId, GroupId, SourceId, VersionId


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk: ``[start, end)`` in code points of its version's text, and where it is from."""

    chunk_id: ChunkId
    group_id: GroupId
    version_id: VersionId
    document_id: DocumentId
    start: int
    end: int
    text: str
    title: str | None
    uri: str | None
    published_at: datetime | None
    source_id: SourceId
    source_name: str
    tier: int | None
