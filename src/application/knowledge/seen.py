"""The revision that somebody looked at before they decided, edited or proposed something."""

from __future__ import annotations

from domain.errors import InvalidInput, StaleRevision
from domain.identity.ids import Revision
from domain.ports.unit_of_work import Transaction


async def require_seen(tx: Transaction, saw: Revision) -> None:
    """Raises InvalidInput for a revision that is still to come: it would pass over whatever others do until then."""
    head = (await tx.journal.head()).revision
    if saw > head:
        raise InvalidInput(
            f"saw: revision {saw} is not there yet, the last one is {head}; give the one that you read it at",
            field="saw",
        )


def require_unchanged(changed: Revision, saw: Revision, work: str) -> None:
    """Raises StaleRevision when the slot changed after what was seen; ``work`` is what is based on that."""
    if changed > saw:
        raise StaleRevision(
            f"what is known about this changed at revision {changed}, after revision {saw} which the {work} is based "
            f"on; read it again, and send the {work} with its present revision"
        )
