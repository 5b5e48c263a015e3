"""Making, opening and verifying snapshots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from application.ingestion.intake import Intake
from application.knowledge.commit import committed
from application.retrieval.system_time import revision_of
from application.retrieval.types import SearchSettings
from domain.errors import InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import OPEN, Revision
from domain.identity.permissions import Action, permit
from domain.knowledge.time import require_aware
from domain.ports.clock import Clock
from domain.ports.ids import Ids
from domain.ports.journal import Entry, MovedOn
from domain.ports.key_store import KeyStore
from domain.ports.operations import Operations
from domain.ports.unit_of_work import Transaction, UnitOfWork
from domain.retrieval.context_pack import PACKING_VERSION
from domain.retrieval.pinning import READING_VERSION, SnapshotId
from domain.retrieval.reading import ReadPoint
from domain.retrieval.snapshot import ContentDigest, Snapshot, SnapshotAltered, digest_key

MADE = "make_snapshot"
"""The kind of its mutation."""


@dataclass(frozen=True, slots=True)
class SnapshotWish:
    """What to make a snapshot of: the present when ``known_at`` is None. Reads by it ask about ``as_of``."""

    known_at: Revision | datetime | None = None
    as_of: datetime | None = None
    name: str | None = None
    reason: str | None = None


class Snapshots:
    """A snapshot is one row: reads by it give the same later, whatever is written since.

    - It pins the revision, the scopes, the moment asked about, the vectors' index, the predicates, what words count
      and the weights of search, and holds a digest over every standing of the revision. Making one is journalled.
    - Opening one reads its row. What it pins is in the record already: nothing is copied.
    - What was erased since is not in it any more: it is voided, says by which erasures, and goes on with the rest.
    - One whose digest does not verify is refused from then on.
    - Votes are no part of the chain: one that is given later never counts in it.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        operations: Operations,
        keys: KeyStore,
        settings: SearchSettings,
        clock: Clock,
        ids: Ids,
        intake: Intake | None = None,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._operations = operations
        self._keys = keys
        self._settings = settings
        self._clock = clock
        self._ids = ids
        self._intake = intake

    async def make(self, access: Access, wish: SnapshotWish) -> Snapshot:
        """Keep a snapshot of the access's scopes; an empty scope has one, too, with no standings.

        Raises Forbidden, InvalidInput for a revision that is not reached, Conflict when it never settles.
        """
        permit(access, Action.SNAPSHOT)
        if self._intake is not None and wish.name is not None:
            self._intake.require_no_secret(wish.name, "name")
        known_at = await revision_of(self._unit_of_work, self._operations, access, wish.known_at)
        key = digest_key(await self._keys.organization_key(access.organization_id))

        async def work(tx: Transaction) -> Snapshot:
            return await self.keep(tx, await self.blank(tx, access, wish, known_at), key)

        return await committed(self._unit_of_work, access, work)

    async def blank(
        self, tx: Transaction, access: Access, wish: SnapshotWish, known_at: Revision | None, *, kept: bool = True
    ) -> Snapshot:
        """A snapshot without its digest, as of the head that ``made_revision`` names until it is made."""
        head, now = (await tx.journal.head()).revision, self._clock.now()
        revision = head if known_at is None else known_at
        as_of = wish.as_of and require_aware(wish.as_of, "as_of")
        if as_of is None and known_at is not None:
            as_of = wish.known_at if isinstance(wish.known_at, datetime) else await tx.snapshots.committed_at(known_at)
        return Snapshot(
            SnapshotId(self._ids.new()), access.write_scope, access.read_scopes, revision, as_of or now,
            await tx.snapshots.vocabulary_revision(revision), await tx.snapshots.vectors(),
            await tx.snapshots.corpus(revision), self._settings.pinned(), READING_VERSION, PACKING_VERSION, 0, b"",
            wish.name, wish.reason, kept, access.principal.id, access.principal.kind.value, head, now,
        )  # fmt: skip

    async def keep(self, tx: Transaction, blank: Snapshot, key: bytes) -> Snapshot:
        """The snapshot with its digest, kept and journalled. Raises MovedOn when something was erased meanwhile."""
        content = await tx.snapshots.digest(blank.revision, OPEN, key)
        revision = await tx.journal.advance(Entry(MADE, blank.group_id, _told(blank, content), reason=blank.reason))
        if await tx.snapshots.erased_since(blank.made_revision):
            raise MovedOn
        made = replace(
            blank, standings=content.standings, digest=content.whole, made_revision=revision, verified_at=blank.made_at
        )
        await tx.snapshots.add(made, content.buckets)
        return made

    async def opened(self, access: Access, snapshot_id: UUID) -> Snapshot:
        """One snapshot, to read by. Raises NotFound, SnapshotAltered, InvalidInput to name its scope."""
        found = await self.shown(access, snapshot_id)
        if found.altered_at is not None:
            raise SnapshotAltered(
                f"the snapshot {snapshot_id} is refused: at {found.altered_at.isoformat()} the record no longer said "
                "what it said when the snapshot was made; verify it again once the record is restored"
            )
        if found.reading_version != READING_VERSION:
            raise InvalidInput(
                f"the snapshot {snapshot_id} was made by another version of reading ({found.reading_version}, here "
                f"{READING_VERSION}) and would not give the same; read with known_at={found.revision}",
                field="snapshot",
            )
        if found.scopes != access.read_scopes:
            raise InvalidInput(
                f"the snapshot {snapshot_id} is of another scope than the one you read in; name that with scope",
                field="scope",
            )
        return found

    async def pinned(
        self, access: Access, snapshot_id: UUID | None, point: ReadPoint, field: str = "snapshot"
    ) -> ReadPoint:
        """The point as a read by the snapshot, if one is named. Raises as ``opened``, InvalidInput beside known_at."""
        if snapshot_id is None:
            return point
        if point.known_at is not None:
            raise InvalidInput("give known_at or a snapshot, which is of one revision; not both", field=field)
        found = await self.opened(access, snapshot_id)
        as_of = None if point.all_time else point.as_of or found.as_of
        return replace(point, as_of=as_of, known_at=found.revision, pins=found.pins)

    async def shown(self, access: Access, snapshot_id: UUID) -> Snapshot:
        """One snapshot as it is, also when it is voided or refused. Raises NotFound."""
        permit(access, Action.READ)
        async with self._unit_of_work(access) as tx:
            found = await tx.snapshots.snapshot(SnapshotId(snapshot_id))
        if found is None:
            raise NotFound(f"there is no snapshot {snapshot_id} in the scopes of the caller", field="snapshot")
        return found

    async def listed(self, access: Access, after: SnapshotId | None = None, limit: int = 50) -> list[Snapshot]:
        """Snapshots of the readable scopes, newest first."""
        permit(access, Action.READ)
        async with self._unit_of_work(access) as tx:
            return await tx.snapshots.snapshots(after, limit)

    async def verify(self, access: Access, snapshot_id: UUID) -> Snapshot:
        """Read every standing of the snapshot again and compare; the snapshot as it was found.

        Raises NotFound, SnapshotAltered when it differs: then it is refused until it verifies.
        """
        found = await self.shown(access, snapshot_id)
        key = digest_key(await self._keys.organization_key(access.organization_id))
        # The scopes are its own; whoever reads it may have it noted that it is wrong.
        whole = replace(access, read_scopes=found.scopes, write_scopes=found.scopes)
        now = self._clock.now()
        async with self._unit_of_work(whole) as tx:
            content = await tx.snapshots.digest(found.revision, found.made_revision, key)
            held = await tx.snapshots.buckets(found.id)
            verified = content.whole == found.digest
            await tx.snapshots.mark(found.id, verified, now)
        if not verified:
            raise SnapshotAltered(
                f"the snapshot {snapshot_id} does not verify: {content.standings} standings where it had "
                f"{found.standings}, and {content.differing(held)} of 256 digests differ. The record of revision "
                f"{found.revision} was altered"
            )
        return replace(found, verified_at=now, altered_at=None)


def _told(blank: Snapshot, content: ContentDigest) -> dict[str, object]:
    return {
        "snapshot_id": str(blank.id),
        "revision": blank.revision,
        "standings": content.standings,
        "digest": content.whole.hex(),
    }
