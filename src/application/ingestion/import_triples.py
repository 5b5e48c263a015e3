"""Typed triples as NDJSON: streamed, idempotent, resumable, with no model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from application.ingestion.append_claims import AppendClaims, Appended, StreamItem
from application.ingestion.intake import Intake, held_back
from application.ingestion.sources import SourceSpec
from application.ingestion.streams import Stream, Streams
from application.knowledge.change import BATCH
from domain.errors import AssayError, InvalidInput, Unavailable
from domain.identity.access import Access
from domain.identity.ids import ReceiptId
from domain.identity.permissions import Action, permit
from domain.ingestion.claims import Rejection
from domain.ingestion.gate import AssertionGate, GatePolicy, gate_assertion
from domain.ingestion.sensitive import DEFAULT_POLICY, SensitivePolicy
from domain.ingestion.typed_triples import typed_triple
from domain.knowledge.assertion import AssertionState
from domain.knowledge.storable import require_storable
from domain.ports.documents import Receipt, Rejected
from domain.ports.ids import Ids
from domain.ports.unit_of_work import UnitOfWork

MAX_LINE = 64 * 1024
"""Bytes of a line."""
MAX_REJECTIONS = 1_000
"""Rejected lines that a receipt lists; all are counted."""

Decode = Callable[[bytes], Any]


@dataclass(slots=True)
class _Progress:
    receipt: Receipt
    line: int = 0
    items: list[StreamItem] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    listed: int = 0
    kept: int = 0
    """Items of batches that are written."""
    policy: SensitivePolicy = DEFAULT_POLICY
    found: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)


class ImportTriples:
    """Reads lines, writes batches of 1,000, and says in the receipt what became of every line.

    - A line that was stored before, in this stream, is merged: an import that was cut off is simply sent again. That
      closes the receipt of the one that was cut off, as ``interrupted``, with what it had stored.
    - A bad line is rejected with its number, its field and the remedy; the others land. An import of bad lines alone is
      ``refused``.
    - Secrets and personal data are masked by the scopes' policy, or the line is rejected where it holds them back; a
      line that reads like an instruction to a model waits.
    - Memory stays flat: no more than a batch is held.
    - An import goes live by the gate table of direct assertions.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        streams: Streams,
        append: AppendClaims,
        intake: Intake,
        ids: Ids,
        decode: Decode = json.loads,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._streams = streams
        self._append = append
        self._intake = intake
        self._ids = ids
        self._decode = decode

    async def __call__(self, access: Access, source: SourceSpec, name: str, lines: AsyncIterable[bytes]) -> Receipt:
        """``lines`` yields one line at a time, without its end. Raises Forbidden, InvalidInput, Unavailable."""
        permit(access, Action.ASSERT)
        async with self._unit_of_work(access) as tx:
            policy = await self._intake.policy(tx)
            await self._intake.require_clean(tx, "the stream", source.name, name)
        stream = await self._streams.open(access, source, name, "typed")
        state = await self._state(access, stream)
        receipt = Receipt(
            ReceiptId(self._ids.new()), "triples", "processing", stream.document_id, stream.version_id, "typed/1"
        )
        async with self._unit_of_work(access) as tx:
            await tx.documents.add_receipt(receipt)
            await tx.documents.interrupt_receipts(stream.version_id, receipt.kind, receipt.id)
        progress = _Progress(receipt, policy=policy)
        async for line in lines:
            self._read(line, progress)
            if len(progress.items) >= BATCH:
                await self._flush(access, stream, state, progress)
        await self._flush(access, stream, state, progress)
        return await self._close(access, progress)

    async def _state(self, access: Access, stream: Stream) -> AssertionState:
        async with self._unit_of_work(access) as tx:
            policy = GatePolicy(await tx.directory.gate_policy())
        gate = gate_assertion(policy, stream.source.tier, access.principal.kind, access.principal.role)
        return AssertionState.LIVE if gate is AssertionGate.LIVE else AssertionState.PENDING

    def _read(self, line: bytes, progress: _Progress) -> None:
        progress.line += 1
        if not line.strip():
            return
        place = f"line {progress.line}"
        progress.receipt = replace(progress.receipt, items=progress.receipt.items + 1)
        try:
            if len(line) > MAX_LINE:
                raise InvalidInput(f"a line has at most {MAX_LINE} bytes, this one {len(line)}", field="line")
            stated = self._decoded(line)
            require_storable(stated)
            screen = self._intake.screen(progress.policy)
            stated, written = screen.line(line.decode("utf-8", "replace").strip(), stated)
            screened = screen.screened()
            progress.found.update(screened.found)
            progress.flags.update(screened.flags)
            if screened.quarantined:
                raise held_back(screened)
            triple = typed_triple(stated)
        except AssayError as error:
            self._reject(progress, place, Rejection(error.code, error.message))
            return
        progress.items.append(StreamItem(triple.claim, triple.excerpt or written, place, triple.key, screened.waits))

    def _decoded(self, line: bytes) -> Any:
        try:
            return self._decode(line)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"this line is no JSON object: {error}", field="line") from error

    def _reject(self, progress: _Progress, place: str, rejection: Rejection) -> None:
        progress.receipt = replace(progress.receipt, rejected=progress.receipt.rejected + 1)
        if progress.listed < MAX_REJECTIONS:
            progress.listed += 1
            progress.rejected.append(Rejected(place, rejection))

    async def _flush(self, access: Access, stream: Stream, state: AssertionState, progress: _Progress) -> None:
        try:
            if progress.items:
                await self._store(access, stream, state, progress, progress.items)
            progress.items = []
            await self._save(access, progress)
        except Unavailable as error:
            raise type(error)(
                f"up to line {progress.line}: {error.message}. The {progress.kept} items before are kept (receipt "
                f"{progress.receipt.id}); send all of them again, and what is stored is merged"
            ) from error
        progress.kept = progress.receipt.items

    async def _store(
        self, access: Access, stream: Stream, state: AssertionState, progress: _Progress, items: list[StreamItem]
    ) -> None:
        try:
            appended = await self._append(access, stream, items, state)
        except InvalidInput as error:
            # One item that cannot be placed must not cost the others: halve until it is alone.
            if len(items) == 1:
                self._reject(progress, items[0].pointer or "", Rejection(error.code, error.message))
                return
            for half in (items[: len(items) // 2], items[len(items) // 2 :]):
                await self._store(access, stream, state, progress, half)
            return
        progress.receipt = _counted(progress.receipt, appended)

    async def _save(self, access: Access, progress: _Progress) -> None:
        async with self._unit_of_work(access) as tx:
            await tx.documents.update_receipt(replace(progress.receipt, rejections=tuple(progress.rejected)))
        progress.rejected = []

    async def _close(self, access: Access, progress: _Progress) -> Receipt:
        notes: dict[str, object] = {"lines": progress.line}
        said = {"found": dict(progress.found), "flags": dict(progress.flags)}
        if screening := {name: counts for name, counts in said.items() if counts}:
            notes["screening"] = screening
        if progress.receipt.rejected > progress.listed:
            notes["rejections_listed"] = progress.listed
        nothing = 0 < progress.receipt.items == progress.receipt.rejected
        progress.receipt = replace(progress.receipt, status="refused" if nothing else "completed", notes=notes)
        await self._save(access, progress)
        async with self._unit_of_work(access) as tx:
            return await tx.documents.receipt(progress.receipt.id) or progress.receipt


def _counted(receipt: Receipt, appended: Appended) -> Receipt:
    return replace(
        receipt,
        stored=receipt.stored + appended.stored - appended.queued,
        queued=receipt.queued + appended.queued,
        merged=receipt.merged + appended.merged,
        revision=appended.revision or receipt.revision,
    )
