"""What models cost, and the monthly limit."""

from __future__ import annotations

from datetime import datetime

import click
import msgspec

from application.operations.usage import MAX_LIMIT, set_monthly_limit, usage
from domain.identity.scope_name import kind_of
from domain.ports.budgets import MAX_AMOUNT, Budgeted, BudgetLine, Quotas
from domain.ports.usage import Spending
from domain.quotas.rates import Rates
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, listing, plain, sentence

_COLUMNS = {
    "day": "day", "scope": "scope", "role": "for", "model": "model", "calls": "calls", "texts": "texts",
    "input_tokens": "tokens in", "output_tokens": "tokens out", "price": "price",
}  # fmt: skip
_BUDGET_COLUMNS = {"scope": "scope", "what": "of", "budget": "budget", "used": "used", "remaining": "left"}
_AMOUNT = click.IntRange(0, MAX_AMOUNT)
_MICROS = 1_000_000


@click.group("usage")
def usage_commands() -> None:
    """Paid models: what they cost, the monthly limit, and quotas: show, limit, quotas."""


@usage_commands.command("show")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="The first day (UTC); else the last 31 days.")
@acting
async def show_usage(call: Call, since: datetime | None) -> Output:
    """Show calls to paid models by day, and what the organization has spent this month."""
    access = await call.operating_access()
    report = await usage(
        call.app.usage, call.app.budgets, access, call.app.ports.clock, since.date() if since else None
    )
    rows = [msgspec.to_builtins(used) | {"scope": kind_of(used.group_id).value} for used in report.days]
    for row in rows:
        del row["group_id"]
    shown = listing(rows, _COLUMNS, empty="no paid model was called")
    budgets = [_budget(line) for line in report.budgets]
    rates = await call.app.set_quotas.rates(access.organization_id)
    data = {
        "spending": msgspec.to_builtins(report.spending), "days": rows, "budgets": budgets, "rates": _in_units(rates)
    }  # fmt: skip
    parts = (*shown.parts, plain(_spent(report.spending)), plain(_told(rates)))
    return Output(data, (*parts, *listing(budgets, _BUDGET_COLUMNS, empty="").parts) if budgets else parts)


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


@usage_commands.command("quotas")
@click.option("--workspace", help="A workspace's, in place of the organization's.")
@click.option("--principal-units", type=_AMOUNT, help="Units a minute for one principal.")
@click.option("--organization-units", type=_AMOUNT, help="Units a minute for all of the organization.")
@click.option("--monthly-models", type=click.FloatRange(0, MAX_LIMIT), help="What models may cost a workspace a month.")
@click.option("--artifact-bytes", type=_AMOUNT, help="Bytes of artifacts.")
@click.option("--assertions", type=_AMOUNT, help="How many assertions.")
@acting
async def set_quotas(
    call: Call,
    workspace: str | None,
    principal_units: int | None,
    organization_units: int | None,
    monthly_models: float | None,
    artifact_bytes: int | None,
    assertions: int | None,
) -> Output:
    """Set what the organization or a workspace may use; what is left out is the installation's, or no budget."""
    access = await call.administration_access()
    target = await call.app.resolve_access(call.credential, workspace) if workspace else access
    models = None if monthly_models is None else round(monthly_models * _MICROS)
    quotas = Quotas(principal_units, organization_units, models, artifact_bytes, assertions)
    lines = await call.app.set_quotas(access, target, quotas)
    rates = await call.app.set_quotas.rates(access.organization_id)
    budgets = listing([_budget(line) for line in lines], _BUDGET_COLUMNS, empty="no budget is set")
    return Output({"budgets": budgets.data, "rates": _in_units(rates)}, (*budgets.parts, plain(_told(rates))))


def _in_units(rates: Rates) -> dict[str, int]:
    return {"principal_units": rates.principal, "organization_units": rates.organization}


def _told(rates: Rates) -> str:
    units = (f"{most:,}" if most else "no limit" for most in (rates.principal, rates.organization))
    return "units a minute: {} for a principal, {} for the organization".format(*units)


def _budget(line: BudgetLine) -> dict[str, object]:
    unit = _MICROS if line.what is Budgeted.MODEL_CALLS else 1
    return {
        "scope": kind_of(line.group_id).value,
        "what": line.what.value,
        "budget": line.budget / unit,
        "used": line.used / unit,
        "remaining": line.remaining / unit,
    }


def _spent(spending: Spending) -> str:
    limit = "no limit" if spending.limit is None else f"of {spending.limit:.2f}"
    return f"spent this month: {spending.spent:.2f}, {limit}"


COMMANDS = (usage_commands,)
