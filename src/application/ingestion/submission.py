"""A document as it is handed in, and what can be told of it before anything is kept."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from application.ingestion.sources import SourceSpec
from domain.errors import InvalidInput, shown
from domain.ingestion.copies import checked_origin
from domain.ingestion.mapping_form import parse_mapping
from domain.ingestion.naming import require_address, require_shown, require_title
from domain.ingestion.parsed import ParsedDocument
from domain.knowledge.time import require_aware

MAX_RECORD_KEY = 1_000
_FUTURE = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DocumentSubmission:
    """Bytes and what is known of them. ``record_key`` names the record within its source; the file name by default.

    ``origin`` is the address of the original that it is a copy of, such as a syndicated article: then both count once.
    ``mapping`` is a record mapping as decoded JSON. ``memory`` marks what a principal wants to remember: it goes live
    in the personal scope, and its confidence is capped.
    """

    data: bytes
    source: SourceSpec
    record_key: str
    content_type: str = ""
    filename: str | None = None
    title: str | None = None
    source_uri: str | None = None
    origin: str | None = None
    published_at: datetime | None = None
    collection: str | None = None
    mapping: Mapping[str, object] | None = None
    memory: bool = False
    notes: Mapping[str, object] = field(default_factory=dict)


def require_possible(submission: DocumentSubmission, now: datetime) -> None:
    """Raises InvalidInput for what could never be kept, whatever the bytes hold."""
    if not submission.data:
        raise InvalidInput("the document is empty; send its bytes or its text", field="content")
    if not 1 <= len(submission.record_key.strip()) <= MAX_RECORD_KEY:
        raise InvalidInput(
            f"a record key has 1 to {MAX_RECORD_KEY} characters: {shown(submission.record_key)}", field="record_key"
        )
    require_shown(submission.record_key, "record_key")
    if submission.title is not None:
        require_title(submission.title)
    if submission.source_uri is not None:
        require_address(submission.source_uri, "source_uri")
    if submission.origin is not None:
        checked_origin(submission.origin)
    if submission.mapping is not None:
        parse_mapping(submission.mapping)
    if submission.published_at is not None:
        published = require_aware(submission.published_at, "published_at")
        if published > now + _FUTURE:
            raise InvalidInput(
                f"published_at {published.isoformat()} lies in the future; check the date", field="published_at"
            )


def require_mapped_columns(parsed: ParsedDocument, mapping: Mapping[str, object] | None) -> None:
    """A row of a table has every column of its header; of JSON objects each may leave out any. Raises InvalidInput."""
    if mapping is not None and parsed.records and parsed.records[0].pointer.startswith("row "):
        parse_mapping(mapping).check_header(tuple(parsed.records[0].fields))


def origin_of(submission: DocumentSubmission, parsed: ParsedDocument) -> str | None:
    """The original that the submission names, else that the document itself does."""
    return parsed.origin if submission.origin is None else checked_origin(submission.origin)


def content_type_of(submission: DocumentSubmission) -> str:
    """The stated media type, else what the name's ending says."""
    guessed = mimetypes.guess_type(submission.filename or submission.record_key)[0]
    return submission.content_type or guessed or "application/octet-stream"
