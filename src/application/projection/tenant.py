"""The access of work that concerns a whole organization."""

from __future__ import annotations

from application.identity.access import AccessResolver
from domain.errors import Forbidden
from domain.identity.access import Access
from domain.identity.ids import GroupId
from domain.identity.permissions import Action, permit
from domain.identity.principal import PrincipalKind

_ROOT = "o_"


async def organization_wide(resolver: AccessResolver, access: Access) -> Access:
    """All scopes of the caller's organization. The system may from any scope; others operate the organization's own.

    Raises Forbidden.
    """
    permit(access, Action.OPERATE)
    if access.principal.kind is not PrincipalKind.SYSTEM and not access.write_scope.startswith(_ROOT):
        raise Forbidden(
            "this concerns the whole organization; use the scope 'organization' with an administrator's key"
        )
    return await resolver.for_organization(access.organization_id, root_of(access))


def root_of(access: Access) -> GroupId:
    """The organization's own scope, which contains every other that the access reads."""
    return next(group for group in access.read_scopes if group.startswith(_ROOT))
