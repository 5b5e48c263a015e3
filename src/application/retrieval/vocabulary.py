"""The vocabulary that reads understand predicates by."""

from __future__ import annotations

from datetime import datetime, timedelta

from domain.identity.access import Access
from domain.identity.ids import OrganizationId, Revision
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.predicate import PredicatePolicy, Vocabulary
from domain.ports.clock import Clock
from domain.ports.knowledge_reader import KnowledgeReader
from domain.retrieval.phrases import Phrasebook

KEPT = timedelta(seconds=5)
"""How long a read may use an organization's earlier predicates."""
_MAX_KEPT = 1_000

_Key = tuple[OrganizationId, Revision | None]


class Vocabularies:
    """The built-in predicates with an organization's own over them; kept for ``KEPT``, so that reads take one trip."""

    def __init__(self, reader: KnowledgeReader, clock: Clock) -> None:
        self._reader = reader
        self._clock = clock
        self._kept: dict[_Key, tuple[datetime, list[PredicatePolicy], Phrasebook]] = {}

    async def of(self, access: Access, known_at: Revision | None = None) -> Vocabulary:
        """The vocabulary of the access's organization, as it was at a revision where one is given."""
        return (await self.phrases(access, known_at)).vocabulary

    async def phrases(self, access: Access, known_at: Revision | None = None) -> Phrasebook:
        """The phrases by which questions ask for the organization's predicates."""
        now, key = self._clock.now(), (access.organization_id, known_at)
        kept = self._kept.get(key)
        if kept is not None and (known_at is not None or now - kept[0] < KEPT):
            return kept[2]
        policies = await self._reader.policies(access, known_at)
        # To index a vocabulary takes longer than most reads, and it seldom changes.
        like = (kept, self._kept.get((access.organization_id, None)))
        same = next((each for each in like if each is not None and each[1] == policies), None)
        phrases = same[2] if same else Phrasebook(Vocabulary.of((*CORE_VOCABULARY, *policies)))
        if len(self._kept) >= _MAX_KEPT:
            self._kept.clear()
        self._kept[key] = (now, policies, phrases)
        return phrases
