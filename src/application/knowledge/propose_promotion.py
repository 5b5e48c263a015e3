"""Proposing that a wider scope takes over a fact: it waits for a person there, and changes nothing until then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from application.ingestion.intake import Intake
from application.knowledge.propose_correction import bound_json, bound_of, object_json, object_of
from domain.errors import Conflict, InvalidInput, NotFound, NotVerified
from domain.identity.access import Access
from domain.identity.ids import FactId, GroupId, ProposalId, Revision
from domain.identity.permissions import Action, permit
from domain.identity.scope_name import ScopeKind, is_wider, kind_of
from domain.knowledge.assertion import AssertionState, Claim, ClaimKind, Mention, Polarity
from domain.knowledge.objects import EntityRef, Literal
from domain.knowledge.time import OPEN_BOUND, TimeBound
from domain.ports.clock import Clock
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.knowledge_reader import KnowledgeReader
from domain.ports.record import NamedFact
from domain.ports.unit_of_work import UnitOfWork
from domain.retrieval.grounds import GroundedExplanation
from domain.retrieval.promotion import missing_for_promotion
from domain.standing.stretch import stretch_at

PROMOTION = "promotion"
"""The kind of a proposal whose payload is what a wider scope would be told."""
MAX_SOURCES = 10
"""Titles that go along."""


@dataclass(frozen=True, slots=True)
class PromotionProposed:
    """What waits now, and all that the wider scope is told: the statement and the titles of what it is cited from.

    ``revision`` is None when the same waited already.
    """

    proposal_id: ProposalId
    fact_id: FactId
    sentence: str
    sources: tuple[str, ...]
    revision: Revision | None


class ProposePromotion:
    """Writes a proposal into a wider scope to take over a fact; agents may, with the role member there.

    - The wider scope is one around the fact's; from a personal scope it may be any that the proposer writes in.
    - A shared scope takes verified knowledge only: the fact stands uncontested, and a person confirmed it or a source
      of tier 2 or better that is no agent's supports it. What is missing is said.
    - The statement and the titles of its sources go along, and no excerpt; they hold nothing that the wider scope does
      not take.
    - It is decided by a curator of the wider scope. The same again from the same principal is the one that waits.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, reader: KnowledgeReader, clock: Clock, ids: Ids, intake: Intake | None = None
    ) -> None:
        self._unit_of_work = unit_of_work
        self._reader = reader
        self._clock = clock
        self._ids = ids
        self._intake = intake

    async def __call__(self, access: Access, target: Access, fact_id: FactId, reason: str) -> PromotionProposed:
        """``access`` reads the fact, ``target`` writes in the wider scope; both are of one credential.

        Raises NotFound, InvalidInput, Forbidden, NotVerified; nothing is written then.
        """
        permit(access, Action.READ)
        permit(target, Action.PROPOSE_PROMOTION)
        explained = await self._reader.explain(access, fact_id, None)
        if explained is None:
            raise NotFound(f"no fact {fact_id} in your scopes", field="fact_id")
        require_wider(access, explained.group_id, target.write_scope)
        require_verified(explained)
        async with self._unit_of_work(access) as tx:
            named = await tx.record.named_fact(explained.fact_id)
            saw = (await tx.journal.head()).revision
        if named is None or named.fact.sentence is None:
            raise Conflict("the fact was erased; there is nothing to promote")
        payload = self._payload(explained, named, saw, reason)
        proposal_id = ProposalId(self._ids.new())
        told = explained.fact_id, named.fact.sentence, tuple(payload["sources"])
        async with self._unit_of_work(target) as tx:
            if self._intake is not None:
                words = (told[1], *told[2], *named.fact.qualifiers.values(), reason)
                await self._intake.require_clean(tx, "what is promoted", *words)
            for waiting in await tx.documents.waiting_proposals(PROMOTION, explained.fact_id):
                is_own = waiting.principal_id == access.principal.id
                if is_own and {**waiting.payload, "saw": 0} == payload | {"saw": 0}:
                    return PromotionProposed(waiting.id, *told, None)
            entry = Entry("propose_promotion", target.write_scope, {"fact_id": str(explained.fact_id)})
            revision = await tx.journal.advance(entry)
            await tx.documents.add_proposal(proposal_id, PROMOTION, explained.fact_id, payload, revision)
        return PromotionProposed(proposal_id, *told, revision)

    def _payload(self, explained: GroundedExplanation, named: NamedFact, saw: Revision, reason: str) -> dict[str, Any]:
        fact = named.fact
        start, end = stretch_at(named.holds, self._clock.now()) or (None, None)
        target: Mention | Literal
        if isinstance(fact.object, EntityRef):
            target = Mention(named.object_name or str(fact.object.entity_id), named.object_kind)
        else:
            target = fact.object
        supports = [a for a in explained.assertions if a.to_revision is None and a.state is AssertionState.LIVE]
        supports = [a for a in supports if a.polarity is Polarity.SUPPORT]
        titles = (a.source_name if a.evidence_kind == "statement" else a.title or a.source_name for a in supports)
        return {
            "fact_id": str(explained.fact_id),
            "from": kind_of(explained.group_id).value,
            "saw": saw,
            "sentence": fact.sentence,
            "subject": object_json(Mention(named.subject_name, named.subject_kind)),
            "predicate": fact.predicate,
            "object": object_json(target),
            "qualifiers": dict(fact.qualifiers),
            "valid_from": bound_json(TimeBound.stated(start) if start else OPEN_BOUND),
            "valid_to": bound_json(TimeBound.stated(end) if end else OPEN_BOUND),
            "observed_at": max(a.observed_at for a in supports).isoformat(),
            "kind": max((a.kind for a in supports), key=_KINDS.index).value,
            "confidence": max(a.confidence for a in supports),
            "sources": list(dict.fromkeys(titles))[:MAX_SOURCES],
            "reason": reason,
        }


_KINDS = (ClaimKind.OPINION, ClaimKind.CLAIM, ClaimKind.FACT)


def require_wider(access: Access, origin: GroupId, target: GroupId) -> None:
    """Raise InvalidInput unless the target is a wider scope around the fact's, or the fact's is a personal one."""
    reachable = target in access.read_scopes or kind_of(origin) is ScopeKind.PERSONAL
    if not (reachable and is_wider(kind_of(target), kind_of(origin))):
        raise InvalidInput(
            f"a fact of a {kind_of(origin).value} scope is promoted to a wider scope around it; name one that is",
            field="to",
        )


def require_verified(explained: GroundedExplanation) -> None:
    """Raise NotVerified with what is missing."""
    if missing := missing_for_promotion(explained.segments, explained.assertions):
        raise NotVerified(f"a shared scope takes verified knowledge only; of this fact: {'; '.join(missing)}")


@dataclass(frozen=True, slots=True)
class PromotedClaim:
    """What a proposal of a promotion says, read again."""

    fact_id: FactId
    origin: ScopeKind
    saw: Revision
    sentence: str
    sources: tuple[str, ...]
    claim: Claim


def promoted_claim(data: Mapping[str, object]) -> PromotedClaim:
    """What the payload of a proposal says. Raises Conflict when it was erased."""
    if "sentence" not in data:
        raise Conflict("what was proposed was erased; reject the proposal")
    said = cast("Mapping[str, Any]", data)
    subject = object_of(said["subject"])
    assert isinstance(subject, Mention)
    claim = Claim(
        subject,
        said["predicate"],
        object_of(said["object"]),
        float(said["confidence"]),
        Polarity.SUPPORT,
        ClaimKind(said["kind"]),
        None,
        bound_of(said["valid_from"]) or OPEN_BOUND,
        bound_of(said["valid_to"]) or OPEN_BOUND,
        datetime.fromisoformat(said["observed_at"]),
        dict(said["qualifiers"]),
    )
    sources = tuple(map(str, cast("Sequence[object]", said["sources"])))
    return PromotedClaim(
        FactId(UUID(said["fact_id"])),
        ScopeKind(said["from"]),
        Revision(int(said["saw"])),
        said["sentence"],
        sources,
        claim,
    )
