"""What models cost, and the monthly limit."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody, QueryParameter

from application.operations.usage import MAX_LIMIT, set_monthly_limit, usage
from domain.identity.scope_name import ScopeKind, kind_of
from domain.ports.usage import Spending, UsageOfDay
from entrypoints.api.sign_in import App, Caller


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


class Usage(msgspec.Struct):
    """This month's spending of the organization, and usage by day, newest first, in the scopes that the caller sees."""

    spending: Spending
    days: list[UsageView]


class LimitWish(msgspec.Struct, forbid_unknown_fields=True):
    """What models may cost the organization a month, in the currency of the prices; null is no limit."""

    limit: Annotated[float, msgspec.Meta(ge=0, le=MAX_LIMIT)] | None


@get("/usage", tags=["operations"])
async def usage_by_day(
    app: App,
    operating_access: Caller,
    since: Annotated[date | None, QueryParameter(description="The first day (UTC); else the last 31 days.")] = None,
) -> Usage:
    """Calls to paid models, by day, scope, role and model. Local models and what caches held cost nothing."""
    report = await usage(app.usage, operating_access, app.ports.clock, since)
    return Usage(report.spending, [UsageView.of(used) for used in report.days])


@post("/usage/limit", status_code=200, tags=["operations"])
async def limit_usage(app: App, access: Caller, data: JSONBody[LimitWish]) -> Spending:
    """Set the organization's monthly limit. Calls beyond it are refused before they are made."""
    return await set_monthly_limit(app.unit_of_work, app.usage, access, data.limit)
