"""Taking back, and reading again."""

from __future__ import annotations

from uuid import UUID

import click

from application.ingestion.retract import Retracted
from domain.identity.ids import AssertionId, DocumentId, SourceId
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, sentence
from entrypoints.cli.sources import source_named


@click.group()
def retract() -> None:
    """Take back a document, a source or an assertion. Facts that others support stay."""


@retract.command("document")
@click.argument("document_id", type=click.UUID)
@click.option("--reason")
@acting
async def retract_document(call: Call, document_id: UUID, reason: str | None) -> Output:
    """Take back a document with everything that was drawn from it."""
    return _retracted(await call.app.ingestion.retract.document(call.access, DocumentId(document_id), reason))


@retract.command("source")
@click.argument("source")
@click.option("--reason")
@acting
async def retract_source(call: Call, source: str, reason: str | None) -> Output:
    """Take back a source, by name or id, with every document that it gave."""
    source_id = await source_named(call, source)
    return _retracted(await call.app.ingestion.retract.source(call.access, SourceId(source_id), reason))


@retract.command("assertion")
@click.argument("assertion_id", type=click.UUID)
@click.option("--reason")
@acting
async def retract_assertion(call: Call, assertion_id: UUID, reason: str | None) -> Output:
    """Take back one assertion, for good."""
    return _retracted(await call.app.ingestion.retract.assertion(call.access, AssertionId(assertion_id), reason))


@click.command()
@click.option("--document", type=click.UUID, help="One document.")
@click.option("--collection", help="Every document of a collection.")
@click.option("--all", "everything", is_flag=True, help="Every document of the scope.")
@acting
async def reprocess(call: Call, document: UUID | None, collection: str | None, everything: bool) -> Output:
    """Read documents again with the present extractor and settings. The worker does it."""
    if (document is not None) + (collection is not None) + everything != 1:
        raise click.UsageError("name one of --document, --collection and --all")
    use_case = call.app.ingestion.reprocess
    if document is not None:
        done = await use_case.document(call.access, DocumentId(document))
    else:
        done = await use_case.all(call.access, collection)
    data = {"queued": done.queued, "left": done.left}
    left = f"; {done.left} are left, since they are not completed" if done.left else ""
    return sentence(data, f"{done.queued} documents will be read again{left}")


def _retracted(done: Retracted) -> Output:
    data = {"assertions": done.assertions, "standings_changed": done.standings_changed, "revision": done.revision}
    return sentence(data, f"took back {done.assertions} assertions; {done.standings_changed} standings changed")


COMMANDS = (retract, reprocess)
