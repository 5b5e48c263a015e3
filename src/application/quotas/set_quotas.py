"""Setting what an organization or a workspace may use."""

from __future__ import annotations

from dataclasses import replace

from domain.errors import Forbidden, InvalidInput
from domain.identity.access import Access
from domain.identity.ids import OrganizationId
from domain.identity.permissions import Action, permit
from domain.identity.scope_name import ScopeKind, kind_of
from domain.ports.budgets import BudgetLine, Budgets, Quotas
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork
from domain.quotas.rates import Cost, Rates


class SetQuotas:
    """Sets the quotas of the organization, or of one of its workspaces, in place of those that were set.

    - The caller is an administrator of the organization: a workspace's own cannot raise what it was given.
    - A rate is the organization's, and no higher than the installation's: only the settings raise that.
    - A rate lets the dearest request pass: else nobody could set it anew.
    - An organization's budget for models is its monthly limit, which is set by itself.
    """

    def __init__(self, unit_of_work: UnitOfWork, budgets: Budgets, most: Rates) -> None:
        self._unit_of_work = unit_of_work
        self._budgets = budgets
        self._most = most

    async def __call__(self, access: Access, target: Access, quotas: Quotas) -> list[BudgetLine]:
        """``access`` is to the organization, ``target`` to it or a workspace of it. Raises Forbidden, InvalidInput."""
        permit(access, Action.OPERATE)
        if kind_of(access.write_scope) is not ScopeKind.ORGANIZATION:
            raise Forbidden("quotas are set by administrators of the organization; use a key that reaches all of it")
        self._check(kind_of(target.write_scope), quotas)
        async with self._unit_of_work(target) as tx:
            await tx.directory.set_quotas(target.write_scope, quotas)
            said = {name: getattr(quotas, name) for name in quotas.__slots__ if getattr(quotas, name) is not None}
            await tx.journal.advance(Entry("set_quotas", target.write_scope, {"group_id": target.write_scope, **said}))
        return await self._budgets.lines(access.organization_id, [target.write_scope])

    async def rates(self, organization_id: OrganizationId) -> Rates:
        """What is in force for the organization."""
        principal, organization = await self._budgets.rates(organization_id)
        return replace(
            self._most,
            principal=self._most.principal if principal is None else principal,
            organization=self._most.organization if organization is None else organization,
        )

    def _check(self, kind: ScopeKind, quotas: Quotas) -> None:
        if kind not in (ScopeKind.ORGANIZATION, ScopeKind.WORKSPACE):
            raise InvalidInput("quotas are an organization's or a workspace's; name one of them", field="workspace")
        wishes = (
            ("principal_units", quotas.principal_units, self._most.principal),
            ("organization_units", quotas.organization_units, self._most.organization),
        )
        dearest = max(self._most.units(cost) for cost in Cost)
        for name, wish, most in wishes:
            if wish is not None and kind is not ScopeKind.ORGANIZATION:
                raise InvalidInput("rates are the organization's; leave the workspace out", field=name)
            if wish is not None and most and wish > most:
                raise InvalidInput(f"it is at most {most}, which is the installation's; not {wish}", field=name)
            if wish is not None and (wish or most) and wish < dearest:
                raise InvalidInput(
                    f"it is at least {dearest}, which the dearest request costs; with {wish} that would never pass",
                    field=name,
                )
        if quotas.monthly_model_micros is not None and kind is ScopeKind.ORGANIZATION:
            raise InvalidInput(
                "the organization's budget for models is its monthly limit; set it with /v1/usage/limit",
                field="monthly_model_limit",
            )
