"""A seeded history of everything that can happen to a record, with what a reader saw on the way."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.knowledge.change import ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.correct import Correct, Correction, Verdict
from application.knowledge.edit_entity import EditEntity
from application.knowledge.rebuild_standings import RebuildStandings
from application.knowledge.undo import Undo
from domain.errors import Conflict, InvalidInput, NotFound
from domain.identity.ids import AssertionId, DocumentId, EntityId, FactId, Revision, SourceId
from domain.knowledge.assertion import AssertionState, Claim, ClaimKind, Mention, Polarity
from domain.knowledge.objects import TextValue
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession
from domain.knowledge.time import UNKNOWN_BOUND, TimeBound
from domain.resolution.entity_edit import EntityEdit
from domain.retrieval.facts import StandingFact
from domain.retrieval.reading import PatternRead, ReadPoint, Side, StoredPattern
from domain.standing.testimony import Lifecycle
from tests.services.world import World

PREDICATES = ("TESTED_A", "TESTED_B", "TESTED_C", "HEADQUARTERED_IN", "FOUNDED_BY", "HAS_STATUS")
_OWN = PREDICATES[:3]
_OPEN = "to_rev = 9223372036854775807"
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
MOVES = {
    "say": 12, "correct": 3, "retract_assertion": 3, "retract_document": 1, "change_policy": 2, "merge": 1,
    "undo": 4, "regrade": 2, "approve": 1, "edit": 2,
}  # fmt: skip
"""How often each happens; every one of them is a mutation, unless it is refused."""


@dataclass
class LongHistory:
    """Makes a history and keeps what reads returned. ``done`` counts what happened, ``refused`` what was refused."""

    world: World
    seed: int
    subjects: int
    batch: int
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    seen: dict[Revision, dict[str, list[StandingFact]]] = field(default_factory=dict)
    assertions: int = 0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        ids, world = TimeOrderedIds(), self.world
        writer = ChangeWriter(ids)
        resolver = AccessResolver(PostgresScopeFinder(world.pool))
        self.reader = PostgresKnowledgeReader(world.pool)
        self.rebuild = RebuildStandings(resolver, world.unit_of_work, ids)
        self._vocabulary = ChangeVocabulary(resolver, world.unit_of_work, world.keys, ids)
        self._correct = Correct(world.unit_of_work, world.streams, writer, world.keys, SystemClock(), ids)
        self._edit_entity = EditEntity(world.unit_of_work, world.streams, writer, world.keys, SystemClock(), ids)
        self._undo = Undo(world.unit_of_work, writer, world.keys, self._vocabulary, world.regrade)

        self._moves = {
            "say": self._say, "correct": self._correct_fact, "retract_assertion": self._retract_assertion,
            "retract_document": self._retract_document, "change_policy": self._change_policy, "merge": self._merge,
            "undo": self._undo_one, "regrade": self._regrade, "approve": self._approve, "edit": self._edit,
        }  # fmt: skip

    async def go_on(self, assertions: int, samples: int) -> None:
        """Until so many assertions were made, with about so many reads kept on the way."""
        every = max(1, assertions // samples)
        while self.assertions < assertions:
            before = self.assertions // every
            await self._move()
            if self.assertions // every > before:
                await self.look()
        await self.look()

    async def look(self) -> None:
        """Read the present of some subjects, and keep it under the head."""
        head = await self.head()
        names = self.random.sample(range(self.subjects), min(3, self.subjects))
        self.seen[head] = {f"Subject {n}": await self.read(f"Subject {n}", None) for n in names}

    async def read(self, subject: str, known_at: Revision | None) -> list[StandingFact]:
        """Every segment of a subject."""
        point = ReadPoint(known_at=known_at, lifecycles=tuple(Lifecycle), all_time=True)
        pattern = StoredPattern(subject=Side(names=(subject,)))
        return await self.reader.facts_by_pattern(self.world.access, PatternRead(pattern, point, limit=1_000))

    async def head(self) -> Revision:
        return Revision((await self.world.rows("SELECT revision FROM heads"))[0][0])

    async def _move(self) -> None:
        (name,) = self.random.choices(list(MOVES), list(MOVES.values()))
        await self.move(name)

    async def move(self, name: str) -> None:
        """One of ``MOVES``, at random in what it concerns; what is refused is counted."""
        try:
            await self._moves[name]()
        except (Conflict, InvalidInput, NotFound):
            self.refused[name] += 1
        else:
            self.done[name] += 1

    async def _say(self) -> None:
        claims = [self._claim() for _ in range(self.batch)]
        state = AssertionState.PENDING if self.random.random() < 0.1 else AssertionState.LIVE
        said = await self.world.say(*claims, source=f"source {self.random.randrange(12)}", state=state)
        self.assertions += len(claims)
        assert said is not None

    def _claim(self) -> Claim:
        predicate = self.random.choice(PREDICATES)
        value = f"{predicate} {self.random.randrange(4)}"
        start = _EPOCH + timedelta(days=365 * self.random.randrange(20))
        end = start + timedelta(days=365 * self.random.randrange(1, 5))
        return Claim(
            Mention(f"Subject {self.random.randrange(self.subjects)}"),
            predicate,
            TextValue(value) if predicate == "HAS_STATUS" else Mention(value),
            self.random.choice((0.5, 0.8, 1.0)),
            self.random.choices((Polarity.SUPPORT, Polarity.REFUTE), (9, 1))[0],
            self.random.choice(list(ClaimKind)),
            valid_from=TimeBound.stated(start) if self.random.random() < 0.7 else UNKNOWN_BOUND,
            valid_to=TimeBound.stated(end) if self.random.random() < 0.3 else UNKNOWN_BOUND,
            observed_at=_EPOCH + timedelta(days=self.random.randrange(9_000)),
        )

    async def _correct_fact(self) -> None:
        verdict = self.random.choice(list(Verdict))
        row = await self._one(f"SELECT DISTINCT fact_id FROM standings WHERE {_OPEN} AND lifecycle = 'active'")
        target = Mention(f"Corrected {self.random.randrange(4)}") if verdict is Verdict.REPLACE else None
        await self._correct(self.world.access, Correction(FactId(row), verdict, await self.head(), target))

    async def _retract_assertion(self) -> None:
        row = await self._one(f"SELECT assertion_id FROM placements WHERE {_OPEN} AND state = 'live'")
        await self.world.retract.assertion(self.world.access, AssertionId(row), "taken back")

    async def _retract_document(self) -> None:
        if self.random.random() < 0.7:
            raise InvalidInput("not this time: it takes a twelfth of everything")
        row = await self._one("SELECT document_id FROM documents")
        await self.world.retract.document(self.world.access, DocumentId(row), "taken back")

    async def _change_policy(self) -> None:
        name = self.random.choice(_OWN)
        policy = PredicatePolicy(
            name,
            self.random.choice(list(Cardinality)),
            succession=self.random.choice(list(Succession)),
            time_to_live=timedelta(days=self.random.choice((90, 900))) if self.random.random() < 0.3 else None,
        )
        await self._vocabulary(self.world.access, [policy], confirmed=[name])

    async def _merge(self) -> None:
        first, second = self.random.sample(_OWN, 2)
        policy = PredicatePolicy(first, self.random.choice(list(Cardinality)), synonyms=(second,))
        async with self.world.unit_of_work(self.world.access) as tx:
            own = await tx.predicates.policies()
        parted = [each.name for each in own if each.name == second or {first, second} & set(each.synonyms)]
        remove = [name for name in parted if name != first]
        await self._vocabulary(self.world.access, [policy], remove=remove, confirmed=[first, *remove])

    async def _undo_one(self) -> None:
        head = await self.head()
        await self._undo(self.world.access, Revision(max(1, head - self.random.randrange(8))))

    async def _regrade(self) -> None:
        row = await self._one("SELECT source_id FROM sources WHERE kind = 'record_export'")
        trust = self.random.choice((None, 0.2, 0.9))
        await self.world.regrade(self.world.access, SourceId(row), self.random.randrange(1, 5), trust, None)

    async def _approve(self) -> None:
        row = await self._one(f"SELECT assertion_id FROM placements WHERE {_OPEN} AND state = 'pending'")
        await self.world.decide.assertions(
            self.world.access, [AssertionId(row)], self.random.random() < 0.7, None, False
        )

    async def _edit(self) -> None:
        entity = await self._one("SELECT entity_id FROM entities WHERE name LIKE 'Subject%' OR name LIKE 'TESTED%'")
        number, chance = self.random.randrange(30), self.random.random()
        await self._edit_entity(
            self.world.access,
            EntityEdit(
                EntityId(entity),
                await self.head(),
                f"Name {number}" if chance < 0.7 else None,
                self.random.choice((None, "tested kind")),
                (f"Alias {number}",) if chance > 0.5 else (),
            ),
        )

    async def _one(self, query: str) -> UUID:
        column: list[UUID] = sorted(row[0] for row in await self.world.rows(query))
        if not column:
            raise InvalidInput("there is none yet")
        return self.random.choice(column)
