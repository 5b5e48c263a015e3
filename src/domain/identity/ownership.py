"""An organization always has an owner who can act: a person who is not disabled."""

from __future__ import annotations

from collections.abc import Collection

from domain.errors import LastOwner
from domain.identity.ids import PrincipalId


def require_owner_left(owners: Collection[PrincipalId], leaving: PrincipalId) -> None:
    """Raise LastOwner when nobody owns the organization once ``leaving`` does not.

    ``owners`` are the people who own it now and are not disabled; an agent's ownership does not count, since an agent
    decides nothing.
    """
    if leaving in owners and len(set(owners)) == 1:
        raise LastOwner(
            "this is the last owner of the organization: give another person the role owner there first, so that "
            "somebody is left who can manage it",
            field="principal_id",
        )
