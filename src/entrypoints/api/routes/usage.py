"""What models cost, and the monthly limit."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec
from litestar import get, post, put
from litestar.params import JSONBody, QueryParameter

from application.operations.usage import MAX_LIMIT, set_monthly_limit, usage
from domain.identity.scope_name import ScopeKind, kind_of
from domain.ports.budgets import MAX_AMOUNT, Budgeted, BudgetLine, Quotas
from domain.ports.usage import Spending, UsageOfDay
from domain.quotas.rates import Rates
from entrypoints.api.sign_in import App, Caller, SignedIn

MICROS = 1_000_000
Amount = Annotated[int, msgspec.Meta(ge=0, le=MAX_AMOUNT)]


class UsageView(msgspec.Struct):
    """What one scope used of one model on one day (UTC). ``role`` is what it was used for, ``texts`` were embedded."""

    day: date
    scope: ScopeKind
    role: str
    model: str
    calls: int
    requests: int
    texts: int
    input_tokens: int
    output_tokens: int
    price: float

    @classmethod
    def of(cls, used: UsageOfDay) -> UsageView:
        """As it is shown."""
        return cls(
            used.day, kind_of(used.group_id), used.role, used.model, used.calls, used.requests, used.texts,
            used.input_tokens, used.output_tokens, used.price,
        )  # fmt: skip


class BudgetView(msgspec.Struct):
    """A budget of an organization or a workspace; money for models is in the currency of the prices, this month."""

    scope: ScopeKind
    what: Budgeted
    budget: float
    used: float
    remaining: float

    @classmethod
    def of(cls, line: BudgetLine) -> BudgetView:
        """As it is shown."""
        unit = MICROS if line.what is Budgeted.MODEL_CALLS else 1
        amounts = (line.budget / unit, line.used / unit, line.remaining / unit)
        return cls(kind_of(line.group_id), line.what, *amounts)


class QuotasWish(msgspec.Struct, forbid_unknown_fields=True):
    """What the organization, or one of its workspaces, may use; null is the installation's rate, or no budget.

    `principal_units` and `organization_units` are a minute's, and no more than the installation's.
    """

    workspace: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | None = None
    principal_units: Amount | None = None
    organization_units: Amount | None = None
    monthly_model_limit: Annotated[float, msgspec.Meta(ge=0, le=MAX_LIMIT)] | None = None
    artifact_bytes: Amount | None = None
    assertions: Amount | None = None

    def quotas(self) -> Quotas:
        """For the use case."""
        limit = None if self.monthly_model_limit is None else round(self.monthly_model_limit * MICROS)
        return Quotas(self.principal_units, self.organization_units, limit, self.artifact_bytes, self.assertions)


class RatesView(msgspec.Struct):
    """Units a minute that are in force in the organization: for one principal, and for all together; 0 is no limit."""

    principal_units: int
    organization_units: int

    @classmethod
    def of(cls, rates: Rates) -> RatesView:
        """As they are shown."""
        return cls(rates.principal, rates.organization)


class Usage(msgspec.Struct):
    """This month's spending of the organization, usage by day (newest first), rates, and budgets in sight."""

    spending: Spending
    days: list[UsageView]
    budgets: list[BudgetView]
    rates: RatesView


class LimitWish(msgspec.Struct, forbid_unknown_fields=True):
    """What models may cost the organization a month, in the currency of the prices; null is no limit."""

    limit: Annotated[float, msgspec.Meta(ge=0, le=MAX_LIMIT)] | None


class BudgetsSet(msgspec.Struct):
    """The budgets of the scope and of what contains it, and the rates of the organization."""

    budgets: list[BudgetView]
    rates: RatesView


@get("/usage", tags=["operations"])
async def usage_by_day(
    app: App,
    operating_access: Caller,
    since: Annotated[date | None, QueryParameter(description="The first day (UTC); else the last 31 days.")] = None,
) -> Usage:
    """Calls to paid models, by day, scope, role and model. Local models and what caches held cost nothing."""
    report = await usage(app.usage, app.budgets, operating_access, app.ports.clock, since)
    days = [UsageView.of(used) for used in report.days]
    rates = RatesView.of(await app.set_quotas.rates(operating_access.organization_id))
    return Usage(report.spending, days, [BudgetView.of(line) for line in report.budgets], rates)


@post("/usage/limit", status_code=200, tags=["operations"])
async def limit_usage(app: App, access: Caller, data: JSONBody[LimitWish]) -> Spending:
    """Set the organization's monthly limit. Calls beyond it are refused before they are made."""
    return await set_monthly_limit(app.unit_of_work, app.usage, access, data.limit)


@put("/usage/quotas", tags=["operations"])
async def set_quotas(app: App, credential: SignedIn, access: Caller, data: JSONBody[QuotasWish]) -> BudgetsSet:
    """Set what the organization or a workspace may use, in place of what was set. Writes beyond it are refused."""
    target = access
    if data.workspace is not None:
        target = await app.resolve_access(credential, data.workspace)
    lines = await app.set_quotas(access, target, data.quotas())
    rates = RatesView.of(await app.set_quotas.rates(access.organization_id))
    return BudgetsSet([BudgetView.of(line) for line in lines], rates)
