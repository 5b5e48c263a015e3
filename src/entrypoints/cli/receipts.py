"""What became of submissions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import click

from application.ingestion import queries
from domain.identity.ids import ReceiptId
from domain.ports.documents import Receipt
from entrypoints.cli.acting import Call, acting
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


def receipt_output(receipt: Receipt) -> Output:
    """One receipt: its totals, and what was rejected and why."""
    row = receipt_row(receipt)
    rejections = rejection_rows(receipt, len(receipt.rejections))
    facts = plain("\n".join(f"{name.replace('_', ' '):12} {cell(value)}" for name, value in row.items() if value))
    if not rejections:
        return Output({**row, "rejections": []}, (facts,))
    shown = table(rejections, {"place": "rejected", "code": "code", "detail": "why"})
    return Output({**row, "rejections": rejections}, (facts, plain(""), shown))


LISTED = 20
"""Rejected items that a command lists by itself; `assay receipt` shows all."""


def rejection_rows(receipt: Receipt, limit: int) -> list[dict[str, Any]]:
    """The first rejected items of a receipt, each with its place."""
    return [
        {"place": r.place, "code": r.rejection.code, "detail": r.rejection.detail} for r in receipt.rejections[:limit]
    ]


@click.command()
@click.argument("receipt_id", type=click.UUID)
@acting
async def receipt(call: Call, receipt_id: UUID) -> Output:
    """Show one receipt with everything that was rejected."""
    return receipt_output(await queries.receipt(call.unit_of_work, call.access, ReceiptId(receipt_id)))


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
