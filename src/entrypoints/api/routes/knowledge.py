"""What people change of what is known: corrections, the vocabulary, and mutations that are put back."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody

from application.knowledge.correct import Corrected, Correction, Verdict
from application.knowledge.propose_correction import CorrectionProposed
from application.knowledge.propose_promotion import PromotionProposed
from application.knowledge.undo import Undone
from domain.identity.ids import FactId, Revision
from domain.identity.permissions import Action, permit
from domain.ingestion.typed_triples import stated_object
from entrypoints.api.routes.sources import Reason
from entrypoints.api.sign_in import App, Caller, SignedIn
from entrypoints.views.corrections import corrected_bound
from entrypoints.views.vocabulary import Name, Policy, PolicyView, VocabularyEffect, vocabulary_view

Bound = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]


class CorrectionWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A verdict on a fact as it was read at the revision ``saw``.

    ``object`` is what holds instead, in the form of a typed triple's, for "replace" only. ``valid_from`` and
    ``valid_to`` are dates, or "open"; left out, they are those of the stretch in which the fact holds now.
    """

    verdict: Verdict
    saw: Annotated[int, msgspec.Meta(ge=0)]
    object: str | dict[str, Any] | None = None
    valid_from: Bound | None = None
    valid_to: Bound | None = None
    reason: Reason | None = None

    def correction(self, fact_id: UUID) -> Correction:
        """For the use case. Raises InvalidInput for an object or a date that cannot be read."""
        return Correction(
            FactId(fact_id),
            self.verdict,
            Revision(self.saw),
            stated_object(self.object) if self.object is not None else None,
            corrected_bound(self.valid_from, "valid_from"),
            corrected_bound(self.valid_to, "valid_to"),
            self.reason,
        )


class PromotionWish(msgspec.Struct, forbid_unknown_fields=True):
    """The wider scope that shall take the fact over, named as everywhere, and why."""

    to: Annotated[str, msgspec.Meta(min_length=1, max_length=210)]
    reason: Reason


class UndoWish(msgspec.Struct, forbid_unknown_fields=True):
    """Why."""

    reason: Reason | None = None


class VocabularyWish(msgspec.Struct, forbid_unknown_fields=True):
    """Policies to set, and predicates whose own policy to take away; ``dry_run`` only says what it would do.

    A change that takes away or disputes many facts is made only with every changed predicate under ``confirm``.
    """

    policies: Annotated[list[Policy], msgspec.Meta(max_length=100)] = []
    remove: Annotated[list[Name], msgspec.Meta(max_length=100)] = []
    dry_run: bool = False
    confirm: Annotated[list[Name], msgspec.Meta(max_length=200)] = []
    reason: Reason | None = None


@post("/facts/{fact_id:uuid}/correct", status_code=200, tags=["facts"])
async def correct(app: App, access: Caller, fact_id: FromPath[UUID], data: JSONBody[CorrectionWish]) -> Corrected:
    """Confirm a fact, deny it, or put another object in its place: a person's word, which outranks what was observed
    before it. 409 when the fact changed after the revision that was seen."""
    return await app.knowledge.correct(access, data.correction(fact_id))


@post("/facts/{fact_id:uuid}/corrections/proposals", status_code=201, tags=["facts"])
async def propose_correction(
    app: App, access: Caller, fact_id: FromPath[UUID], data: JSONBody[CorrectionWish]
) -> CorrectionProposed:
    """Propose a correction: it waits under /proposals for a curator, and changes nothing until one approves it. Agents
    may. 409 when the fact changed after the revision that was seen."""
    return await app.knowledge.propose_correction(access, data.correction(fact_id))


@post("/facts/{fact_id:uuid}/promotions", status_code=201, tags=["facts"])
async def propose_promotion(
    app: App, access: Caller, credential: SignedIn, fact_id: FromPath[UUID], data: JSONBody[PromotionWish]
) -> PromotionProposed:
    """Propose that a wider scope takes the fact over: it waits under /proposals there for a curator. The statement and
    the titles of its sources go along, as the answer shows them, and no excerpt. 409 with what is missing when the fact
    is not verified."""
    target = await app.resolve_access(credential, data.to)
    return await app.knowledge.propose_promotion(access, target, FactId(fact_id), data.reason)


@post("/mutations/{revision:int}/undo", status_code=200, tags=["changes"])
async def undo(app: App, access: Caller, revision: FromPath[int], data: JSONBody[UndoWish]) -> Undone:
    """Put back what a mutation did, as a new one. 409, with the later revisions, when something was built on it."""
    return await app.knowledge.undo(access, Revision(revision), data.reason)


@get("/vocabulary", tags=["vocabulary"])
async def vocabulary(app: App, access: Caller) -> list[PolicyView]:
    """Every predicate with its policy, by name: the built-in ones with the organization's own over them."""
    permit(access, Action.READ)
    async with app.unit_of_work(access) as tx:
        return vocabulary_view(await tx.predicates.policies())


@post("/vocabulary", status_code=200, tags=["vocabulary"])
async def change_vocabulary(app: App, access: Caller, data: JSONBody[VocabularyWish]) -> VocabularyEffect:
    """Set policies or take them away; facts that read otherwise are placed anew, in one mutation that can be undone."""
    policies = [policy.policy() for policy in data.policies]
    changed = await app.knowledge.change_vocabulary(
        access, policies, remove=data.remove, reason=data.reason, dry_run=data.dry_run, confirmed=data.confirm
    )
    return VocabularyEffect.of(changed)
