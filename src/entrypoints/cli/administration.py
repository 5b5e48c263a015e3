"""Organizations and workspaces."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import UUID

import click

from application.identity import queries
from application.identity.break_glass import Emergency
from application.identity.create_organization import NewOrganization
from domain.identity.ids import OrganizationId
from entrypoints.cli.acting import Call, acting, json_option, opened, quiet_settings
from entrypoints.cli.audited import audited
from entrypoints.cli.local_access import OPERATOR
from entrypoints.cli.output import Output, listing, sentence


@click.group()
def organizations() -> None:
    """Organizations: create, list."""


@organizations.command("create")
@click.argument("name")
@click.option("--owner", required=True, help="The name of the person who owns it.")
@json_option
def create_organization(name: str, owner: str) -> Output:
    """Make an organization with its owner and first key. The key is shown this once."""
    settings = quiet_settings()

    async def work() -> Output:
        async with opened(settings) as app, audited(app):
            made = await app.identity.create_organization(OPERATOR, NewOrganization(name, owner))
        data = {"organization_id": made.organization_id, "owner_id": made.owner_id, "key": made.key.key.text}
        return sentence(
            data,
            f"organization {made.organization_id}, owner {made.owner_id}",
            made.key.key.text,
            "This is the only time that the key is shown. Use it as ASSAY_KEY, or send it to the API.",
        )

    return asyncio.run(work())


@click.command("break-glass")
@click.option("--reason", required=True, help="Why no other way in is left; it is kept in the journal.")
@click.option("--organization", type=click.UUID, help="Which one; left out, the only one there is.")
@click.option("--hours", type=click.FloatRange(0, 24, min_open=True), default=1.0, show_default=True)
@json_option
def break_glass(reason: str, organization: UUID | None, hours: float) -> Output:
    """Issue an owner's key that ends soon, for whoever runs the server and has lost every other way in."""
    settings = quiet_settings()
    chosen = None if organization is None else OrganizationId(organization)

    async def work() -> Output:
        async with opened(settings) as app, audited(app):
            made = await app.identity.break_glass(OPERATOR, Emergency(reason, chosen, timedelta(hours=hours)))
        data = {
            "organization_id": made.organization_id, "principal_id": made.principal_id,
            "credential_id": made.key.id, "key": made.key.key.text, "ends_at": made.ends_at,
        }  # fmt: skip
        until = f"It ends at {made.ends_at.isoformat(timespec='seconds')}. This is the only time that it is shown."
        return sentence(data, made.key.key.text, until, "The journal says that it was issued, and why.")

    return asyncio.run(work())


@organizations.command("list")
@acting
async def list_organizations(call: Call) -> Output:
    """Show the organization of the key: one key never sees another organization."""
    found = await queries.organization(call.unit_of_work, call.access)
    rows = [{"organization_id": found.id, "name": found.name, "gate": found.gate}]
    return listing(rows, {"organization_id": "id", "name": "name", "gate": "gate"}, empty="")


@click.group()
def workspaces() -> None:
    """Workspaces and projects: create, list."""


@workspaces.command("create")
@click.argument("name")
@acting
async def create_workspace(call: Call, name: str) -> Output:
    """Make a workspace in the organization; with `--scope WORKSPACE`, a project in that workspace."""
    made = await call.app.identity.create_scope(await call.administration_access(), name)
    data = {"id": made.id, "kind": made.kind.value, "name": made.name, "revision": made.revision}
    return sentence(data, f"{made.kind.value} {made.name}")


@workspaces.command("list")
@acting
async def list_workspaces(call: Call) -> Output:
    """List workspaces and projects that the key reaches."""
    found = await queries.scopes(call.unit_of_work, await call.wide_access())
    rows = [{"id": s.id, "scope": s.path, "kind": s.kind, "gate": s.gate, "created_at": s.created_at} for s in found]
    return listing(rows, {"scope": "scope", "kind": "kind", "gate": "gate", "created_at": "made"}, empty="none")


COMMANDS = (break_glass, organizations, workspaces)
