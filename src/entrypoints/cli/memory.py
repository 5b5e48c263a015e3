"""What one principal keeps for itself."""

from __future__ import annotations

import sys

import click

from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output
from entrypoints.cli.receipts import receipt_output


@click.command()
@click.argument("text")
@acting
async def remember(call: Call, text: str) -> Output:
    """Keep TEXT ('-' reads standard input) in your personal scope. What is drawn from it counts half at most."""
    kept = sys.stdin.read() if text == "-" else text
    return receipt_output(await call.app.ingestion.remember(await call.personal_access(), kept))


COMMANDS = (remember,)
