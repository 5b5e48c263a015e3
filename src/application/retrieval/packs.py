"""Context packs: an answer within a token budget, and packs that are stored with their snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from uuid import UUID

from application.ingestion.intake import Intake
from application.knowledge.commit import committed
from application.retrieval.search import Search
from application.retrieval.snapshots import Snapshots, SnapshotWish
from application.retrieval.types import CHUNKS, FACTS, MAX_TOP, Hit, SearchRequest, SearchResult
from domain.errors import Conflict, InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import StandingId
from domain.identity.permissions import Action, permit
from domain.ports.clock import Clock
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.key_store import KeyStore
from domain.ports.knowledge_reader import KnowledgeReader
from domain.ports.token_counter import TokenCounters
from domain.ports.unit_of_work import Transaction, UnitOfWork
from domain.retrieval.context_pack import PACKING_VERSION, Conflicts, ContextPack, PackId, checked_budget
from domain.retrieval.facts import StandingFact
from domain.retrieval.pack_text import head_line
from domain.retrieval.packing import pack, units_of
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.retrieval.snapshot import Snapshot, Voided, digest_key

STORED = "store_pack"
"""The kind of its mutation."""
MAX_DAYS = 3_650


@dataclass(frozen=True, slots=True)
class PackRequest:
    """A question and how much room there is. ``model`` is the one whose tokens count; None counts bytes, a bound.

    ``passages`` adds stretches of documents. ``days`` is how long a stored pack lasts; None is the setting's.
    """

    question: str
    budget: int
    conflicts: Conflicts = Conflicts.INCLUDE
    passages: bool = False
    point: ReadPoint = field(default_factory=ReadPoint)
    filter: FactFilter = field(default_factory=FactFilter)
    predicates: tuple[str, ...] = ()
    model: str | None = None
    days: float | None = None

    def __post_init__(self) -> None:
        checked_budget(self.budget)
        if self.days is not None and not 0 < self.days <= MAX_DAYS:
            raise InvalidInput(f"a pack is kept for up to {MAX_DAYS} days, not {self.days}", field="days")


@dataclass(frozen=True, slots=True)
class PackReads:
    """What packs are made of."""

    search: Search
    reader: KnowledgeReader
    snapshots: Snapshots
    counters: TokenCounters


class Packs:
    """Answers a question with as much as fits, most informative first.

    - Each fact once, near-same statements once; corrections first among what is about as relevant, then by score times
      relevance a token. A contested fact comes with all its sides or not at all.
    - The size of the text, with citations and all, never exceeds the budget; one that is too small for a single
      citation is refused with the least that would do.
    - A stored pack names the snapshot that it was read by, which is made unless there is one that reads the same; it
      has an end, and an erasure of anything that it shows empties it.
    """

    def __init__(
        self,
        reads: PackReads,
        unit_of_work: UnitOfWork,
        keys: KeyStore,
        clock: Clock,
        ids: Ids,
        lasting: timedelta = timedelta(days=30),
        intake: Intake | None = None,
    ) -> None:
        self._reads = reads
        self._unit_of_work = unit_of_work
        self._keys = keys
        self._clock = clock
        self._ids = ids
        self._lasting = lasting
        self._intake = intake

    async def make(self, access: Access, request: PackRequest) -> ContextPack:
        """A pack that nobody keeps. Raises InvalidInput, Unavailable when the database does not answer."""
        permit(access, Action.READ)
        found = await self._reads.search(access, _question(request))
        others = await self._other_sides(access, request, found.hits)
        units = units_of(
            [(hit.fact, hit.score) for hit in found.hits],
            {fact.standing_id: fact for fact in others},
            [(hit.passage, hit.score) for hit in found.passages],
            {hit.fact.standing_id: hit.signals.relevance for hit in found.hits},
        )
        counter, pins = self._reads.counters.of(request.model), request.point.pins
        snapshot_id = pins.snapshot_id if pins is not None else None
        head = head_line(found.as_of, request.point.known_at, snapshot_id)
        packed = pack(units, head, request.budget, counter.count, request.conflicts)
        return ContextPack(
            request.question, request.budget, packed.size, counter.name, counter.exact, request.conflicts,
            PACKING_VERSION, found.as_of, request.point.known_at, snapshot_id, packed.text, packed.facts,
            packed.passages, packed.documents, packed.left_out, found.entities, _notes(found, request),
        )  # fmt: skip

    async def store(self, access: Access, request: PackRequest) -> ContextPack:
        """The same, kept. Raises Forbidden, InvalidInput, Conflict when something was erased meanwhile."""
        permit(access, Action.SNAPSHOT)
        if self._intake is not None:
            self._intake.require_no_secret(request.question, "question")
        if request.point.horizon is not None:
            raise InvalidInput(
                "a pack that is held to a read point is not stored; store it by a snapshot", field="store"
            )
        if request.point.pins is None:
            made = await self._snapshot(access, request.point)
            point = replace(request.point, known_at=None)
            request = replace(request, point=await self._reads.snapshots.pinned(access, made.id, point))
        pins = request.point.pins
        assert pins is not None
        found = await self.make(access, request)
        now = self._clock.now()
        lasting = self._lasting if request.days is None else timedelta(days=request.days)
        kept = replace(found, id=PackId(self._ids.new()), made_at=now, expires_at=now + lasting)

        async def work(tx: Transaction) -> ContextPack:
            told = {"pack_id": str(kept.id), "snapshot_id": str(pins.snapshot_id)}
            revision = await tx.journal.advance(Entry(STORED, access.write_scope, told))
            # What was erased since it was read must not be stored.
            snapshot = await tx.snapshots.snapshot(pins.snapshot_id)
            if snapshot is None or snapshot.voided_by != pins.voided_by:
                raise Conflict("something that the pack would show was erased meanwhile; ask again")
            items = set(kept.items())
            await tx.snapshots.add_pack(kept, access.write_scope, access.principal.id, revision, items)
            return kept

        return await committed(self._unit_of_work, access, work)

    async def stored(self, access: Access, pack_id: UUID) -> ContextPack:
        """A stored pack as it was made. Raises NotFound for none or one whose time is over, Voided."""
        permit(access, Action.READ)
        async with self._unit_of_work(access) as tx:
            found = await tx.snapshots.pack(PackId(pack_id), self._clock.now())
        if isinstance(found, UUID):
            raise Voided(f"the pack {pack_id} is voided: the erasure {found} took something that it showed")
        if found is None:
            raise NotFound(f"there is no pack {pack_id} in the scopes of the caller; packs end", field="pack_id")
        return found

    async def _snapshot(self, access: Access, point: ReadPoint) -> Snapshot:
        """One that reads as the point would: the last one where nothing was written since, else a new one."""
        snapshots = self._reads.snapshots
        wish = SnapshotWish(point.known_at, point.as_of)
        key = digest_key(await self._keys.organization_key(access.organization_id))

        async def work(tx: Transaction) -> Snapshot:
            blank = await snapshots.blank(tx, access, wish, point.known_at, kept=False)
            if point.known_at is None and point.as_of is None:
                like = await tx.snapshots.reusable(blank, blank.made_at - timedelta(minutes=1))
                if like is not None and (found := await tx.snapshots.snapshot(like)) is not None:
                    return found
            return await snapshots.keep(tx, blank, key)

        return await committed(self._unit_of_work, access, work)

    async def _other_sides(self, access: Access, request: PackRequest, hits: Sequence[Hit]) -> list[StandingFact]:
        """The rivals of contested hits, and theirs, each with its own citation."""
        known = {hit.fact.standing_id for hit in hits}
        asked = _rivals((hit.fact for hit in hits), known)
        if not asked or request.conflicts is Conflicts.EXCLUDE:
            return []
        first = await self._reads.reader.load(access, asked, request.point)
        further = _rivals(first, known | set(asked))
        return [*first, *(await self._reads.reader.load(access, further, request.point) if further else [])]


def _rivals(facts: Iterable[StandingFact], known: set[StandingId]) -> list[StandingId]:
    return list(dict.fromkeys(r.standing_id for fact in facts for r in fact.rivals if r.standing_id not in known))


def _question(request: PackRequest) -> SearchRequest:
    return SearchRequest(
        query=request.question,
        limit=MAX_TOP,
        sections=(FACTS, CHUNKS) if request.passages else (FACTS,),
        point=request.point,
        filter=request.filter,
        predicates=request.predicates,
    )


def _notes(found: SearchResult, request: PackRequest) -> tuple[str, ...]:
    pins = request.point.pins
    voided = pins.voided_by if pins is not None else ()
    return (*found.notes, *(f"voided: the erasure {erasure} took something of the snapshot" for erasure in voided))
