"""What models cost, and the monthly limit."""

from __future__ import annotations

from datetime import datetime

import click
import msgspec

from application.operations.usage import MAX_LIMIT, set_monthly_limit, usage
from domain.identity.scope_name import kind_of
from domain.ports.usage import Spending
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, listing, plain, sentence

_COLUMNS = {
    "day": "day", "scope": "scope", "role": "for", "model": "model", "calls": "calls", "texts": "texts",
    "input_tokens": "tokens in", "output_tokens": "tokens out", "price": "price",
}  # fmt: skip


@click.group("usage")
def usage_commands() -> None:
    """Paid models: what they cost, and the monthly limit: show, limit."""


@usage_commands.command("show")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="The first day (UTC); else the last 31 days.")
@acting
async def show_usage(call: Call, since: datetime | None) -> Output:
    """Show calls to paid models by day, and what the organization has spent this month."""
    access = await call.operating_access()
    report = await usage(call.app.usage, access, call.app.ports.clock, since.date() if since else None)
    rows = [msgspec.to_builtins(used) | {"scope": kind_of(used.group_id).value} for used in report.days]
    for row in rows:
        del row["group_id"]
    shown = listing(rows, _COLUMNS, empty="no paid model was called")
    data = {"spending": msgspec.to_builtins(report.spending), "days": rows}
    return Output(data, (*shown.parts, plain(_spent(report.spending))))


@usage_commands.command("limit")
@click.argument("amount", type=click.FloatRange(0, MAX_LIMIT), required=False)
@click.option("--none", "unlimited", is_flag=True, help="Take the limit away.")
@acting
async def limit_usage(call: Call, amount: float | None, unlimited: bool) -> Output:
    """Set what models may cost the organization a month, in the currency of their prices."""
    if (amount is not None) is unlimited:
        raise click.UsageError("name an amount, or say --none")
    access = await call.administration_access()
    spending = await set_monthly_limit(call.unit_of_work, call.app.usage, access, amount)
    return sentence(msgspec.to_builtins(spending), _spent(spending))


def _spent(spending: Spending) -> str:
    limit = "no limit" if spending.limit is None else f"of {spending.limit:.2f}"
    return f"spent this month: {spending.spent:.2f}, {limit}"


COMMANDS = (usage_commands,)
