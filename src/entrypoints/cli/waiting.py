"""Waiting until submissions are read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from application.ingestion import queries
from domain.identity.access import Access
from domain.ports.documents import Receipt
from entrypoints.application import Application

PAUSE_SECONDS = 0.2
UNFINISHED = frozenset({"accepted", "processing"})


async def until_read(app: Application, access: Access, receipts: Sequence[Receipt]) -> list[Receipt]:
    """The receipts as they are when the worker has done with them."""
    done: list[Receipt] = []
    for receipt in receipts:
        found = receipt
        while found.status in UNFINISHED:
            await asyncio.sleep(PAUSE_SECONDS)
            found = await queries.receipt(app.unit_of_work, access, receipt.id)
        done.append(found)
    return done
