"""Proposing a correction: it waits for a person, and changes nothing until one approves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from application.ingestion.intake import Intake
from application.knowledge.correct import Correction, Verdict, correctable, require_sound
from application.knowledge.replacing_object import require_fitting
from application.knowledge.seen import require_seen, require_unchanged
from domain.errors import Conflict
from domain.identity.access import Access
from domain.identity.ids import FactId, ProposalId, Revision
from domain.identity.permissions import Action, permit
from domain.knowledge.assertion import Mention
from domain.knowledge.object_wire import from_wire, to_wire
from domain.knowledge.objects import Literal
from domain.knowledge.time import BoundState, Precision, TimeBound
from domain.knowledge.wording import describe
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import UnitOfWork

CORRECTION = "correction"
"""The kind of a proposal whose payload is a correction, as ``correction_json`` writes it."""


@dataclass(frozen=True, slots=True)
class CorrectionProposed:
    """What waits now, and the revision at which it was written down; None when the same waited already."""

    proposal_id: ProposalId
    fact_id: FactId
    revision: Revision | None


class ProposeCorrection:
    """Writes a proposal to correct a fact; agents may, with the role member.

    - It is approved or rejected by a person with the role curator; an approved one is written as theirs.
    - A fact that changed after the revision that the proposer saw is a Conflict.
    - The same again from the same principal is the one that waits already.
    """

    def __init__(self, unit_of_work: UnitOfWork, ids: Ids, intake: Intake | None = None) -> None:
        self._unit_of_work = unit_of_work
        self._ids = ids
        self._intake = intake

    async def __call__(
        self, access: Access, correction: Correction, judged: Mapping[str, object] | None = None
    ) -> CorrectionProposed:
        """``judged`` says of which judge's verdict it comes. Raises NotFound, InvalidInput, Forbidden and Conflict;
        nothing is written then."""
        permit(access, Action.ASSERT)
        require_sound(correction)
        proposal_id = ProposalId(self._ids.new())
        async with self._unit_of_work(access) as tx:
            named = await correctable(tx, access, correction.fact_id)
            await require_seen(tx, correction.saw)
            await require_fitting(tx, named.fact, correction.object)
            changed = await tx.record.slot_changed_at(named.fact.slot_id)
            require_unchanged(changed, correction.saw, "proposal")
            if self._intake is not None:
                await self._intake.require_clean(tx, "the correction", *_words(correction))
            payload = correction_json(correction) | {"sentence": named.fact.sentence}
            payload |= {"judged": dict(judged)} if judged is not None else {}
            for waiting in await tx.documents.waiting_proposals(CORRECTION, correction.fact_id):
                is_own, is_fresh = waiting.principal_id == access.principal.id, _saw(waiting.payload) >= changed
                if is_own and is_fresh and {**waiting.payload, "saw": 0} == payload | {"saw": 0}:
                    return CorrectionProposed(waiting.id, correction.fact_id, None)
            revision = await tx.journal.advance(
                Entry("propose_correction", access.write_scope, {"fact_id": str(correction.fact_id)})
            )
            await tx.documents.add_proposal(proposal_id, CORRECTION, correction.fact_id, payload, revision)
        return CorrectionProposed(proposal_id, correction.fact_id, revision)


def _words(correction: Correction) -> tuple[str | None, ...]:
    target = correction.object
    said = target.surface if isinstance(target, Mention) else describe(target) if target is not None else None
    return said, correction.reason


def correction_json(correction: Correction) -> dict[str, Any]:
    """A correction as plain JSON values; ``correction_of`` reads it."""
    target = correction.object
    return {
        "fact_id": str(correction.fact_id),
        "verdict": correction.verdict.value,
        "saw": correction.saw,
        "object": object_json(target) if target is not None else None,
        "valid_from": bound_json(correction.valid_from),
        "valid_to": bound_json(correction.valid_to),
        "reason": correction.reason,
    }


def correction_of(data: Mapping[str, object]) -> Correction:
    """The correction that ``correction_json`` wrote. Raises Conflict when it was erased."""
    if "verdict" not in data:
        raise Conflict("what was proposed was erased; reject the proposal")
    target = cast("Mapping[str, Any] | None", data["object"])
    return Correction(
        FactId(UUID(str(data["fact_id"]))),
        Verdict(str(data["verdict"])),
        Revision(int(str(data["saw"]))),
        object_of(target) if target is not None else None,
        bound_of(data["valid_from"]),
        bound_of(data["valid_to"]),
        None if data["reason"] is None else str(data["reason"]),
    )


def _saw(payload: Mapping[str, object]) -> int:
    return int(str(payload.get("saw", -1)))


def object_json(target: Mention | Literal) -> dict[str, object]:
    """What stands as an end, as plain JSON values; ``object_of`` reads it."""
    if isinstance(target, Mention):
        return {"type": "entity", "name": target.surface, "kind": target.kind}
    return dict(to_wire(target))


def object_of(data: Mapping[str, Any]) -> Mention | Literal:
    """What ``object_json`` wrote."""
    return Mention(data["name"], data["kind"]) if data["type"] == "entity" else from_wire(data)


def bound_json(bound: TimeBound | None) -> dict[str, object] | None:
    """A bound as plain JSON values; ``bound_of`` reads it."""
    if bound is None:
        return None
    return {
        "value": bound.value.isoformat() if bound.value else None,
        "precision": bound.precision.value if bound.precision else None,
        "state": bound.state.value,
    }


def bound_of(data: object) -> TimeBound | None:
    """The bound that ``bound_json`` wrote."""
    if data is None:
        return None
    stated = cast("Mapping[str, Any]", data)
    value, precision = stated["value"], stated["precision"]
    return TimeBound(
        datetime.fromisoformat(value) if value else None,
        Precision(precision) if precision else None,
        BoundState(stated["state"]),
    )
