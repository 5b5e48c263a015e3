"""Bringing documents in."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import msgspec

from application.ingestion.fetch_document import WEB, PageWish
from application.ingestion.sources import SourceSpec
from application.ingestion.submission import DocumentSubmission
from domain.errors import AssayError, InvalidInput, Unavailable, shown
from domain.ports.documents import Receipt
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.failures import exit_code_of
from entrypoints.cli.folder_reading import FoundFile, find_files
from entrypoints.cli.output import Output, plain, table
from entrypoints.cli.receipts import COUNTS, LISTED, receipt_row, refused_code, rejected_parts
from entrypoints.cli.sources import SOURCE_KINDS
from entrypoints.cli.waiting import until_read
from entrypoints.cli.working import nobody_works, working
from entrypoints.json_text import from_json
from entrypoints.telemetry import Metrics

AT_ONCE = 4
"""Files that are read and submitted at the same time."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is said about all files of one command; None where each file's own default counts."""

    source: str | None
    kind: str | None
    tier: int | None
    collection: str | None
    mapping: Mapping[str, object] | None
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class Submitted:
    """A file and its receipt, or why there is none."""

    file: FoundFile
    receipt: Receipt | None
    error: AssayError | None = None

    @property
    def place(self) -> str:
        """The path, or the address of a page."""
        return self.file.record_key if self.file.source_kind == WEB.kind else str(self.file.path)

    @property
    def row(self) -> dict[str, Any]:
        """As JSON shows it."""
        row: dict[str, Any] = {"path": self.place, "record_key": self.file.record_key}
        if self.error is not None:
            return {**row, "status": "refused", "code": self.error.code, "detail": self.error.message}
        assert self.receipt
        return {**row, **receipt_row(self.receipt)}


@click.command()
@click.argument("paths", type=click.Path(), nargs=-1, required=True)
@click.option("--collection", help="The collection that the documents belong to; made when it is new.")
@click.option("--source", help="The source's name; left out, the folder's path, or 'uploads' for single files.")
@click.option("--kind", type=SOURCE_KINDS, help="The source's kind; left out, 'folder' or 'upload'.")
@click.option("--tier", type=click.IntRange(1, 4), help="The source's tier, 1 strongest, when it is new.")
@click.option("--mapping", type=click.Path(path_type=Path), help="A JSON file that says what columns of records mean.")
@click.option("--origin", help="The address of the original that a single file is a copy of: both count once.")
@click.option("--wait", is_flag=True, help="Wait until everything is read, and do the work where no worker runs.")
@acting
async def ingest(
    call: Call,
    paths: tuple[str, ...],
    collection: str | None,
    source: str | None,
    kind: str | None,
    tier: int | None,
    mapping: Path | None,
    origin: str | None,
    wait: bool,
) -> Output:
    """Submit files, folders with what is in them, and pages. Each gets a receipt; what is known already is a no-op.

    A page is named by its https address; its host has to be among those that are allowed, which none is by default."""
    known = Known(source, kind, tier, collection, _mapping(mapping), origin)
    addresses = [path for path in paths if path.startswith(("https://", "http://"))]
    files = [*find_files([Path(path) for path in paths if path not in addresses]), *map(_page, addresses)]
    if origin is not None and len(files) != 1:
        raise InvalidInput(f"--origin is of one file, and {len(files)} were named; submit it alone", field="origin")
    turns = asyncio.Semaphore(AT_ONCE)
    done = list(await asyncio.gather(*(_submit(call, file, known, turns) for file in files)))
    if wait:
        receipts = [each.receipt for each in done if each.receipt is not None]
        finished = {receipt.id: receipt for receipt in await _finished(call, receipts)}
        done = [Submitted(s.file, finished.get(s.receipt.id) if s.receipt else None, s.error) for s in done]
    return _totals(done)


async def _finished(call: Call, receipts: list[Receipt]) -> list[Receipt]:
    """Wait for the worker; where none is at work, this process is one meanwhile."""
    async with working(call.app, Metrics()) if nobody_works(call.app.settings) else nullcontext():
        return await until_read(call.app, call.access, receipts)


async def _submit(call: Call, file: FoundFile, known: Known, turns: asyncio.Semaphore) -> Submitted:
    async with turns:
        try:
            if file.source_kind == WEB.kind:
                spec = SourceSpec(known.source or WEB.name, known.kind or WEB.kind, known.tier)
                wish = PageWish(file.record_key, spec, collection=known.collection)
                return Submitted(file, await call.app.ingestion.fetch_document(call.access, wish))
            data = await asyncio.to_thread(file.read, call.app.settings.limits.upload_bytes)
            submission = DocumentSubmission(
                data=data,
                source=SourceSpec(known.source or file.source, known.kind or file.source_kind, known.tier),
                record_key=file.record_key,
                filename=file.path.name,
                collection=known.collection,
                mapping=known.mapping,
                origin=known.origin,
            )
            return Submitted(file, await call.app.ingestion.submit_document(call.access, submission))
        except Unavailable:
            raise
        except AssayError as error:
            return Submitted(file, None, error)


def _page(address: str) -> FoundFile:
    return FoundFile(Path(address), WEB.name, WEB.kind, address)


def _totals(done: list[Submitted]) -> Output:
    """Each file in the JSON; for people the totals, and every file that was refused."""
    rows = [each.row for each in done]
    statuses = Counter(str(row["status"]) for row in rows)
    sums = {count: sum(int(row.get(count, 0)) for row in rows) for count in COUNTS}
    totals = {"files": len(rows), **statuses, **sums}
    receipts = [(each.place, each.receipt) for each in done if each.receipt is not None]
    parts = rejected_parts(receipts, LISTED)
    if parts:
        parts.append(plain(""))
    refused = [row for row in rows if row["status"] == "refused"]
    if refused:
        parts += [table(refused, {"path": "refused", "code": "code", "detail": "why"}), plain("")]
    by_status = [
        {
            "status": name,
            "files": number,
            **{c: sum(int(r.get(c, 0)) for r in rows if r["status"] == name) for c in COUNTS},
        }
        for name, number in sorted(statuses.items())
    ]
    by_status.append({"status": "total", "files": len(rows), **sums})
    parts.append(table(by_status, {"status": "status", "files": "files", **{count: count for count in COUNTS}}))
    errors = [each.error for each in done if each.error is not None]
    exit_code = exit_code_of(type(errors[0])) if errors else refused_code(receipt for _, receipt in receipts)
    return Output({"totals": totals, "files": rows}, tuple(parts), exit_code)


def _mapping(path: Path | None) -> Mapping[str, object] | None:
    if path is None:
        return None
    try:
        return from_json(path.read_bytes(), dict[str, object])
    except OSError as error:
        raise InvalidInput(f"{shown(str(path))} cannot be read: {error.strerror}", field="mapping") from error
    except msgspec.DecodeError as error:
        raise InvalidInput(f"{shown(str(path))} holds no JSON object: {error}", field="mapping") from error


COMMANDS = (ingest,)
