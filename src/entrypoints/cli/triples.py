"""Bringing typed triples in."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import IO

import click

from application.ingestion.import_triples import MAX_LINE
from application.ingestion.sources import SourceSpec
from domain.errors import InvalidInput, shown
from domain.ingestion.gate import SourceKind
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output
from entrypoints.cli.receipts import receipt_output
from entrypoints.cli.sources import SOURCE_KINDS

BLOCK = 1024 * 1024
"""Bytes that are read at once."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--source", default="triples", show_default=True, help="The source's name.")
@click.option("--kind", type=SOURCE_KINDS, default=SourceKind.RECORD_EXPORT.value, show_default=True)
@click.option("--tier", type=click.IntRange(1, 4), help="The source's tier, 1 strongest, when it is new.")
@click.option("--name", help="The stream that the lines belong to; left out, the file's name.")
@acting
async def triples(call: Call, file: Path, source: str, kind: str, tier: int | None, name: str | None) -> Output:
    """Import typed triples, one JSON object a line, from FILE ('-' reads standard input).

    An import that was cut off is simply run again: lines that are stored already are merged.
    """
    spec = SourceSpec(source, kind, tier)
    if str(file) == "-":
        return await _imported(call, spec, name or "standard input", sys.stdin.buffer)
    try:
        stream = file.open("rb")
    except OSError as error:
        raise InvalidInput(f"{shown(str(file))} cannot be read: {error.strerror}", field="file") from error
    with stream:
        return await _imported(call, spec, name or file.name, stream)


async def _imported(call: Call, source: SourceSpec, name: str, stream: IO[bytes]) -> Output:
    receipt = await call.app.ingestion.import_triples(call.access, source, name, _lines(stream))
    return receipt_output(receipt, all_rejected=False)


async def _lines(stream: IO[bytes]) -> AsyncIterator[bytes]:
    while block := await asyncio.to_thread(_block, stream):
        for line in block:
            yield line


def _block(stream: IO[bytes]) -> list[bytes]:
    """About a megabyte of lines. Of a line that is too long only so much is kept that it is refused as such."""
    lines, size = [], 0
    while size < BLOCK:
        line = stream.readline(MAX_LINE + 2)
        if not line:
            break
        if not line.endswith(b"\n") and len(line) > MAX_LINE:
            while (rest := stream.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                size += len(rest)
        lines.append(line.rstrip(b"\r\n"))
        size += len(line)
    return lines


COMMANDS = (triples,)
