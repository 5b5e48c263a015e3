"""Facts with years from TimeQA under one-valued policies: none may contradict another, and each is found at its time.

python -m benchmarks.timeqa FOLDER     (the folder holds temporal_facts_dev.jsonl.gz)
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from pathlib import Path

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.pool import open_pool
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.knowledge.change_vocabulary import ChangeVocabulary
from benchmarks.servers import migrated_database, postgres
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.predicate import Cardinality, PredicatePolicy, predicate_name
from domain.knowledge.time import Precision, TimeBound
from domain.resolution.names import normal_name
from domain.retrieval.facts import Named, StandingFact
from domain.retrieval.reading import PatternRead, ReadPoint, Side, StoredPattern
from domain.standing.testimony import Lifecycle
from tests.services.world import World, new_world


@dataclass(frozen=True, slots=True)
class Dated:
    """One answered question: years are half-open, and one that ends where it begins lasts that year."""

    subject: str
    predicate: str
    object: str
    start: datetime
    end: datetime

    @property
    def slot(self) -> tuple[str, str]:
        return self.subject, self.predicate

    @property
    def asked(self) -> datetime:
        """The middle of its time."""
        return self.start + (self.end - self.start) / 2

    def differs(self, other: Dated) -> bool:
        """Whether it says another object for the same subject and predicate."""
        return self.slot == other.slot and normal_name(self.object) != normal_name(other.object)

    def overlaps(self, other: Dated) -> bool:
        """Whether the two share a moment."""
        return self.start < other.end and other.start < self.end

    def __str__(self) -> str:
        return f"{self.object!r} {self.start.year} to {self.end.year}"


def load(folder: Path) -> list[Dated]:
    """The answerable questions with both years, each with its first answer."""
    with gzip.open(folder / "temporal_facts_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Dated(
            row["subject"],
            predicate_name(f"timeqa {row['relation_label']}"),
            row["answers"][0]["text"],
            datetime(row["from"], 1, 1, tzinfo=UTC),
            datetime(max(row["to"], row["from"] + 1), 1, 1, tzinfo=UTC),
        )
        for row in rows
        if row["answerable"] and row["from"] and row["to"] and row["from"] <= row["to"]
    ]


async def store(world: World, facts: Sequence[Dated]) -> None:
    """One-valued policies, then every fact."""
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    change = ChangeVocabulary(resolver, world.unit_of_work, world.keys, TimeOrderedIds())
    policies = [PredicatePolicy(name, Cardinality.ONE) for name in sorted({fact.predicate for fact in facts})]
    await change(world.access, policies)
    claims = [
        Claim(
            Mention(fact.subject),
            fact.predicate,
            Mention(fact.object),
            1.0,
            valid_from=TimeBound.stated(fact.start, Precision.YEAR),
            valid_to=TimeBound.stated(fact.end, Precision.YEAR),
        )
        for fact in facts
    ]
    await world.say(*claims)


async def read(world: World, subject: str, predicate: str, at: datetime | None) -> list[StandingFact]:
    """What holds at a moment; without one, everything of all time."""
    point = ReadPoint(as_of=at) if at else ReadPoint(all_time=True, lifecycles=tuple(Lifecycle))
    pattern = StoredPattern(subject=Side(names=(subject,)), forward=(predicate,))
    reader = PostgresKnowledgeReader(world.pool)
    return await reader.facts_by_pattern(world.access, PatternRead(pattern, point, limit=1_000))


def object_name(fact: StandingFact) -> str:
    """The object's normal name."""
    return normal_name(fact.object.name) if isinstance(fact.object, Named) else ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """``flagged`` are pairs without a common moment that stand disputed; ``overlaps`` those of the data itself."""

    facts: int
    pairs: int
    overlaps: tuple[tuple[Dated, Dated], ...]
    flagged: tuple[tuple[Dated, Dated], ...]
    asked: int
    wrong: tuple[tuple[Dated, tuple[str, ...]], ...]


async def measure(world: World, facts: Sequence[Dated]) -> Outcome:
    """Store the facts and look at every pair and at every asked time."""
    await store(world, facts)
    slots: dict[tuple[str, str], list[Dated]] = defaultdict(list)
    for fact in facts:
        slots[fact.slot].append(fact)
    overlaps: list[tuple[Dated, Dated]] = []
    flagged: list[tuple[Dated, Dated]] = []
    wrong: list[tuple[Dated, tuple[str, ...]]] = []
    pairs, asked = 0, 0
    for slot, said in slots.items():
        different = [(one, other) for one, other in combinations(said, 2) if one.differs(other)]
        pairs += len(different)
        mixed = [pair for pair in different if pair[0].overlaps(pair[1])]
        overlaps += mixed
        stands = await read(world, *slot, None)
        disputed = [fact for fact in stands if fact.lifecycle in (Lifecycle.DISPUTED, Lifecycle.SUPERSEDED)]
        for pair in different:
            if pair not in mixed and any(_against(fact, pair, mixed) for fact in disputed):
                flagged.append(pair)
        for fact in said:
            if any(fact in pair for pair in mixed):
                continue
            asked += 1
            found = tuple(object_name(each) for each in await read(world, *slot, fact.asked))
            if found != (normal_name(fact.object),):
                wrong.append((fact, found))
    return Outcome(len(facts), pairs, tuple(overlaps), tuple(flagged), asked, tuple(wrong))


def _against(fact: StandingFact, pair: tuple[Dated, Dated], mixed: Sequence[tuple[Dated, Dated]]) -> bool:
    """Whether a disputed segment is one of the pair's and no overlap in the data accounts for it."""
    start, end = fact.valid_from, fact.valid_to
    if not any(normal_name(side.object) == object_name(fact) for side in pair):
        return False
    return not any(
        start is not None and end is not None and max(a.start, b.start) <= start and end <= min(a.end, b.end)
        for a, b in mixed
    )


async def main(folder: Path) -> Outcome:
    """On a server of its own; prints what was found."""
    facts = load(folder)
    with postgres() as server:
        database = await migrated_database(server)
        pool = await open_pool(database.application, minimum=1, maximum=4)
        try:
            world = await new_world(pool)
            started = datetime.now(UTC)
            outcome = await measure(world, facts)
            seconds = (datetime.now(UTC) - started) / timedelta(seconds=1)
        finally:
            await pool.close()
    print(f"TimeQA dev: {outcome.facts} dated facts, {outcome.pairs} pairs of different objects, {seconds:.1f} s")
    print(f"flagged without a common moment: {len(outcome.flagged)}")
    for one, other in outcome.flagged:
        print(f"  {one.subject}, {one.predicate}: {one} and {other}")
    print(f"overlaps in the data: {len(outcome.overlaps)}")
    for one, other in outcome.overlaps:
        print(f"  {one.subject}, {one.predicate}: {one} and {other}")
    print(f"right object at the asked time: {outcome.asked - len(outcome.wrong)} of {outcome.asked}")
    for fact, found in outcome.wrong:
        print(f"  {fact.subject}, {fact.predicate} at {fact.asked:%Y-%m-%d}: expected {fact}, found {found}")
    return outcome


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    asyncio.run(main(parser.parse_args().folder))
