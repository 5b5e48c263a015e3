"""Saying something directly, without a document: the statement itself is the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from application.ingestion.append_claims import AppendClaims, NewItem, StreamItem
from application.ingestion.intake import Intake, held_back
from application.ingestion.sources import own_source
from application.ingestion.streams import Streams
from application.knowledge.change import BATCH
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.identity.permissions import Action, permit
from domain.ingestion.gate import AssertionGate, GatePolicy, gate_assertion
from domain.ingestion.sensitive import SensitivePolicy
from domain.ingestion.typed_triples import TypedTriple, typed_triple
from domain.knowledge.assertion import MAX_EXCERPT, AssertionState, Mention
from domain.knowledge.wording import describe
from domain.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Asserted:
    """What became of direct statements; a merged one was made before and has no new assertion.

    ``state`` is pending when one of the new ones waits: each of ``placed`` has its own.
    """

    state: AssertionState
    placed: tuple[NewItem, ...]
    merged: int
    revision: Revision | None


class AssertFacts:
    """Takes typed statements from a person, an agent or a system.

    - A curator's statement is live; a member's or an agent's waits, unless an agent has the role curator and a source
      of tier 1 or 2. An agent's confidence is capped at 0.5.
    - A statement whose kinds do not fit its predicate waits, whoever makes it; the others of the request do not.
    - Secrets and personal data in a statement are masked, or it is refused, by the scopes' policy; one that reads like
      an instruction to a model waits.
    - All statements of one principal are one source: nobody corroborates themselves.
    - The same statement again changes nothing.
    """

    def __init__(self, unit_of_work: UnitOfWork, streams: Streams, append: AppendClaims, intake: Intake) -> None:
        self._unit_of_work = unit_of_work
        self._streams = streams
        self._append = append
        self._intake = intake

    async def __call__(self, access: Access, statements: Sequence[Mapping[str, Any]]) -> Asserted:
        """``statements`` are typed triples as decoded JSON. Raises InvalidInput naming the field; then none is kept."""
        permit(access, Action.ASSERT)
        if not 1 <= len(statements) <= BATCH:
            raise InvalidInput(f"send 1 to {BATCH} statements, not {len(statements)}", field="statements")
        async with self._unit_of_work(access) as tx:
            sensitive = await self._intake.policy(tx)
        triples = [self._screened(statement, sensitive) for statement in statements]
        principal = access.principal
        stream = await self._streams.open(access, own_source(access), "statements", "statement")
        async with self._unit_of_work(access) as tx:
            policy = GatePolicy(await tx.directory.gate_policy())
        gate = gate_assertion(policy, stream.source.tier, principal.kind, principal.role)
        state = AssertionState.LIVE if gate is AssertionGate.LIVE else AssertionState.PENDING
        items = [StreamItem(t.claim, t.excerpt or _sentence(t), None, t.key, waits) for t, waits in triples]
        appended = await self._append(access, stream, items, state)
        told = AssertionState.PENDING if appended.queued else state
        return Asserted(told, appended.new, appended.merged, appended.revision)

    def _screened(self, statement: Mapping[str, Any], policy: SensitivePolicy) -> tuple[TypedTriple, bool]:
        screen = self._intake.screen(policy)
        stated = screen.stated(statement)
        screened = screen.screened()
        if screened.quarantined:
            raise held_back(screened)
        return typed_triple(stated), screened.waits


def _sentence(triple: TypedTriple) -> str:
    target = triple.claim.object
    shown = target.surface if isinstance(target, Mention) else describe(target)
    return f"{triple.claim.subject.surface} {triple.claim.predicate} {shown}"[:MAX_EXCERPT]
