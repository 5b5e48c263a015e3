"""Finding predicates that may be one, and proposing to merge them. Nothing merges until a person approves it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from uuid import UUID

from application.identity.access import AccessResolver
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.commit import committed
from application.knowledge.decide_contradiction import VOCABULARY
from application.knowledge.merge_suggestions import MergeSuggestion, SuggestedEffect, merge_json, suggestion_of
from application.models.metering import ConfiguredEmbedder, embedder_for
from application.projection.tenant import organization_wide, root_of
from domain.errors import BudgetExhausted, InvalidInput, Unavailable
from domain.identity.access import Access
from domain.identity.ids import ProposalId, Revision
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.near_synonyms import LEAST, NearSynonym, candidate, grew, merge_id, policies_of, score
from domain.knowledge.near_synonyms import Candidate as Predicate
from domain.knowledge.policy_wire import policy_json
from domain.knowledge.predicate import PredicatePolicy, Vocabulary
from domain.knowledge.predicate_pairs import Vectors, near_synonyms
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import Transaction, UnitOfWork
from domain.ports.vocabulary import PredicatesCompared, SuggestedBefore

PREDICATES = 2_000
"""The most used predicates are looked at, so many at most."""
CROWD, PAIRS = 12, 2_000
"""Ends on which more predicates meet do not count; the pairs that share most are looked at."""
COMPARED, SAMPLE = 60, 100
"""So many merges are compared by so many facts each."""
MOST = 50
TRIED_FACTS, TRIED_IN_ALL = 2_000, 10_000
"""A merge of so many facts is tried, and of so many in one run; what a larger one would do, a dry run tells."""


@dataclass(frozen=True, slots=True)
class MergesSuggested:
    """What was proposed now, how many of the rest wait already, and how many were decided before and did not grow.

    ``predicates`` were looked at. ``by_meaning`` is false when no model answered, so that words alone were compared.
    """

    proposed: tuple[MergeSuggestion, ...]
    waiting: int
    decided: int
    predicates: int
    by_meaning: bool
    revision: Revision | None


@dataclass(frozen=True, slots=True)
class _Found:
    """A merge that is worth proposing, with what its facts say."""

    near: NearSynonym
    compared: PredicatesCompared
    id: UUID


_Ready = dict[UUID, tuple[ProposalId, Mapping[str, object]]]
"""By the id of the merge: a proposal and its payload."""


class _AllTaken(Exception):
    """Somebody else proposed all of it: nothing is written."""


class SuggestMerges:
    """Proposes predicates to merge, the likeliest first, by the rules of ``domain/knowledge/near_synonyms.py``.

    - A suggestion is a proposal to change the vocabulary: it carries every factor, facts that show it, how many facts
      would move, and what else that would do. Approving it is a change of the vocabulary like any other.
    - What waits is not proposed again; what was decided is, only when its evidence grew.
    - It concerns the whole organization, and takes an administrator of it.
    """

    def __init__(
        self,
        resolver: AccessResolver,
        unit_of_work: UnitOfWork,
        vocabulary: ChangeVocabulary,
        embedder: ConfiguredEmbedder | None,
        ids: Ids,
    ) -> None:
        self._resolver = resolver
        self._unit_of_work = unit_of_work
        self._vocabulary = vocabulary
        self._embedder = embedder
        self._ids = ids

    async def __call__(self, access: Access, limit: int = 20) -> MergesSuggested:
        """Raises InvalidInput for a limit that is not 1 to 50, and Forbidden for others than administrators."""
        if not 1 <= limit <= MOST:
            raise InvalidInput(f"limit is 1 to {MOST}, not {limit}", field="limit")
        whole = replace(await organization_wide(self._resolver, access), principal=access.principal)
        async with self._unit_of_work(whole) as tx:
            vocabulary = Vocabulary.of((*CORE_VOCABULARY, *await tx.predicates.policies()))
            used = await tx.predicates.used(PREDICATES)
            ends = await tx.predicates.shared_ends(CROWD, PAIRS)
        predicates = _predicates(vocabulary, used)
        vectors = await self._vectors(whole, predicates)
        near = near_synonyms(predicates, vectors, ends)[:COMPARED]
        async with self._unit_of_work(whole) as tx:
            found = _worth(near, await tx.predicates.compare(near, SAMPLE), whole)
            before = await tx.predicates.suggested([each.id for each in found])
        fresh, waiting, decided = _sorted_out(found, before)
        known = {each.proposal_id for each in before}
        ready: _Ready = {
            each.id: (ProposalId(self._ids.new()), _payload(each, vocabulary, effect))
            for each, effect in await self._tried(access, fresh[:limit], vocabulary)
        }
        revision, made = await self._propose(whole, ready, known) if ready else (None, {})
        proposed = tuple(suggestion_of(proposal_id, payload) for proposal_id, payload in made.values())
        taken = len(ready) - len(made)
        return MergesSuggested(proposed, waiting + taken, decided, len(predicates), vectors is not None, revision)

    async def _vectors(self, access: Access, predicates: Sequence[Predicate]) -> Vectors | None:
        if self._embedder is None:
            return None
        try:
            words = [each.policy.words for each in predicates]
            return await embedder_for(access, self._embedder).embed_passages(words)
        except (Unavailable, BudgetExhausted):
            return None

    async def _tried(
        self, access: Access, chosen: Sequence[_Found], vocabulary: Vocabulary
    ) -> list[tuple[_Found, SuggestedEffect | None]]:
        """What each merge would do, None for one that is too large to be tried here; without those that cannot be."""
        left, tried = TRIED_IN_ALL, list[tuple[_Found, SuggestedEffect | None]]()
        for each in chosen:
            facts = each.near.facts + each.near.target_facts
            if facts > min(TRIED_FACTS, left):
                tried.append((each, None))
                continue
            left -= facts
            _, policy = policies_of(each.near, vocabulary)
            try:
                done = await self._vocabulary(access, [policy], dry_run=True)
            except InvalidInput:
                # A name that has another meaning by then; the rest goes on.
                continue
            tried.append((each, SuggestedEffect.of(done.effect)))
        return tried

    async def _propose(self, access: Access, ready: _Ready, known: Set[ProposalId]) -> tuple[Revision | None, _Ready]:
        """Write those that nobody else proposed since ``known`` was read; nothing at all when none is left."""
        root = root_of(access)

        async def work(tx: Transaction) -> tuple[Revision | None, _Ready]:
            revision = await tx.journal.advance(Entry("propose_vocabulary", root, {"proposals": len(ready)}))
            # The head is held now: whoever proposed the same meanwhile has committed.
            since = await tx.predicates.suggested(list(ready))
            left = ready.keys() - {each.merge_id for each in since if each.proposal_id not in known}
            if not left:
                raise _AllTaken
            made = {target: ready[target] for target in ready if target in left}
            for target, (proposal_id, payload) in made.items():
                await tx.documents.add_proposal(proposal_id, VOCABULARY, target, payload, revision)
            return revision, made

        try:
            return await committed(self._unit_of_work, access, work)
        except _AllTaken:
            return None, {}


def _predicates(vocabulary: Vocabulary, used: Mapping[str, int]) -> list[Predicate]:
    """What facts are kept under, and what they could be kept under: reviewed predicates, in use or not."""
    inverses: dict[str, list[PredicatePolicy]] = defaultdict(list)
    names = dict.fromkeys(used)
    for policy in vocabulary.policies.values():
        reading = vocabulary.read(policy.name)
        if reading.stated.name != policy.name:
            continue
        names.setdefault(reading.canonical.name)
        if reading.inverted:
            inverses[reading.canonical.name].append(policy)
    return [
        candidate(vocabulary.policy(name), used.get(name, 0), tuple(inverses[name]))
        for name in sorted(names)
        if vocabulary.read(name).canonical.name == name
    ]


def _worth(near: Sequence[NearSynonym], compared: Sequence[PredicatesCompared], access: Access) -> list[_Found]:
    """Those that still score enough with what speaks against them, the best first."""
    found = []
    for each, facts in zip(near, compared, strict=True):
        factors = replace(each.factors, different=facts.different, sampled=facts.sampled, kinds_fit=facts.kinds_fit)
        weighed = replace(each, factors=factors, score=score(factors))
        if weighed.score >= LEAST:
            own = merge_id(access.organization_id, each.source, each.target, each.merge)
            found.append(_Found(weighed, facts, own))
    return sorted(found, key=lambda each: (-each.near.score, each.near.source))


def _sorted_out(found: Sequence[_Found], before: Sequence[SuggestedBefore]) -> tuple[list[_Found], int, int]:
    """Those to propose, how many wait already, and how many were decided and did not grow since."""
    latest = {each.merge_id: each for each in before}
    fresh, waiting, decided = list[_Found](), 0, 0
    for each in found:
        last = latest.get(each.id)
        if last is not None and last.state == "pending":
            waiting += 1
        elif last is not None and not grew(each.near.factors.shared, _shared_then(last.payload)):
            decided += 1
        else:
            fresh.append(each)
    return fresh, waiting, decided


def _shared_then(payload: Mapping[str, object]) -> int:
    suggestion = payload.get("suggestion")
    return int(suggestion.get("shared", 0)) if isinstance(suggestion, Mapping) else 0


def _payload(found: _Found, vocabulary: Vocabulary, effect: SuggestedEffect | None) -> dict[str, object]:
    now, then = policies_of(found.near, vocabulary)
    return {
        "policies": [policy_json(then)],
        "before": [policy_json(now)],
        "suggestion": merge_json(found.near, found.compared, effect),
    }
