"""Where the target of an erasure or a hold lies."""

from __future__ import annotations

from domain.erasure.targets import Target, TargetKind
from domain.errors import ErasedBefore, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import GroupId
from domain.ports.unit_of_work import Transaction


async def located(tx: Transaction, access: Access, target: Target, *, more_may_come: bool = False) -> GroupId:
    """The scope of a target that is there, and that the access writes in.

    ``more_may_come`` takes an erased source, too: new documents can come of it. Raises NotFound, InvalidInput to name
    another scope, ErasedBefore when it was erased and nothing of it came since.
    """
    place = await tx.erasures.place_of(target)
    if place is None:
        raise NotFound(f"no {target} in your scopes")
    group, erased = place
    if erased and not (more_may_come and target.kind is TargetKind.SOURCE):
        raise await erased_before(tx, target)
    if group not in access.writable:
        raise InvalidInput(f"the {target} lies in another scope than the one you write in; name that", field="scope")
    return group


async def erased_before(tx: Transaction, target: Target) -> ErasedBefore:
    """What is said of a target that is erased already: by which erasure, the first one."""
    first = await tx.erasures.erasure_of_target(target)
    by = f" by the erasure {first[0]} of {first[1].isoformat()}" if first else ""
    return ErasedBefore(f"the {target} was erased before{by}; nothing new of it came since")
