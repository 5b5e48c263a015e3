"""Documents, records and typed triples in; documents and their original bytes out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import quote
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath, JSONBody, MultipartBody, QueryParameter

from application.ingestion import queries
from application.ingestion.import_triples import MAX_LINE
from application.ingestion.reprocess import Reprocessed
from application.ingestion.retract import Retracted
from application.ingestion.sources import SourceSpec
from application.ingestion.submission import DocumentSubmission
from domain.errors import InvalidInput, shown
from domain.identity.ids import DocumentId, VersionId
from domain.knowledge.storable import require_storable
from domain.ports.documents import Receipt, VersionRow
from entrypoints.api.paging import Cursor, CursorOf, Limit, Page
from entrypoints.api.routes.sources import Withdrawal
from entrypoints.api.sign_in import App, Caller, HttpRequest
from entrypoints.json_text import from_json


class SourceWish(msgspec.Struct, forbid_unknown_fields=True):
    """Where a document comes from. Tier and trust count when the source is first named."""

    name: str = "api"
    kind: str = "api"
    tier: int | None = None
    trust: float | None = None
    zone: str | None = None

    def spec(self) -> SourceSpec:
        """For a use case."""
        return SourceSpec(self.name, self.kind, self.tier, self.trust, self.zone)


class DocumentWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A document as text. ``record_key`` names the record within its source: a new text of it is a new version.

    ``origin`` is the address of the original that it is a copy of, such as a syndicated article: both count once.
    """

    record_key: str
    text: str
    source: SourceWish = msgspec.field(default_factory=SourceWish)
    content_type: str = "text/plain"
    title: str | None = None
    source_uri: str | None = None
    origin: str | None = None
    published_at: datetime | None = None
    collection: str | None = None
    mapping: dict[str, Any] | None = None


class UploadWish(msgspec.Struct, kw_only=True):
    """A document as a file. ``mapping`` is JSON; ``record_key`` is the file's name unless given.

    ``origin`` is the address of the original that it is a copy of.
    """

    file: UploadFile
    source: str = "upload"
    source_kind: str = "upload"
    tier: int | None = None
    trust: float | None = None
    zone: str | None = None
    record_key: str | None = None
    content_type: str | None = None
    title: str | None = None
    source_uri: str | None = None
    origin: str | None = None
    published_at: datetime | None = None
    collection: str | None = None
    mapping: str | None = None


class RecordsWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Records with the mapping that makes claims of them. ``origin`` is the address of what they are a copy of."""

    record_key: str
    records: Annotated[list[dict[str, Any]], msgspec.Meta(min_length=1)]
    mapping: dict[str, Any]
    source: SourceWish = msgspec.field(default_factory=lambda: SourceWish("records", "record_export"))
    title: str | None = None
    origin: str | None = None
    collection: str | None = None


class ReprocessWish(msgspec.Struct, forbid_unknown_fields=True):
    """One document, a collection, or with neither the whole scope."""

    document_id: UUID | None = None
    collection: str | None = None


class DocumentView(msgspec.Struct):
    """One version of a document in its present state.

    ``screening`` says by what policy it was screened, which kinds of secrets and personal data were found, and what its
    text is suspected of; never a value.
    """

    id: UUID
    version_id: UUID
    source_id: UUID
    collection_id: UUID | None
    record_key: str
    content_hash: str
    title: str | None
    content_type: str
    source_uri: str | None
    origin: str | None
    published_at: datetime | None
    retrieved_at: datetime
    gate: str
    status: str
    status_detail: str | None
    route: str | None
    submitted_by: UUID
    revision: int
    screening: dict[str, Any] | None

    @classmethod
    def of(cls, row: VersionRow) -> DocumentView:
        """As it is shown: neither its scope's group_id nor where its bytes lie."""
        return cls(
            row.document_id, row.id, row.source_id, row.collection_id, row.record_key, row.content_hash, row.title,
            row.content_type, row.source_uri, row.origin_uri, row.published_at, row.retrieved_at, row.gate,
            row.status, row.status_detail, row.route, row.principal_id, row.revision,
            dict(row.screening) if row.screening is not None else None,
        )  # fmt: skip


class DocumentVersions(msgspec.Struct):
    """A document's versions, newest first."""

    id: UUID
    versions: list[DocumentView]


class VersionText(msgspec.Struct):
    """The text that evidence points into; offsets count Unicode code points. None while it waits or once erased."""

    version_id: UUID
    text: str | None


@post("/documents", status_code=202, tags=["documents"])
async def submit(app: App, access: Caller, data: JSONBody[DocumentWish]) -> Receipt:
    """Submit a document as text. The receipt says what becomes of it."""
    submission = DocumentSubmission(
        data=data.text.encode(), source=data.source.spec(), record_key=data.record_key,
        content_type=data.content_type, title=data.title, source_uri=data.source_uri, origin=data.origin,
        published_at=data.published_at, collection=data.collection, mapping=data.mapping,
    )  # fmt: skip
    return await app.ingestion.submit_document(access, submission)


async def upload(app: App, access: Caller, data: MultipartBody[UploadWish]) -> Receipt:
    """Submit a document as a file: text, Markdown, HTML, PDF, CSV, JSON records or a conversation."""
    stated = {name: value for name in data.__struct_fields__ if isinstance(value := getattr(data, name), str)}
    require_storable({**stated, "file": data.file.filename})
    submission = DocumentSubmission(
        data=await data.file.read(),
        source=SourceSpec(data.source, data.source_kind, data.tier, data.trust, data.zone),
        record_key=data.record_key or data.file.filename,
        content_type=data.content_type or _declared(data.file),
        filename=data.file.filename,
        title=data.title,
        source_uri=data.source_uri,
        origin=data.origin,
        published_at=data.published_at,
        collection=data.collection,
        mapping=_mapping(data.mapping),
    )
    return await app.ingestion.submit_document(access, submission)


def _declared(file: UploadFile) -> str:
    """Clients that know no better send this; then the name and the bytes decide."""
    return "" if file.content_type == "application/octet-stream" else file.content_type


def _mapping(text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        return from_json(text, dict[str, Any])
    except msgspec.DecodeError as error:
        raise InvalidInput(f"{shown(text)} is no JSON object; correct the mapping", field="mapping") from error


@post("/records", status_code=202, tags=["documents"])
async def submit_records(app: App, access: Caller, data: JSONBody[RecordsWish]) -> Receipt:
    """Submit records with a mapping; no model is needed."""
    submission = DocumentSubmission(
        data=msgspec.json.encode(data.records), source=data.source.spec(), record_key=data.record_key,
        content_type="application/json", title=data.title, origin=data.origin, collection=data.collection,
        mapping=data.mapping,
    )  # fmt: skip
    return await app.ingestion.submit_document(access, submission)


async def import_triples(
    app: App,
    access: Caller,
    request: HttpRequest,
    name: Annotated[str, QueryParameter(min_length=1, description="The stream's name within its source.")],
    source: Annotated[str, QueryParameter(min_length=1, description="The source's name.")] = "triples",
    source_kind: Annotated[str, QueryParameter(description="The source's kind.")] = "record_export",
    tier: Annotated[int | None, QueryParameter(ge=1, le=4, description="When it is first named.")] = None,
) -> Receipt:
    """Stream typed triples, one JSON object a line. Sent again, what was stored is merged: resume by repeating."""
    sent = request.headers.get("content-type", "")
    if not sent.startswith(("application/x-ndjson", "application/jsonl")):
        given = f"were sent as {shown(sent)}" if sent else "have no Content-Type"
        raise InvalidInput(f"the lines {given}; send them as application/x-ndjson", field="Content-Type")
    spec = SourceSpec(source, source_kind, tier)
    return await app.ingestion.import_triples(access, spec, name, _lines(request.stream()))


async def _lines(parts: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Lines without their ends. Of one that is too long only the start is kept: enough to refuse it."""
    rest = b""
    async for part in parts:
        *whole, tail = part.split(b"\n")
        for line in whole:
            yield rest + line
            rest = b""
        rest = (rest + tail)[: MAX_LINE + 1]
    if rest:
        yield rest


@get("/documents", tags=["documents"])
async def documents(
    app: App,
    access: Caller,
    collection: Annotated[str | None, QueryParameter(description="A collection's name.")] = None,
    source: Annotated[str | None, QueryParameter(description="A source's name.")] = None,
    status: Annotated[str | None, QueryParameter(description="A status, such as completed.")] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Page[DocumentView]:
    """The newest version of each document."""
    cursors = CursorOf("documents", access.read_scopes, collection, source, status)
    after = cursors.after_id(cursor)
    rows = await queries.documents(
        app.unit_of_work, access, collection=collection, source=source, status=status,
        after=DocumentId(after) if after else None, limit=limit + 1,
    )  # fmt: skip
    return cursors.page([DocumentView.of(row) for row in rows], limit, lambda view: view.id)


@get("/documents/{document_id:uuid}", tags=["documents"])
async def document(app: App, access: Caller, document_id: FromPath[UUID]) -> DocumentVersions:
    """A document with all its versions and their states."""
    rows = await queries.document_versions(app.unit_of_work, access, DocumentId(document_id))
    return DocumentVersions(document_id, [DocumentView.of(row) for row in rows])


@get("/documents/{document_id:uuid}/original", media_type="application/octet-stream", tags=["documents"])
async def original(
    app: App,
    access: Caller,
    document_id: FromPath[UUID],
    version: Annotated[UUID | None, QueryParameter(description="A version's id; the newest when left out.")] = None,
) -> Response[bytes]:
    """The bytes exactly as they were submitted, proved by their hash."""
    version_id = VersionId(version) if version else None
    row, data = await queries.original(app.unit_of_work, app.ports.vault, access, DocumentId(document_id), version_id)
    name = quote(row.record_key.rpartition("/")[2] or "document", safe="")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}", "ETag": f'"{row.content_hash}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


@get("/versions/{version_id:uuid}/text", tags=["documents"])
async def version_text(app: App, access: Caller, version_id: FromPath[UUID]) -> VersionText:
    """The parsed text of a version."""
    row = await queries.document_text(app.unit_of_work, access, VersionId(version_id))
    return VersionText(row.id, row.text)


@post("/documents/{document_id:uuid}/retract", status_code=200, tags=["documents"])
async def retract_document(
    app: App, access: Caller, document_id: FromPath[UUID], data: JSONBody[Withdrawal]
) -> Retracted:
    """Take back a document: all its versions' assertions and chunks."""
    return await app.ingestion.retract.document(access, DocumentId(document_id), data.reason)


@post("/reprocess", status_code=202, tags=["documents"])
async def reprocess(app: App, access: Caller, data: JSONBody[ReprocessWish]) -> Reprocessed:
    """Read documents again from their original bytes with the present extractor and settings."""
    if data.document_id is not None:
        return await app.ingestion.reprocess.document(access, DocumentId(data.document_id))
    return await app.ingestion.reprocess.all(access, data.collection)
