"""System time as it is asked for: a revision, or a time that stands for the last one committed by then."""

from __future__ import annotations

from datetime import datetime

from application.operations.queries import require_reached
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.identity.permissions import Action, permit
from domain.knowledge.time import require_aware
from domain.ports.operations import Operations
from domain.ports.unit_of_work import UnitOfWork


async def revision_of(
    unit_of_work: UnitOfWork,
    operations: Operations,
    access: Access,
    asked: Revision | datetime | None,
    field: str = "known_at",
) -> Revision | None:
    """The revision to read as of; None is the present.

    A time waits for a commit in flight, so that the same time always gives the same revision. Raises InvalidInput for
    a revision that the record has not reached, a time that is not past, and one without a time zone.
    """
    if not isinstance(asked, datetime):
        await require_reached(operations, access, asked, field)
        return asked
    permit(access, Action.READ)
    moment = require_aware(asked, field)
    try:
        async with unit_of_work(access) as tx:
            return await tx.journal.revision_at(moment)
    except InvalidInput as error:
        raise InvalidInput(f"{field}: {error.message}", field=field) from error
