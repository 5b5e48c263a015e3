"""People and agents, and their roles."""

from __future__ import annotations

from uuid import UUID

import click

from application.identity import queries
from application.identity.add_principal import NewPrincipal
from application.identity.set_membership import NewMembership
from application.identity.switch_principal import Switch
from domain.identity.ids import PrincipalId, Revision
from domain.identity.principal import PrincipalKind, Role
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.keys import ROLES
from entrypoints.cli.output import Output, listing, sentence

KINDS = click.Choice([PrincipalKind.HUMAN.value, PrincipalKind.AGENT.value])


@click.group()
def people() -> None:
    """People and agents, and their roles: list, add, role, remove, leave, disable, enable."""


@people.command("list")
@acting
async def list_people(call: Call) -> Output:
    """List people and agents with their roles, in the scope, around it and inside it."""
    wide = await call.wide_access()
    roles = await queries.memberships(call.unit_of_work, wide)
    rows = [
        {
            "principal_id": person.id, "name": person.name, "kind": person.kind.value,
            "disabled_at": person.disabled_at,
            "roles": [f"{role.role.value} in {role.scope}" for role in roles if role.principal_id == person.id],
        }
        for person in await queries.principals(call.unit_of_work, wide)
    ]  # fmt: skip
    columns = {"principal_id": "id", "name": "name", "kind": "kind", "roles": "roles", "disabled_at": "disabled"}
    return listing(rows, columns, empty="nobody here")


@people.command("add")
@click.argument("name")
@click.option("--kind", type=KINDS, default=PrincipalKind.HUMAN.value, show_default=True)
@click.option("--role", type=ROLES, default=Role.MEMBER.value, show_default=True)
@acting
async def add(call: Call, name: str, kind: str, role: str) -> Output:
    """Add a person or an agent as a member of the scope."""
    wish = NewPrincipal(name, PrincipalKind(kind), Role(role))
    added = await call.app.identity.add_principal(await call.administration_access(), wish)
    data = {"principal_id": added.id, "revision": added.revision}
    return sentence(data, f"{name} is {added.id}; `assay keys issue` gives it a key")


@people.command("role")
@click.argument("principal_id", type=click.UUID)
@click.argument("role", type=ROLES)
@acting
async def give_role(call: Call, principal_id: UUID, role: str) -> Output:
    """Give a person or an agent a role in the scope, in place of the one it had."""
    wish = NewMembership(PrincipalId(principal_id), Role(role))
    revision = await call.app.identity.set_membership(await call.administration_access(), wish)
    return _changed(principal_id, revision, f"{role} now")


@people.command("remove")
@click.argument("principal_id", type=click.UUID)
@acting
async def remove(call: Call, principal_id: UUID) -> Output:
    """Take somebody's role in the scope away; roles in other scopes stay."""
    access = await call.administration_access()
    revision = await call.app.identity.remove_membership(access, PrincipalId(principal_id))
    return _changed(principal_id, revision, "the role in this scope is taken away")


@people.command("leave")
@acting
async def leave(call: Call) -> Output:
    """Leave the scope: give your own role in it back."""
    access = await call.administration_access()
    revision = await call.app.identity.remove_membership(access, access.principal.id)
    return _changed(access.principal.id, revision, "you have no role of your own in this scope any more")


@people.command("disable")
@click.argument("principal_id", type=click.UUID)
@click.option("--reason")
@acting
async def disable(call: Call, principal_id: UUID, reason: str | None) -> Output:
    """Disable somebody in the whole organization: keys, tokens and sessions stop."""
    return await _switched(call, principal_id, False, reason)


@people.command("enable")
@click.argument("principal_id", type=click.UUID)
@click.option("--reason")
@acting
async def enable(call: Call, principal_id: UUID, reason: str | None) -> Output:
    """Let somebody who was disabled act again."""
    return await _switched(call, principal_id, True, reason)


async def _switched(call: Call, principal_id: UUID, enabled: bool, reason: str | None) -> Output:
    wish = Switch(PrincipalId(principal_id), enabled, reason)
    revision = await call.app.identity.switch_principal(await call.wide_access(), wish)
    state = "enabled" if enabled else "disabled"
    return _changed(principal_id, revision, f"it was {state} before" if revision is None else state)


def _changed(principal_id: UUID, revision: Revision | None, text: str) -> Output:
    return sentence({"principal_id": principal_id, "revision": revision}, text)


COMMANDS = (people,)
