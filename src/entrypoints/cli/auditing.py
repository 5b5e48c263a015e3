"""The audit: who did what, from where, and what became of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from application.audit.queries import AuditFilter, AuditKept, audit_kept, audit_lines, every_audit_line, keep_audit
from domain.audit.line import LEAST_DAYS, MOST_DAYS, MOST_LINES, AuditAction
from domain.errors import InvalidInput, shown
from entrypoints.cli.acting import Call, Command, acting
from entrypoints.cli.output import Output, listing, sentence
from entrypoints.cli.target_file import new_file
from entrypoints.views.audit import AuditLineView

_COLUMNS = {"at": "at", "who": "who", "door": "door", "action": "action", "what": "what", "outcome": "outcome",
            "address": "from"}  # fmt: skip


def _filters(function: Command) -> Command:
    for option in (
        click.option("--until", help="Before this time."),
        click.option("--since", help="From this time on."),
        click.option("--outcome", help="How it ended: ok, or the code of a refusal, such as forbidden."),
        click.option("--action", type=click.Choice([action.value for action in AuditAction])),
        click.option("--principal", type=click.UUID, help="What this principal did."),
    ):
        function = option(function)
    return function


def _asked(
    principal: Any, action: str | None, outcome: str | None, since: str | None, until: str | None
) -> AuditFilter:
    wanted = None if action is None else AuditAction(action)
    return AuditFilter(principal, wanted, outcome, _time(since, "since"), _time(until, "until"))


def _time(text: str | None, field: str) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"{shown(text)} is no time; write it like 2026-05-01T00:00:00+00:00", field=field) from None


@click.group()
def audit() -> None:
    """Who read, wrote, exported, signed in or was refused: list, export, keep."""


@audit.command("list")
@_filters
@click.option("--limit", type=click.IntRange(1, MOST_LINES), default=50, show_default=True)
@acting
async def list_lines(call: Call, limit: int, **asked: Any) -> Output:
    """List lines of the scope and everything inside it, the newest first. Needs the role admin."""
    read = _asked(**asked).read(limit=limit)
    found = await audit_lines(call.unit_of_work, await call.wide_access(), read)
    rows = [
        msgspec.to_builtins(AuditLineView.of(line)) | {"at": line.at, "who": line.principal_name or line.principal_kind}
        for line in found
    ]
    return listing(rows, _COLUMNS, empty="nothing was found")


@audit.command("export")
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
@_filters
@acting
async def export_lines(call: Call, target: Path, **asked: Any) -> Output:
    """Write lines to TARGET, a JSON object a line, the oldest first."""
    access, count = await call.wide_access(), 0
    lines = every_audit_line(call.unit_of_work, access, _asked(**asked))
    with new_file(target) as file:
        async for line in lines:
            file.write(msgspec.json.encode(AuditLineView.of(line)) + b"\n")
            count += 1
    return sentence({"lines": count, "file": str(target)}, f"{count} lines written to {target}")


@audit.command("keep")
@click.argument("days", type=click.IntRange(LEAST_DAYS, MOST_DAYS), required=False)
@click.option("--default", "configured", is_flag=True, help="Leave it to the installation.")
@acting
async def keep_lines(call: Call, days: int | None, configured: bool) -> Output:
    """Set for how many DAYS the organization's lines are kept, 30 or more; without DAYS, show it."""
    if days is not None and configured:
        raise click.UsageError("name a number of days, or say --default")
    access = await call.administration_access()
    if days is not None or configured:
        await keep_audit(call.unit_of_work, access, days)
    kept = await audit_kept(call.unit_of_work, access, call.app.settings.audit.days)
    return sentence(kept, _told(kept))


def _told(kept: AuditKept) -> str:
    whose = "as the installation is configured" if kept.days is None else "as the organization says"
    return f"lines of the audit are kept for {kept.in_force} days, {whose}"


COMMANDS = (audit,)
