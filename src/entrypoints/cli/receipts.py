"""What became of submissions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import UUID

import click
from rich.console import RenderableType

from application.ingestion import queries
from domain.errors import InvalidInput
from domain.identity.ids import ReceiptId
from domain.ingestion.claims import place_order
from domain.ports.documents import Receipt, Rejected
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.failures import exit_code_of
from entrypoints.cli.output import Output, cell, listing, plain, table

COUNTS = ("items", "stored", "merged", "queued", "rejected")


def receipt_row(receipt: Receipt) -> dict[str, Any]:
    """A receipt as JSON shows it, without its rejections."""
    return {
        "receipt_id": receipt.id,
        "kind": receipt.kind,
        "status": receipt.status,
        "document_id": receipt.document_id,
        "version_id": receipt.version_id,
        **{count: getattr(receipt, count) for count in COUNTS},
        "recipe": receipt.recipe,
        "notes": dict(receipt.notes),
        "revision": receipt.revision,
        "created_at": receipt.created_at,
        "finished_at": receipt.finished_at,
    }


def receipt_output(receipt: Receipt, *, all_rejected: bool = True) -> Output:
    """One receipt: its totals, and what was rejected and why; in the JSON all of it, for people perhaps the first."""
    row = receipt_row(receipt)
    facts = plain("\n".join(f"{name.replace('_', ' '):12} {cell(value)}" for name, value in row.items() if value))
    parts = rejected_parts([(None, receipt)], None if all_rejected else LISTED)
    data = {**row, "rejections": [_rejection(each) for each in receipt.rejections]}
    return Output(data, (facts, plain(""), *parts) if parts else (facts,), refused_code([receipt]))


def refused_code(receipts: Iterable[Receipt]) -> int:
    """The exit code of submissions: that of bad input when one was refused, or nothing of its items was taken."""
    refused = any(each.status == "refused" or 0 < each.items == each.rejected for each in receipts)
    return exit_code_of(InvalidInput) if refused else 0


LISTED = 10
"""Rejected items of each code that a command lists by itself; `assay receipt` shows all."""


def rejected_parts(submitted: Iterable[tuple[str | None, Receipt]], limit: int | None) -> list[RenderableType]:
    """What receipts rejected, by code: at most ``limit`` items of each, and where the others are listed.

    A receipt comes with the file that it is for, or alone.
    """
    rows: dict[str, list[dict[str, Any]]] = {}
    unlisted = 0
    for file, receipt in submitted:
        unlisted += receipt.rejected - len(receipt.rejections)
        for each in receipt.rejections:
            named = {"file": file, **_rejection(each), "receipt_id": receipt.id} if file else _rejection(each)
            rows.setdefault(each.rejection.code, []).append({**named, "in": receipt.id})
    more = [_others(code, found[limit:]) for code, found in sorted(rows.items()) if limit and found[limit:]]
    if unlisted:
        more.append(f"… and {unlisted} more, which are counted and not listed")
    shown = [row for found in rows.values() for row in found[:limit]]
    shown.sort(key=lambda row: (str(row.get("file", "")), place_order(str(row["place"]))))
    if not shown:
        return [plain(line) for line in more]
    headings = {name: name for name in shown[0] if name != "in"}
    titles = {"place": "rejected", "detail": "why", "receipt_id": "receipt"}
    return [table(shown, headings | {name: titles[name] for name in headings if name in titles}), *map(plain, more)]


def _others(code: str, rows: list[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(str(row["in"]) for row in rows))
    further = " and others" if len(names) > 3 else ""
    return f"… and {len(rows)} more of {code}: assay receipt {', '.join(names[:3])}{further}"


def _rejection(rejected: Rejected) -> dict[str, Any]:
    return {"place": rejected.place, "code": rejected.rejection.code, "detail": rejected.rejection.detail}


@click.command()
@click.argument("receipt_id", type=click.UUID)
@acting
async def receipt(call: Call, receipt_id: UUID) -> Output:
    """Show one receipt with everything that was rejected."""
    shown = receipt_output(await queries.receipt(call.unit_of_work, call.access, ReceiptId(receipt_id)))
    return replace(shown, exit_code=0)


@click.command()
@click.option("--limit", type=click.IntRange(1, 1_000), default=20, show_default=True)
@click.option("--after", type=click.UUID, help="Go on after this receipt.")
@acting
async def receipts(call: Call, limit: int, after: UUID | None) -> Output:
    """List receipts, newest first."""
    found = await queries.receipts(call.unit_of_work, call.access, ReceiptId(after) if after else None, limit)
    rows = [receipt_row(each) for each in found]
    columns = {"receipt_id": "id", "kind": "kind", "status": "status", **{count: count for count in COUNTS}}
    more = f"more: assay receipts --after {found[-1].id}" if len(found) == limit else ""
    return listing(rows, {**columns, "created_at": "submitted"}, empty="no receipts here", more=more)


COMMANDS = (receipt, receipts)
