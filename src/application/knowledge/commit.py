"""Running a change to its end, and what follows every change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from domain.errors import Conflict
from domain.identity.access import Access
from domain.identity.ids import GroupId
from domain.ports.job_queue import Job, JobKind
from domain.ports.journal import MovedOn
from domain.ports.unit_of_work import Transaction, UnitOfWork

ATTEMPTS = 20

Result = TypeVar("Result")


async def committed(
    unit_of_work: UnitOfWork, access: Access, work: Callable[[Transaction], Awaitable[Result]]
) -> Result:
    """Run ``work`` in a transaction, again from the start while what it was decided upon moves under it.

    Raises Conflict when it never settles; nothing was changed then.
    """
    for _ in range(ATTEMPTS):
        try:
            async with unit_of_work(access) as tx:
                return await work(tx)
        except MovedOn:
            continue
    raise Conflict(f"the record kept changing during {ATTEMPTS} attempts; nothing was changed; try again")


def follow_up(group_id: GroupId) -> list[Job]:
    """The jobs of every change: bring the graph and the vectors up to the head."""
    return [Job(JobKind.PROJECT, group_id), Job(JobKind.EMBED, group_id)]
