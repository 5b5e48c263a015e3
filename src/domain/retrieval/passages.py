"""A stretch of a document as a reader sees it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from domain.identity.ids import ChunkId, DocumentId, GroupId, SourceId, VersionId
from domain.ingestion.instructions import instruction_flags


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk: ``[start, end)`` in code points of its version's text, and where it is from.

    It is ``tainted`` when an agent brought it or its source is of tier 4.
    """

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
    tainted: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """What the text is suspected of, such as being an instruction to a model."""
        return instruction_flags(self.text)
