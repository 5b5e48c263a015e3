"""Decision records that end one another: what is superseded by what, since when, and what stays unclear."""

from __future__ import annotations

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.system.clock import SystemClock
from application.journal.timelines import entity_timeline
from application.retrieval.queries import FactReads, Term
from application.retrieval.vocabulary import Vocabularies
from tests.services.world import World

NEWER = """---
status: Accepted
date: 2026-05-28
---

# DR-7: One queue

## Context

The queues grew apart.

### Relation to other records

- **Supersedes** (contradicted): DR-2, DR-3.
  Their context stays of interest.
"""
BANNER = """---
status: Superseded
date: 2025-10-09
---

# DR-2: A queue for each team

> **Superseded by [DR-7](DR-7-one-queue.md).**
> Kept for its history.

## Context

Teams shared nothing.
"""
TWO_WAYS = """---
status: Superseded
date: 2025-10-11
---

# DR-3: Retries

> **Superseded.** The rules are defined in [DR-7](DR-7-one-queue.md).

## Notice

That is why this record was superseded by DR-6.
"""
UNCLEAR = """---
status: Superseded
date: 2025-10-12
note: >
  Superseded when the deployment matured.
---

# DR-5: A switch held by hand

## Context

Somebody holds it.
"""


async def told(world: World, name: str) -> list[tuple[str | None, str]]:
    reader = PostgresKnowledgeReader(world.pool)
    reads = FactReads(reader, Vocabularies(reader, SystemClock()), world.keys)
    timeline = await entity_timeline(reads, world.access, Term(name=name))
    relevant = ("SUPERSEDES", "HAS_STATUS")
    return [
        (event.at.date().isoformat() if event.at else None, event.fact.sentence or "")
        for event in timeline.events
        if event.fact.predicate in relevant and event.what == "began"
    ]


async def test_records_end_superseded_since_the_date_of_what_supersedes_them(world: World) -> None:
    for key, text in (("2", BANNER), ("3", TWO_WAYS), ("5", UNCLEAR), ("7", NEWER)):
        receipt = await world.read(text, f"{key}.md", content_type="text/markdown")
        assert receipt.status == "completed"
    read = (await world.rows("SELECT max(retrieved_at) AS at FROM document_versions"))[0]["at"].date().isoformat()
    assert await told(world, "DR-2") == [
        (None, "DR-7 supersedes DR-2"),
        ("2026-05-28", "DR-2 has the status Superseded"),
    ]
    assert await told(world, "DR-3") == [
        (None, "DR-6 supersedes DR-3"),
        ("2026-05-28", "DR-3 has the status Superseded"),
        ("2026-05-28", "DR-7 supersedes DR-3"),
    ], "it names another than the record that names it: both are shown"
    assert await told(world, "DR-5") == [(read, "DR-5 has the status Superseded")], "nothing says by what"
