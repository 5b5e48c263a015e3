"""Where the target of an erasure or a hold lies."""

from __future__ import annotations

from domain.erasure.targets import Target
from domain.errors import Conflict, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import GroupId
from domain.ports.unit_of_work import Transaction


async def located(tx: Transaction, access: Access, target: Target) -> GroupId:
    """The scope of a target that is there, and that the access writes in.

    Raises NotFound, InvalidInput to name another scope, Conflict when it was erased.
    """
    place = await tx.erasures.place_of(target)
    if place is None:
        raise NotFound(f"no {target} in your scopes")
    group, erased = place
    if erased:
        raise Conflict(f"the {target} was erased before")
    if group not in access.writable:
        raise InvalidInput(f"the {target} lies in another scope than the one you write in; name that", field="scope")
    return group
