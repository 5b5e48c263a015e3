"""What becomes of secrets and personal data in a scope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from application.ingestion.intake import Intake
from domain.identity.access import Access
from domain.identity.permissions import Action, permit
from domain.ingestion.sensitive import SensitivePolicy, policy_of
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Treatments:
    """Kind to treatment: ``in_force`` is what is done here, of which ``stated`` is what this scope says itself."""

    in_force: Mapping[str, str]
    stated: Mapping[str, str]


class TreatSensitive:
    """Sets and tells the policy of a scope: kind to redact, quarantine or allow.

    - A scope says only what it wants otherwise than the scopes that contain it; a collection may say more.
    - It counts for what comes in later; what was read before is masked when it is read again.
    """

    def __init__(self, unit_of_work: UnitOfWork, intake: Intake) -> None:
        self._unit_of_work = unit_of_work
        self._intake = intake

    async def __call__(self, access: Access, stated: Mapping[str, object]) -> Treatments:
        """Replace what the scope says. Raises Forbidden below the role admin, InvalidInput for no kind or treatment."""
        permit(access, Action.SCREEN)
        policy_of(stated)
        async with self._unit_of_work(access) as tx:
            await tx.documents.set_sensitive_policy(access.write_scope, stated)
            await tx.journal.advance(Entry("treat_sensitive", access.write_scope, {"treatments": dict(stated)}))
            policy = await self._intake.policy(tx)
        return _told(policy, stated)

    async def present(self, access: Access) -> Treatments:
        """What is done now. Raises Forbidden."""
        permit(access, Action.READ)
        async with self._unit_of_work(access) as tx:
            return _told(await self._intake.policy(tx), await tx.documents.own_sensitive_policy(access.write_scope))


def _told(policy: SensitivePolicy, stated: Mapping[str, object]) -> Treatments:
    return Treatments(policy.stated(), {kind: str(treatment) for kind, treatment in stated.items()})
