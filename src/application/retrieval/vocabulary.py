"""The vocabulary that reads understand predicates by."""

from __future__ import annotations

from datetime import datetime, timedelta

from domain.identity.access import Access
from domain.identity.ids import OrganizationId
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.predicate import PredicatePolicy, Vocabulary
from domain.ports.clock import Clock
from domain.ports.knowledge_reader import KnowledgeReader
from domain.retrieval.phrases import Phrasebook

KEPT = timedelta(seconds=5)
"""How long a read may use an organization's earlier predicates."""
_MAX_KEPT = 1_000


class Vocabularies:
    """The built-in predicates with an organization's own over them; kept for ``KEPT``, so that reads take one trip."""

    def __init__(self, reader: KnowledgeReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        self._kept: dict[OrganizationId, tuple[datetime, list[PredicatePolicy], Phrasebook]] = {}

    async def of(self, access: Access) -> Vocabulary:
        """The vocabulary of the access's organization."""
        return (await self.phrases(access)).vocabulary

    async def phrases(self, access: Access) -> Phrasebook:
        """The phrases by which questions ask for the organization's predicates."""
        now = self._clock.now()
        kept = self._kept.get(access.organization_id)
        if kept is not None and now - kept[0] < KEPT:
            return kept[2]
        policies = await self._reader.policies(access)
        # To index a vocabulary takes longer than most reads, and it seldom changes.
        same = kept is not None and kept[1] == policies
        phrases = kept[2] if kept and same else Phrasebook(Vocabulary.of((*CORE_VOCABULARY, *policies)))
        if len(self._kept) >= _MAX_KEPT:
            self._kept.clear()
        self._kept[access.organization_id] = (now, policies, phrases)
        return phrases
