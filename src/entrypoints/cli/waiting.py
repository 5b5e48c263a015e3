"""Waiting until submissions are read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from application.ingestion import queries
from domain.ports.documents import Receipt
from entrypoints.cli.acting import Call

PAUSE_SECONDS = 0.2
UNFINISHED = frozenset({"accepted", "processing"})


async def finished_receipts(call: Call, receipts: Sequence[Receipt]) -> list[Receipt]:
    """The receipts as they are when the worker has done with them."""
    done: list[Receipt] = []
    for receipt in receipts:
        found = receipt
        while found.status in UNFINISHED:
            await asyncio.sleep(PAUSE_SECONDS)
            found = await queries.receipt(call.unit_of_work, call.access, receipt.id)
        done.append(found)
    return done
