"""Jobs that failed for good."""

from __future__ import annotations

import click

from application.operations import queries
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, listing, sentence

PAGE = 500


@click.group()
def jobs() -> None:
    """Jobs that failed for good: list them, queue them again."""


@jobs.command("dead")
@click.option("--limit", type=click.IntRange(1, 1_000), default=100, show_default=True)
@acting
async def dead(call: Call, limit: int) -> Output:
    """List failed jobs of the scope and of what is in it."""
    found = await queries.dead_letters(call.app.operations, await call.operating_access(), 0, limit)
    rows = [
        {
            "job_id": j.id, "kind": j.kind, "subject": j.subject, "scope": j.scope, "attempts": j.attempts,
            "created_at": j.created_at, "failed_at": j.failed_at, "reason": j.reason,
        }
        for j in found
    ]  # fmt: skip
    columns = {
        "job_id": "id",
        "kind": "kind",
        "subject": "about",
        "attempts": "attempts",
        "failed_at": "failed",
        "reason": "why",
    }
    return listing(rows, columns, empty="no failed jobs")


@jobs.command("retry")
@click.argument("ids", type=click.IntRange(1, 2**63 - 1), nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every failed job of the scope and of what is in it.")
@acting
async def retry(call: Call, ids: tuple[int, ...], everything: bool) -> Output:
    """Queue failed jobs again, by id."""
    if bool(ids) == everything:
        raise click.UsageError("name the jobs by id, or say --all")
    access = await call.operating_access()
    chosen = list(ids)
    if everything:
        after = 0
        while page := await queries.dead_letters(call.app.operations, access, after, PAGE):
            chosen += [job.id for job in page]
            after = page[-1].id
    retried = await queries.retry_dead_letters(call.app.operations, access, chosen)
    return sentence({"retried": retried}, f"{len(retried)} jobs are queued again")


COMMANDS = (jobs,)
