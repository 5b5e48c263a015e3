"""API keys."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

import click

from application.identity import queries
from application.identity.issue_key import NewKey
from application.identity.rotate_key import Rotation
from domain.identity.grants import Grant, grants_in
from domain.identity.ids import CredentialId, PrincipalId
from domain.identity.principal import Role
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, listing, sentence

ROLES = click.Choice([role.value for role in Role])
GRANTS = click.Choice([grant.value for grant in Grant])


@click.group()
def keys() -> None:
    """API keys: issue, list, rotate, revoke."""


@keys.command("issue")
@click.argument("name")
@click.option("--role", type=ROLES, default=Role.MEMBER.value, show_default=True)
@click.option("--principal", type=click.UUID, help="Whose key it is; left out, your own.")
@click.option("--expires-at", help="A time with zone, such as 2030-01-31T00:00:00+00:00; left out, never.")
@click.option("--grant", "grants", type=GRANTS, multiple=True, help="The most that it may do; left out, no bound.")
@acting
async def issue(
    call: Call, name: str, role: str, principal: UUID | None, expires_at: str | None, grants: tuple[str, ...]
) -> Output:
    """Issue a key that reaches the scope and what is in it. It is shown this once."""
    principal_id = PrincipalId(principal) if principal else call.access.principal.id
    command = NewKey(principal_id, name, Role(role), _time(expires_at), grants_in(grants) if grants else None)
    issued = await call.app.identity.issue_key(await call.administration_access(), command)
    data = {"credential_id": issued.id, "key": issued.key.text, "name": name, "role": role}
    return sentence(data, issued.key.text, "This is the only time that the key is shown.")


@keys.command("list")
@acting
async def list_keys(call: Call) -> Output:
    """List keys of the scope and of what is in it."""
    found = await queries.keys(call.unit_of_work, await call.wide_access())
    rows = [
        {
            "credential_id": key.id, "name": key.name, "prefix": key.prefix, "principal_id": key.principal_id,
            "role": key.role.value, "scope": key.scope, "created_at": key.created_at, "expires_at": key.expires_at,
            "revoked_at": key.revoked_at, "last_used_at": key.last_used_at,
            "grants": None if key.grants is None else [grant.value for grant in key.grants],
            "replaced_by": key.replaced_by, "issued_by": key.issued_by,
        }
        for key in found
    ]  # fmt: skip
    columns = {
        "credential_id": "id", "name": "name", "prefix": "begins", "role": "role", "scope": "scope",
        "last_used_at": "last used", "expires_at": "ends", "revoked_at": "revoked",
    }  # fmt: skip
    return listing(rows, columns, empty="no keys here")


@keys.command("rotate")
@click.argument("credential_id", type=click.UUID)
@click.option("--overlap-hours", type=click.FloatRange(0, 720), default=24.0, show_default=True)
@acting
async def rotate(call: Call, credential_id: UUID, overlap_hours: float) -> Output:
    """Make a new key in place of one, which works on for the overlap. It is shown this once."""
    wish = Rotation(CredentialId(credential_id), timedelta(hours=overlap_hours))
    made = await call.app.identity.rotate_key(await call.wide_access(), wish)
    data = {"credential_id": made.key.id, "key": made.key.key.text, "old_ends_at": made.old_ends_at}
    until = f"This is the only time that the key is shown. The old one works until {made.old_ends_at.isoformat()}."
    return sentence(data, made.key.key.text, until)


@keys.command("revoke")
@click.argument("credential_id", type=click.UUID)
@acting
async def revoke(call: Call, credential_id: UUID) -> Output:
    """Revoke a key, by its id."""
    revision = await call.app.identity.revoke_key(await call.wide_access(), CredentialId(credential_id))
    text = "it was revoked before" if revision is None else "revoked; it stops working at once"
    return sentence({"credential_id": credential_id, "revision": revision}, text)


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no time; write it like 2030-01-31T00:00:00+00:00") from None


COMMANDS = (keys,)
