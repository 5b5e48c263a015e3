"""The sample workspace, brought in the way that anybody's documents are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from pathlib import Path

import msgspec

from application.identity.issue_key import NewKey
from application.ingestion.sources import SourceSpec
from application.ingestion.submission import DocumentSubmission
from application.operations.queries import Follower, NotCaughtUp, await_revision, watermarks
from domain.errors import Conflict, Unavailable
from domain.identity.access import Access
from domain.identity.principal import Role
from domain.ports.documents import Receipt
from entrypoints.application import Application
from entrypoints.cli.local_access import OPERATOR_KEY, ensure_local_keys, read_local_keys, write_secret
from entrypoints.cli.waiting import until_read
from entrypoints.sample import WORKSPACE

_STATE = "sample.state"
CATCH_UP_SECONDS = 60.0


class SampleState(StrEnum):
    """How far the sample of a data folder has come."""

    ABSENT = "absent"
    LOADING = "loading"
    LOADED = "loaded"

    @classmethod
    def of(cls, folder: Path) -> SampleState:
        """As it was written down."""
        try:
            return cls((folder / _STATE).read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return cls.ABSENT

    def keep(self, folder: Path) -> None:
        """Write it down."""
        (folder / _STATE).write_text(self.value, encoding="utf-8")


class SampleDocument(msgspec.Struct, forbid_unknown_fields=True):
    """How the manifest says that a document is submitted."""

    path: str
    title: str
    content_type: str
    source: str
    source_kind: str
    tier: int
    published_at: datetime
    collection: str
    mapping: dict[str, object] | None = None


class SampleManifest(msgspec.Struct):
    """The company, the entities that its collections declare, and its documents."""

    organization: str
    workspace: str
    entities: dict[str, str]
    documents: list[SampleDocument]


def manifest() -> SampleManifest:
    """The sample's manifest."""
    return msgspec.json.decode((WORKSPACE / "manifest.json").read_bytes(), type=SampleManifest)


async def local_sample(app: Application, folder: Path, step: Callable[[str], None]) -> None:
    """Load the sample into a local organization that is made for it, and wait until it can be searched.

    Nothing happens when the folder has a local organization of somebody's own. A load that was cut off is gone on with.
    """
    state = SampleState.of(folder)
    if state is SampleState.ABSENT and read_local_keys(folder) is not None:
        return
    SampleState.LOADING.keep(folder)
    sample = manifest()
    access = await _workspace(app, folder, sample)
    step(f"loading the sample workspace: {len(sample.documents)} documents of {sample.organization}")
    for collection in sorted({document.collection for document in sample.documents}):
        await app.ingestion.configure_collection(access, collection, {}, sample.entities)
    receipts = await asyncio.gather(*(_submit(app, access, document) for document in sample.documents))
    step("submitted; the worker reads them")
    finished = await until_read(app, access, receipts)
    _require_all_read(finished)
    step(f"read {len(finished)} documents: {sum(r.stored + r.merged for r in finished)} statements kept")
    SampleState.LOADED.keep(folder)
    await _caught_up(app, access, step)


async def _caught_up(app: Application, access: Access, step: Callable[[str], None]) -> None:
    """Wait for the graph and the vectors; a machine that is busy goes on without, as after any write."""
    head = (await watermarks(app.operations, access)).head
    try:
        await await_revision(app.operations, access, head, (Follower.GRAPH, Follower.VECTORS), CATCH_UP_SECONDS)
        step("graph and vectors have caught up")
    except NotCaughtUp:
        done = await watermarks(app.operations, access)
        step(
            f"going on while the worker catches up: of {head} revisions the graph has {done.graph or 0}, the vectors "
            f"{done.vectors or 0}; the answers go without the rest"
        )


async def _workspace(app: Application, folder: Path, sample: SampleManifest) -> Access:
    """The sample's workspace, with a key for daily work that reaches it and no more."""
    keys = await ensure_local_keys(app, folder, sample.organization)
    owner = await app.verifier.verify(keys.owner)
    name = sample.workspace.casefold()
    with suppress(Conflict):
        await app.identity.create_scope(await app.resolve_access(owner), name)
    access = await app.resolve_access(owner, name)
    if keys.operator == keys.owner:
        command = NewKey(access.principal.id, f"daily work in {name}", Role.OWNER)
        issued = await app.identity.issue_key(access, command)
        write_secret(folder / OPERATOR_KEY, issued.key.text)
    return access


async def _submit(app: Application, access: Access, document: SampleDocument) -> Receipt:
    file = WORKSPACE / document.path
    return await app.ingestion.submit_document(
        access,
        DocumentSubmission(
            data=await asyncio.to_thread(file.read_bytes),
            source=SourceSpec(document.source, document.source_kind, document.tier),
            record_key=document.path,
            content_type=document.content_type,
            filename=file.name,
            title=document.title,
            published_at=document.published_at,
            collection=document.collection,
            mapping=document.mapping,
        ),
    )


def _require_all_read(receipts: list[Receipt]) -> None:
    failed = [receipt for receipt in receipts if receipt.status == "failed"]
    if failed:
        raise Unavailable(
            f"{len(failed)} documents of the sample could not be read; `assay receipt {failed[0].id}` says why"
        )
