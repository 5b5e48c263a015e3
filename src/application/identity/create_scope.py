"""Making workspaces and projects."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from domain.errors import Conflict, InvalidInput, shown
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.identity.permissions import Action, permit
from domain.identity.scope_name import ScopeKind, checked_name, group_id_of
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork

_INSIDE = {"o": ScopeKind.WORKSPACE, "w": ScopeKind.PROJECT}


@dataclass(frozen=True, slots=True)
class ScopeCreated:
    """The new scope's public id, kind and kept name."""

    id: UUID
    kind: ScopeKind
    name: str
    revision: Revision


class CreateScope:
    """Makes a workspace in an organization, or a project in a workspace: what the access's scope can contain.

    - The caller is an admin of the containing scope, and stays one in the new scope.
    - Names are kept composed and in lower case; one that is taken is a Conflict.
    """

    def __init__(self, unit_of_work: UnitOfWork, ids: Ids) -> None:
        self._unit_of_work = unit_of_work
        self._ids = ids

    async def __call__(self, access: Access, name: str) -> ScopeCreated:
        """Raises Forbidden, InvalidInput or Conflict."""
        permit(access, Action.MANAGE_SCOPES)
        container = access.write_scope
        kind = _INSIDE.get(container[0])
        if kind is None:
            raise InvalidInput("nothing can be made in this scope; name the organization or a workspace", field="scope")
        name = checked_name(name)
        group_id = group_id_of(kind, self._ids.new())
        wider = replace(access, read_scopes=(group_id, *access.read_scopes), write_scopes=(container, group_id))
        try:
            async with self._unit_of_work(wider) as tx:
                scope_id = await tx.directory.add_scope(group_id, kind.value, name, container, None)
                revision = await tx.journal.advance(
                    Entry(f"create_{kind.value}", container, {"scope_id": str(scope_id)})
                )
        except Conflict as error:
            raise Conflict(
                f"there is a {kind.value} {shown(name)} already; choose another name", field="name"
            ) from error
        return ScopeCreated(scope_id, kind, name, revision)
