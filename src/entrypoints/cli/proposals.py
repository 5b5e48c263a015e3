"""What waits for a person."""

from __future__ import annotations

from uuid import UUID

import click

from application.ingestion import queries
from domain.identity.ids import ProposalId, Revision
from domain.ports.documents import ProposalRow
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, cell, plain, sentence
from entrypoints.cli.proposed import proposed

STATES = ("pending", "approved", "rejected")


@click.group()
def proposals() -> None:
    """What waits for a person: list, approve, reject."""


@proposals.command("list")
@click.option("--state", type=click.Choice([*STATES, "all"]), default="pending", show_default=True)
@click.option("--kind", help="Only proposals of this kind, such as 'document'.")
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True)
@acting
async def list_proposals(call: Call, state: str, kind: str | None, limit: int) -> Output:
    """List proposals, newest first."""
    found = await queries.proposals(
        call.unit_of_work, call.access, state=None if state == "all" else state, kind=kind, limit=limit
    )
    rows = [
        {
            "proposal_id": p.id, "kind": p.kind, "state": p.state, "by": p.principal_name,
            "about": dict(p.payload), "created_at": p.created_at, "decided_at": p.decided_at, "reason": p.reason,
        }
        for p in found
    ]  # fmt: skip
    if not rows:
        return sentence([], "nothing waits here")
    return Output(rows, tuple(plain(line) for each in found for line in _told(each)))


def _told(row: ProposalRow) -> tuple[str, str]:
    """What it is about, and where it comes from."""
    decided = f" · {row.state}" if row.state != "pending" else ""
    why = f" ({row.reason})" if row.reason else ""
    return f"{row.id}  {proposed(row)}", f"    {row.kind} by {row.principal_name}, {cell(row.created_at)}{decided}{why}"


async def _decided(
    call: Call,
    ids: tuple[UUID, ...],
    approve: bool,
    reason: str | None,
    saw: int | None = None,
    confirm: tuple[str, ...] = (),
) -> Output:
    rows = []
    for proposal_id in ids:
        found = await call.app.ingestion.decide_proposals.proposal(
            call.access, ProposalId(proposal_id), approve, reason, Revision(saw) if saw is not None else None, confirm
        )
        rows.append({"proposal_id": found.id, "kind": found.kind, "state": found.state})
    return sentence(rows, *(f"{row['state']} {row['kind']} {row['proposal_id']}" for row in rows))


@proposals.command("approve")
@click.argument("ids", type=click.UUID, nargs=-1, required=True)
@click.option("--saw", type=click.IntRange(min=0), help="The revision at which you looked at a fact to be corrected.")
@click.option("--confirm", multiple=True, help="A predicate whose large change you have looked at; may be repeated.")
@click.option("--reason")
@acting
async def approve(
    call: Call, ids: tuple[UUID, ...], saw: int | None, confirm: tuple[str, ...], reason: str | None
) -> Output:
    """Approve proposals, by id. A decision is final."""
    return await _decided(call, ids, True, reason, saw, confirm)


@proposals.command("reject")
@click.argument("ids", type=click.UUID, nargs=-1, required=True)
@click.option("--reason")
@acting
async def reject(call: Call, ids: tuple[UUID, ...], reason: str | None) -> Output:
    """Reject proposals, by id. A decision is final."""
    return await _decided(call, ids, False, reason)


COMMANDS = (proposals,)
