"""Organizations, workspaces, projects, people and keys."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import delete, get, post, put
from litestar.params import FromPath, JSONBody

from application.identity import queries
from application.identity.add_principal import NewPrincipal
from application.identity.create_organization import NewOrganization
from application.identity.issue_key import NewKey
from application.identity.queries import OrganizationSummary
from application.identity.rotate_key import Rotation
from application.identity.set_membership import NewMembership
from application.identity.switch_principal import Switch
from application.identity.who_am_i import WhoAmI, who_am_i
from domain.errors import InvalidInput
from domain.identity.grants import Grant
from domain.identity.ids import CredentialId, PrincipalId
from domain.identity.permissions import Action, permit
from domain.identity.principal import PrincipalKind, Role
from domain.identity.scope_name import ScopeKind, checked_name, kind_of
from domain.ports.directory import KeyRow, MembershipRow, PrincipalRow, ScopeRow
from entrypoints.api.routes.sources import Reason
from entrypoints.api.sign_in import App, Caller, Installer, SignedIn, require_operator

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class OrganizationWish(msgspec.Struct, forbid_unknown_fields=True):
    """A new organization and its owner's name."""

    name: Name
    owner: Name


class OrganizationMade(msgspec.Struct):
    """The new organization; ``key`` is shown this once."""

    id: UUID
    owner_id: UUID
    key: str
    revision: int


class WorkspaceWish(msgspec.Struct, forbid_unknown_fields=True):
    """A new workspace."""

    name: Name


class ProjectWish(msgspec.Struct, forbid_unknown_fields=True):
    """A new project in a workspace."""

    workspace: Name
    name: Name


class ScopeMade(msgspec.Struct):
    """The new scope; ``path`` is how requests name it."""

    id: UUID
    kind: str
    path: str
    revision: int


class AccountWish(msgspec.Struct, forbid_unknown_fields=True):
    """An account at an identity provider: the provider's address, and its ``sub`` for whom it means."""

    issuer: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    subject: Annotated[str, msgspec.Meta(min_length=1, max_length=255)]


class PrincipalWish(msgspec.Struct, forbid_unknown_fields=True):
    """A person or agent, and its role in the scope of the request; with an account, it signs in by that."""

    name: Name
    kind: PrincipalKind
    role: Role = Role.MEMBER
    account: AccountWish | None = None


class PrincipalMade(msgspec.Struct):
    """The new principal."""

    id: UUID
    revision: int


class MembershipWish(msgspec.Struct, forbid_unknown_fields=True):
    """A role in the scope of the request."""

    principal_id: UUID
    role: Role


class SwitchWish(msgspec.Struct, forbid_unknown_fields=True):
    """Why; it is kept in the journal."""

    reason: Reason | None = None


class Changed(msgspec.Struct):
    """The revision of the change; absent when there was nothing to change."""

    revision: int | None


class KeyWish(msgspec.Struct, forbid_unknown_fields=True):
    """A key that reaches the scope of the request. ``expires_at`` has a time zone.

    ``grants`` are the most that it may do, whatever its role; left out, there is no such bound.
    """

    principal_id: UUID
    name: Name
    role: Role
    expires_at: datetime | None = None
    grants: Annotated[list[Grant], msgspec.Meta(min_length=1)] | None = None


class KeyMade(msgspec.Struct):
    """The new key: shown this once, kept as a hash only."""

    id: UUID
    key: str
    prefix: str


class RotationWish(msgspec.Struct, forbid_unknown_fields=True):
    """For how many seconds the old key still works beside the new one: a day when left out, 30 days at most."""

    overlap_seconds: Annotated[int, msgspec.Meta(ge=0, le=2_592_000)] = 86_400


class KeyReplaced(msgspec.Struct):
    """The new key: shown this once, kept as a hash only; and when the old one ends."""

    id: UUID
    key: str
    prefix: str
    old_ends_at: datetime


class Listed(msgspec.Struct):
    """Scopes by path."""

    items: list[ScopeRow]


class Principals(msgspec.Struct):
    """Principals by name."""

    items: list[PrincipalRow]


class Memberships(msgspec.Struct):
    """Memberships by scope."""

    items: list[MembershipRow]


class Keys(msgspec.Struct):
    """Keys, newest first."""

    items: list[KeyRow]


@post("/organizations", guards=[require_operator], tags=["identity"])
async def create_organization(app: App, operator: Installer, data: JSONBody[OrganizationWish]) -> OrganizationMade:
    """Make an organization with its owner and first key. For the operator of the installation."""
    made = await app.identity.create_organization(operator, NewOrganization(data.name, data.owner))
    return OrganizationMade(made.organization_id, made.owner_id, made.key.key.text, made.revision)


@get("/me", tags=["identity"])
async def me(app: App, credential: SignedIn) -> WhoAmI:
    """Who is signed in: the principal, what its key or token may do at most, and the scopes where it has a role."""
    return await who_am_i(app.identity.subjects, credential)


@get("/organizations/current", tags=["identity"])
async def current_organization(app: App, access: Caller) -> OrganizationSummary:
    """The organization of the key."""
    return await queries.organization(app.unit_of_work, access)


@get("/workspaces", tags=["identity"])
async def workspaces(app: App, wide_access: Caller) -> Listed:
    """Workspaces within the caller's reach."""
    found = await queries.scopes(app.unit_of_work, wide_access)
    return Listed([scope for scope in found if scope.kind == ScopeKind.WORKSPACE])


@post("/workspaces", tags=["identity"])
async def create_workspace(app: App, access: Caller, data: JSONBody[WorkspaceWish]) -> ScopeMade:
    """Make a workspace in the organization. Projects are made with `POST /v1/projects`."""
    permit(access, Action.MANAGE_SCOPES)
    if kind_of(access.write_scope) is not ScopeKind.ORGANIZATION:
        raise InvalidInput(
            "a workspace is made in the organization; leave the scope out or name 'organization', and "
            "make a project with POST /v1/projects",
            field="scope",
        )
    made = await app.identity.create_scope(access, data.name)
    return ScopeMade(made.id, made.kind.value, made.name, made.revision)


@get("/projects", tags=["identity"])
async def projects(app: App, wide_access: Caller) -> Listed:
    """Projects within the caller's reach."""
    found = await queries.scopes(app.unit_of_work, wide_access)
    return Listed([scope for scope in found if scope.kind == ScopeKind.PROJECT])


@post("/projects", tags=["identity"])
async def create_project(app: App, credential: SignedIn, data: JSONBody[ProjectWish]) -> ScopeMade:
    """Make a project in a workspace."""
    workspace = checked_name(data.workspace, field="workspace")
    made = await app.identity.create_scope(await app.resolve_access(credential, workspace), data.name)
    return ScopeMade(made.id, made.kind.value, f"{workspace}/{made.name}", made.revision)


@get("/principals", tags=["identity"])
async def principals(app: App, wide_access: Caller) -> Principals:
    """People and agents: everybody for the organization, else those with a role in or around the scope."""
    return Principals(await queries.principals(app.unit_of_work, wide_access))


@post("/principals", tags=["identity"])
async def add_principal(app: App, access: Caller, data: JSONBody[PrincipalWish]) -> PrincipalMade:
    """Add a person or an agent as a member of the scope."""
    account = None if data.account is None else (data.account.issuer, data.account.subject)
    added = await app.identity.add_principal(access, NewPrincipal(data.name, data.kind, data.role, account))
    return PrincipalMade(added.id, added.revision)


@post("/principals/{principal_id:uuid}/disable", status_code=200, tags=["identity"])
async def disable_principal(
    app: App, wide_access: Caller, principal_id: FromPath[UUID], data: JSONBody[SwitchWish]
) -> Changed:
    """Disable a person or an agent in the whole organization: its keys, tokens and sessions stop. What it wrote stays,
    and so do its roles. 409 for the last owner. For administrators of the organization with no less than its roles."""
    wish = Switch(PrincipalId(principal_id), enabled=False, reason=data.reason)
    return Changed(await app.identity.switch_principal(wide_access, wish))


@post("/principals/{principal_id:uuid}/enable", status_code=200, tags=["identity"])
async def enable_principal(
    app: App, wide_access: Caller, principal_id: FromPath[UUID], data: JSONBody[SwitchWish]
) -> Changed:
    """Let a disabled person or agent act again, with the roles and the keys that it had."""
    wish = Switch(PrincipalId(principal_id), enabled=True, reason=data.reason)
    return Changed(await app.identity.switch_principal(wide_access, wish))


@get("/memberships", tags=["identity"])
async def memberships(app: App, wide_access: Caller) -> Memberships:
    """Who has which role in the scope, around it and inside it."""
    return Memberships(await queries.memberships(app.unit_of_work, wide_access))


@put("/memberships", tags=["identity"])
async def set_membership(app: App, access: Caller, data: JSONBody[MembershipWish]) -> Changed:
    """Give a principal a role in the scope, in place of the one it had."""
    return Changed(await app.identity.set_membership(access, NewMembership(PrincipalId(data.principal_id), data.role)))


@delete("/memberships/{principal_id:uuid}", status_code=200, tags=["identity"])
async def remove_membership(app: App, access: Caller, principal_id: FromPath[UUID]) -> Changed:
    """Take a principal's role in the scope away; roles in other scopes stay. 409 for the last owner."""
    return Changed(await app.identity.remove_membership(access, PrincipalId(principal_id)))


@post("/memberships/leave", status_code=200, tags=["identity"])
async def leave(app: App, access: Caller) -> Changed:
    """Leave the scope: give the caller's own role in it back. 409 for the last owner of an organization."""
    return Changed(await app.identity.remove_membership(access, access.principal.id))


@get("/api-keys", tags=["identity"])
async def keys(app: App, wide_access: Caller) -> Keys:
    """Keys whose reach is the scope or lies inside it; never the keys themselves."""
    return Keys(await queries.keys(app.unit_of_work, wide_access))


@post("/api-keys", tags=["identity"])
async def issue_key(app: App, access: Caller, data: JSONBody[KeyWish]) -> KeyMade:
    """Issue a key that reaches the scope and what is in it."""
    grants = None if data.grants is None else frozenset(data.grants)
    wish = NewKey(PrincipalId(data.principal_id), data.name, data.role, data.expires_at, grants)
    issued = await app.identity.issue_key(access, wish)
    return KeyMade(issued.id, issued.key.text, issued.key.prefix)


@post("/api-keys/{key_id:uuid}/rotate", tags=["identity"])
async def rotate_key(
    app: App, wide_access: Caller, key_id: FromPath[UUID], data: JSONBody[RotationWish]
) -> KeyReplaced:
    """Make a new key in place of one, with its name, principal, role, grants, reach and end. The old one works until
    the overlap is over. 409 for a key that was revoked, is over or was replaced before. Everybody may rotate keys of
    their own: one that somebody else issued opens the personal scope only after that."""
    wish = Rotation(CredentialId(key_id), timedelta(seconds=data.overlap_seconds))
    made = await app.identity.rotate_key(wide_access, wish)
    return KeyReplaced(made.key.id, made.key.key.text, made.key.key.prefix, made.old_ends_at)


@delete("/api-keys/{key_id:uuid}", status_code=200, tags=["identity"])
async def revoke_key(app: App, wide_access: Caller, key_id: FromPath[UUID]) -> Changed:
    """Revoke a key; it stops working at once."""
    return Changed(await app.identity.revoke_key(wide_access, CredentialId(key_id)))
