"""Whom an erasure of everything about an entity is about, and which documents name it."""

from __future__ import annotations

from dataclasses import replace

from application.erasure.place import located
from application.identity.access import AccessResolver
from application.projection.tenant import root_of
from domain.erasure.canaries import checked_spellings
from domain.erasure.naming import NamingPlan, NamingWish
from domain.erasure.targets import Target, TargetKind
from domain.identity.access import Access
from domain.identity.ids import EntityId
from domain.identity.permissions import Action, permit
from domain.ports.unit_of_work import Transaction, UnitOfWork


async def naming_plan(tx: Transaction, target: Target, wish: NamingWish) -> NamingPlan:
    """Names of the entity, and documents that have them. The transaction reads the whole organization."""
    names = await tx.erasures.names(target, wish.also)
    plan = NamingPlan(names, ())
    return replace(plan, documents=await tx.erasures.naming(target, plan.sought, plan.there))


class PlanErasure:
    """What erasing everything about an entity would concern, before it is done; nothing is changed.

    - Names that others have, too, or that are very short, are looked for only where the entity is known to be meant.
    - Documents of scopes that the caller does not read are counted in the plan without their titles.
    """

    def __init__(self, resolver: AccessResolver, unit_of_work: UnitOfWork) -> None:
        self._resolver = resolver
        self._unit_of_work = unit_of_work

    async def __call__(self, access: Access, entity_id: EntityId, wish: NamingWish) -> NamingPlan:
        """Raises Forbidden, InvalidInput, NotFound, ErasedBefore for what was erased before."""
        permit(access, Action.ERASE)
        target = Target(TargetKind.ENTITY, entity_id)
        wish = replace(wish, also=checked_spellings(wish.also))
        async with self._unit_of_work(access) as tx:
            await located(tx, access, target)
        whole = await self._resolver.for_organization(access.organization_id, root_of(access))
        async with self._unit_of_work(whole) as tx:
            plan = await naming_plan(tx, target, wish)
        shown = [d if d.group_id in access.read_scopes else replace(d, title="") for d in plan.documents]
        return replace(plan, documents=shown)
