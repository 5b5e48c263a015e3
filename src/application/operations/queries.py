"""What operators ask: dead letters, and whether what follows the record has caught up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from domain.errors import InvalidInput, NotFound, Unavailable
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.identity.permissions import Action, permit
from domain.identity.scope_name import ScopeKind
from domain.ports.operations import DeadLetter, Operations, Watermarks

_FIRST_PAUSE_SECONDS = 0.02
_LONGEST_PAUSE_SECONDS = 0.25


class Follower(StrEnum):
    """What follows the record."""

    GRAPH = "graph"
    VECTORS = "vectors"


class NotCaughtUp(Unavailable):
    """A follower does not have the asked revision yet."""

    code = "not_caught_up"


async def watermarks(operations: Operations, access: Access) -> Watermarks:
    """How far the access's organization has come."""
    permit(access, Action.READ)
    return await operations.watermarks(access)


async def dead_letters(operations: Operations, access: Access, after: int, limit: int) -> list[DeadLetter]:
    """Failed jobs of the readable scopes, by id. Why one of a personal scope failed may quote it, and is not said."""
    permit(access, Action.OPERATE)
    found = await operations.dead_letters(access, after, limit)
    return [replace(each, reason=None) if each.scope == ScopeKind.PERSONAL else each for each in found]


async def retry_dead_letters(operations: Operations, access: Access, job_ids: Sequence[int]) -> list[int]:
    """Queue failed jobs again; raises NotFound, and changes nothing, only when none of them is there."""
    permit(access, Action.OPERATE)
    retried = await operations.retry(access, job_ids)
    if job_ids and not retried:
        raise NotFound("there is no failed job with such an id here; list the dead letters to see them")
    return retried


async def require_reached(operations: Operations, access: Access, revision: Revision | None, field: str) -> None:
    """Refuse a read as of a revision that the record has not reached: it would answer for what nobody knows yet.

    Raises InvalidInput with both numbers. None, the present, and revision 0 need no look.
    """
    if not revision:
        return
    permit(access, Action.READ)
    head = (await operations.watermarks(access)).head
    if revision > head:
        raise InvalidInput(
            f"{field}: revision {revision} is not there yet, the last one is {head}; ask for 0 to {head}", field=field
        )


async def await_revision(
    operations: Operations, access: Access, at_least: Revision, needed: Sequence[Follower], seconds: float
) -> None:
    """Return when the record and every needed follower have the revision: a client then reads its own writes.

    Patterns and full text need none: they see a write at once. Raises NotCaughtUp, with the follower's name, when
    ``seconds`` are over. A follower that does not exist for the organization is not waited for.
    """
    permit(access, Action.READ)
    deadline = time.monotonic() + seconds
    pause = _FIRST_PAUSE_SECONDS
    while True:
        behind = _behind(await operations.watermarks(access), at_least, needed)
        if not behind:
            return
        if time.monotonic() + pause > deadline:
            raise NotCaughtUp(
                f"revision {at_least} is not there yet: {', '.join(behind)}; ask again, or without at_least",
                field="at_least",
            )
        await asyncio.sleep(pause)
        pause = min(pause * 1.6, _LONGEST_PAUSE_SECONDS)


def _behind(marks: Watermarks, at_least: Revision, needed: Sequence[Follower]) -> list[str]:
    if marks.head < at_least:
        return [f"the record is at {marks.head}"]
    reached = {Follower.GRAPH: marks.graph, Follower.VECTORS: marks.vectors}
    return [f"{name.value} at {mark}" for name in needed if (mark := reached[name]) is not None and mark < at_least]
