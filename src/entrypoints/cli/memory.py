"""What one principal keeps for itself."""

from __future__ import annotations

import sys

import click

from application.retrieval.types import CHUNKS, FACTS, SearchRequest
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output
from entrypoints.cli.receipts import receipt_output
from entrypoints.cli.searching import search_output


@click.command()
@click.argument("text")
@acting
async def remember(call: Call, text: str) -> Output:
    """Keep TEXT ('-' reads standard input) in your personal scope. What is drawn from it counts half at most."""
    kept = sys.stdin.read() if text == "-" else text
    return receipt_output(await call.app.ingestion.remember(await call.personal_access(), kept))


@click.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True)
@acting
async def recall(call: Call, query: str, limit: int) -> Output:
    """Search what you remembered, and what your organization knows."""
    request = SearchRequest(query=query, limit=limit, sections=(FACTS, CHUNKS))
    return search_output(await call.app.retrieval.search(await call.personal_access(), request))


COMMANDS = (remember, recall)
