"""What tests of contradictions say and read, over a world."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from adapters.postgres.contradictions import PostgresContradictionReader
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.system.clock import SystemClock
from application.retrieval.contradictions import ContradictionReads, ContradictionsPage, ContradictionsQuery
from application.retrieval.contradictions import contradictions as listed
from application.retrieval.vocabulary import Vocabularies
from domain.knowledge.assertion import Claim, ClaimKind, Mention, Polarity
from domain.knowledge.time import TimeBound
from tests.services.world import World


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def claim(
    subject: str,
    predicate: str,
    target: str,
    confidence: float = 1.0,
    kind: ClaimKind = ClaimKind.FACT,
    *,
    since: str | None = "2020-01-01",
    until: str | None = None,
    denied: bool = False,
) -> Claim:
    """Something said of two names; observed in 2021."""
    polarity = Polarity.REFUTE if denied else Polarity.SUPPORT
    said = Claim(
        Mention(subject), predicate, Mention(target), confidence, polarity, kind, observed_at=day("2021-01-01")
    )
    if since is not None:
        said = replace(said, valid_from=TimeBound.stated(day(since)))
    return replace(said, valid_to=TimeBound.stated(day(until))) if until is not None else said


def reads(world: World) -> ContradictionReads:
    facts = PostgresKnowledgeReader(world.pool)
    return ContradictionReads(
        PostgresContradictionReader(world.pool), facts, Vocabularies(facts, SystemClock()), SystemClock()
    )


async def contradictions(world: World, **asked: Any) -> ContradictionsPage:
    return await listed(reads(world), world.access, ContradictionsQuery(**asked))
