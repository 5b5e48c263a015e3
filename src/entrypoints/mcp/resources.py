"""Facts and documents by address, for clients that attach them to a conversation."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar
from uuid import UUID

from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel, Field

from application.ingestion.queries import document_text, document_versions
from application.retrieval.queries import get_fact
from domain.errors import AssayError, InvalidInput, shown
from domain.identity.ids import DocumentId, FactId
from entrypoints.application import Application
from entrypoints.mcp.fact_results import FactSegments, fact
from entrypoints.mcp.problems import as_protocol_error
from entrypoints.mcp.results import Retrieved
from entrypoints.mcp.sign_in import Call, SignIn

FACT = "assay://fact/{fact_id}"
DOCUMENT = "assay://document/{document_id}"

Result = TypeVar("Result")


class DocumentText(Retrieved):
    """The newest version of a document: offsets of quotes count code points of ``text``."""

    document_id: UUID
    version_id: UUID
    status: str
    title: str | None = None
    uri: str | None = None
    content_type: str
    text: str | None = Field(default=None, description="Absent while the document waits for a person.")


class Resources:
    """What can be read by its address, in the reach of the key."""

    def __init__(self, app: Application, sign_in: SignIn) -> None:
        self._app = app
        self._sign_in = sign_in

    async def fact(self, fact_id: str, call: Call) -> str:
        """One fact in every period of valid time and every state, with its evidence and other sides."""
        return await _coded(self._fact(fact_id, call), fact_id)

    async def document(self, document_id: str, call: Call) -> str:
        """The newest version of a document as text, as it was read."""
        return await _coded(self._document(document_id, call), document_id)

    async def _fact(self, fact_id: str, call: Call) -> BaseModel:
        access = await self._sign_in.access(call)
        found = await get_fact(self._app.retrieval.facts, access, FactId(_id(fact_id, "fact_id")))
        return FactSegments(fact_id=found[0].fact_id, segments=[fact(each) for each in found])

    async def _document(self, document_id: str, call: Call) -> BaseModel:
        access = await self._sign_in.access(call)
        wanted = DocumentId(_id(document_id, "document_id"))
        newest = (await document_versions(self._app.unit_of_work, access, wanted))[0]
        version = await document_text(self._app.unit_of_work, access, newest.id)
        return DocumentText(
            document_id=version.document_id,
            version_id=version.id,
            status=version.status,
            title=version.title,
            uri=version.source_uri,
            content_type=version.content_type,
            text=version.text,
        )


def add_resources(server: MCPServer[None], app: Application, sign_in: SignIn) -> None:
    """Offer facts and documents by address."""
    resources = Resources(app, sign_in)
    json = "application/json"
    server.resource(FACT, title="A fact with its evidence", mime_type=json)(resources.fact)
    server.resource(DOCUMENT, title="A document as text", mime_type=json)(resources.document)


def _id(text: str, field: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidInput(f"{shown(text)} is no id; take it from an earlier result", field=field) from None


async def _coded(reading: Awaitable[BaseModel], asked: str) -> str:
    try:
        return (await reading).model_dump_json(exclude_none=True)
    except AssayError as error:
        raise as_protocol_error(error, asked=asked) from error
