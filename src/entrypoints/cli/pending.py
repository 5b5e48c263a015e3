"""Assertions that wait for a person."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

import click
from rich.console import RenderableType

from application.ingestion import queries
from application.ingestion.decide_proposals import Decided
from domain.identity.ids import AssertionId, DocumentId
from domain.knowledge.predicate import predicate_name
from domain.ports.waiting import WaitingAssertion, WaitingFilter
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, listing, plain, table

COLUMNS = {
    "assertion_id": "id",
    "sentence": "says",
    "excerpt": "excerpt",
    "confidence": "confidence",
    "source": "source",
    "tier": "tier",
}


@click.group()
def pending() -> None:
    """Assertions that wait for a person: list, approve, reject."""


def _filtered(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say which assertions; the command gets them as ``chosen``."""

    @click.option("--document", type=click.UUID, help="Only those of this document.")
    @click.option("--source", help="Only those of the source of this name.")
    @click.option("--predicate", help="Only those of this predicate, in any spelling.")
    @click.option("--below", type=click.FloatRange(0, 1), help="Only those of less confidence.")
    @wraps(command)
    def collected(
        *arguments: Any,
        document: UUID | None,
        source: str | None,
        predicate: str | None,
        below: float | None,
        **rest: Any,
    ) -> Any:
        name = predicate_name(predicate) if predicate is not None else None
        chosen = WaitingFilter(DocumentId(document) if document else None, source, name, below)
        return command(*arguments, chosen=chosen, **rest)

    return collected


@pending.command("list")
@click.option("--after", type=click.UUID, help="Go on after this assertion.")
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True)
@acting
@_filtered
async def list_pending(call: Call, chosen: WaitingFilter, after: UUID | None, limit: int) -> Output:
    """List pending assertions, oldest first, with their excerpts and sources."""
    found = await queries.waiting_assertions(
        call.unit_of_work, call.access, chosen, AssertionId(after) if after else None, limit
    )
    more = f"more: --after {found[-1].assertion_id}" if len(found) == limit else ""
    return listing([_row(each) for each in found], COLUMNS, empty="nothing waits here", more=more)


@pending.command("approve")
@click.argument("ids", type=click.UUID, nargs=-1)
@click.option("--reason")
@click.option("--dry-run", is_flag=True, help="Only count, and show a sample.")
@acting
@_filtered
async def approve(
    call: Call, chosen: WaitingFilter, ids: tuple[UUID, ...], reason: str | None, dry_run: bool
) -> Output:
    """Let assertions count, by id or by filter, at most 1,000 at a time. A decision is final."""
    return await _decided(call, ids, chosen, True, reason, dry_run)


@pending.command("reject")
@click.argument("ids", type=click.UUID, nargs=-1)
@click.option("--reason")
@click.option("--dry-run", is_flag=True, help="Only count, and show a sample.")
@acting
@_filtered
async def reject(call: Call, chosen: WaitingFilter, ids: tuple[UUID, ...], reason: str | None, dry_run: bool) -> Output:
    """Refuse assertions, by id or by filter, at most 1,000 at a time. A decision is final."""
    return await _decided(call, ids, chosen, False, reason, dry_run)


async def _decided(
    call: Call, ids: tuple[UUID, ...], chosen: WaitingFilter, approve: bool, reason: str | None, dry_run: bool
) -> Output:
    if ids and chosen != WaitingFilter():
        raise click.UsageError("name assertions by their ids, or by a filter, not both")
    if not ids and chosen == WaitingFilter():
        raise click.UsageError("name assertions by their ids, or by --document, --source, --predicate or --below")
    decide = call.app.ingestion.decide_proposals
    if ids:
        done = await decide.assertions(call.access, [AssertionId(i) for i in ids], approve, reason, dry_run)
    else:
        done = await decide.matching(call.access, chosen, approve, reason, dry_run)
    return _told(done, "approved" if approve else "rejected", dry_run)


def _told(done: Decided, word: str, dry_run: bool) -> Output:
    sample = [_row(each) for each in done.sample]
    data = {
        "decided": done.decided,
        "standings_changed": done.standings_changed,
        "dry_run": dry_run,
        "sample": sample,
    }
    would = f"would be {word}" if dry_run else f"{word}; {done.standings_changed} standings changed"
    parts: list[RenderableType] = [plain(f"{done.decided} assertions {would}")]
    if sample:
        parts += [plain(""), table(sample, COLUMNS)]
    return Output(data, tuple(parts))


def _row(waiting: WaitingAssertion) -> dict[str, object]:
    return {
        "assertion_id": waiting.assertion_id,
        "fact_id": waiting.fact_id,
        "sentence": waiting.sentence,
        "excerpt": waiting.excerpt,
        "confidence": waiting.confidence,
        "source": waiting.source,
        "tier": waiting.tier,
        "document_id": waiting.document_id,
        "title": waiting.title,
    }


COMMANDS = (pending,)
