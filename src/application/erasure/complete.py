"""The job behind an erasure: everything that the record's transaction could not remove, and then the certificate."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from application.erasure.graph_following import GraphFollowing
from application.erasure.scan import ScanStores
from application.identity.access import AccessResolver
from application.projection.tenant import root_of
from domain.erasure.certificate import FORMAT, Certificate, moment, signed_bytes
from domain.erasure.targets import TargetKind
from domain.errors import NotFound
from domain.identity.access import Access
from domain.ports.clock import Clock
from domain.ports.erasure import (
    BLACKED_OUT,
    VERSIONS_LEFT,
    DatabaseCleaner,
    ErasureId,
    ErasureRow,
    Signer,
    StoreScan,
    VectorCache,
)
from domain.ports.key_store import KeyStore
from domain.ports.object_store import ObjectStore
from domain.ports.stragglers import Stragglers
from domain.ports.unit_of_work import UnitOfWork

PORTION = 200
"""Objects whose deletion is noted at once."""


@dataclass(frozen=True, slots=True)
class ContentStores:
    """Where content lies beside the record."""

    objects: ObjectStore
    keys: KeyStore
    database: DatabaseCleaner
    vectors: VectorCache
    graph: GraphFollowing
    stragglers: Stragglers
    scan: ScanStores


@dataclass(frozen=True, slots=True)
class BackupPolicy:
    """For how long backups that are made outside of Assay are kept; None when nobody said."""

    database: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Completed:
    """Whether a certificate was issued now; False when there was one."""

    issued: bool


@dataclass(slots=True)
class _Work:
    erasure: ErasureRow
    left: list[str] = field(default_factory=list)


class CompleteErasure:
    """Removes bytes, keys, cached vectors and graph elements, looks for what is left, and signs what it saw.

    - Each step may be done again: a worker that died is gone on from where it was. What is left to do is kept in rows.
    - It waits for the graph to have come as far as the erasure.
    - What it looks for in every store, the canaries, stands in the erasure's row and is forgotten with the certificate.
    """

    def __init__(
        self,
        resolver: AccessResolver,
        unit_of_work: UnitOfWork,
        stores: ContentStores,
        signer: Signer,
        clock: Clock,
        backups: BackupPolicy | None = None,
    ) -> None:
        self._resolver = resolver
        self._unit_of_work = unit_of_work
        self._stores = stores
        self._signer = signer
        self._clock = clock
        self._backups = backups or BackupPolicy()

    async def __call__(self, access: Access, erasure_id: ErasureId) -> Completed:
        """Raises NotFound, and Unavailable when a store does not answer or the graph is not there yet."""
        whole = await self._resolver.for_organization(access.organization_id, root_of(access))
        async with self._unit_of_work(whole) as tx:
            erasure = await tx.erasures.erasure(erasure_id)
        if erasure is None:
            raise NotFound(f"no erasure {erasure_id}")
        if erasure.state == "done":
            await self._stores.database.settle()
            return Completed(False)
        work = _Work(erasure)
        steps: Sequence[Callable[[Access, _Work], Awaitable[None]]] = (
            self._objects, self._vectors, self._graph, self._terms, self._database,
        )  # fmt: skip
        for step in steps:
            await step(whole, work)
        scans = await self._stores.scan(whole, erasure)
        async with self._unit_of_work(whole) as tx:
            work.erasure = await tx.erasures.erasure(erasure_id) or erasure
        certificate = await self._certificate(whole, work, scans)
        async with self._unit_of_work(whole) as tx:
            issued = await tx.erasures.finish(erasure_id, certificate.to_bytes(), self._clock.now())
        await self._stores.database.settle()
        return Completed(issued)

    async def _objects(self, access: Access, work: _Work) -> None:
        """A source's keys go first: bytes that are still somewhere cannot be read from then on."""
        erasure_id = work.erasure.id
        while True:
            async with self._unit_of_work(access) as tx:
                portion = await tx.erasures.objects(erasure_id, PORTION)
            if not portion:
                return
            if work.erasure.target.kind is TargetKind.SOURCE:
                await self._destroy_keys(access, {key_id for _, key_id in portion})
            purged = {object_key: await self._stores.objects.purge(object_key) for object_key, _ in portion}
            async with self._unit_of_work(access) as tx:
                for object_key, whole in purged.items():
                    await tx.erasures.object_gone(erasure_id, object_key, versions_stay=not whole)

    async def _destroy_keys(self, access: Access, key_ids: set[str]) -> None:
        for key_id in sorted(key_ids):
            async with self._unit_of_work(access) as tx:
                used = await tx.erasures.key_in_use(key_id)
            if not used:
                await self._stores.keys.destroy(key_id)

    async def _vectors(self, access: Access, work: _Work) -> None:
        async with self._unit_of_work(access) as tx:
            await tx.erasures.sweep_vectors(work.erasure.id)
        if work.erasure.digests:
            await self._stores.vectors.forget(access.organization_id, work.erasure.digests)
            work.left += await self._stores.vectors.persist()
        work.left.append(
            "other processes that run may keep vectors of the content in memory until they end or need room"
        )

    async def _graph(self, access: Access, work: _Work) -> None:
        assert work.erasure.revision is not None
        work.left += await self._stores.graph.require(access, work.erasure.revision)

    async def _terms(self, access: Access, _: _Work) -> None:
        await self._stores.stragglers.refresh_search_terms(access.organization_id)

    async def _database(self, _: Access, work: _Work) -> None:
        work.left += await self._stores.database.clean()

    async def _certificate(self, access: Access, work: _Work, scans: Sequence[StoreScan]) -> Certificate:
        erasure, now = work.erasure, self._clock.now()
        backups = self._backups.database
        until = f"until {moment(now + backups)}" if backups else "until they expire; nobody has said when that is"
        left = [*work.left, *(line for scan in scans for line in scan.left)]
        left.append(f"backups of the database made before {moment(now)} hold what was erased {until}")
        if erasure.target.kind is not TargetKind.SOURCE:
            left.append("copies of objects made elsewhere stay readable: their data key is still in use")
        left += kept_by(erasure.counts)
        if not scans:
            left.append("nothing was looked for: the content had no word of its own")
        left.append("the reasons that people gave, and names of sources, stay in the journal and in lists")
        statement = _statement(access, erasure, scans, left, moment(now))
        key_id, seed = (await self._stores.keys.signing_keys(access.organization_id))[-1]
        signature = self._signer.sign(seed, signed_bytes(statement))
        return Certificate(statement, key_id, self._signer.public_key(seed), signature)


def kept_by(counts: Mapping[str, int]) -> list[str]:
    """What an erasure with these counts leaves behind on purpose, or cannot take away, in sentences."""
    left = []
    if kept := counts.get(VERSIONS_LEFT):
        left.append(f"{kept} objects have former versions in the object store, which does not let go of them")
    if documents := counts.get(BLACKED_OUT):
        texts = "1 document stays" if documents == 1 else f"{documents} documents stay"
        left.append(
            f"{texts} with the names blacked out; what is said there beside the names stays readable, such as "
            "dates, places and deeds, and may tell who is meant"
        )
    return left


def _statement(
    access: Access, erasure: ErasureRow, scans: Sequence[StoreScan], left: Sequence[str], now: str
) -> dict[str, object]:
    return {
        "format": FORMAT,
        "organization_id": str(access.organization_id),
        "erasure_id": str(erasure.id),
        "erased": {"kind": erasure.target.kind.value, "id": str(erasure.target.id)},
        "by": {"principal_id": str(erasure.principal_id), "kind": erasure.principal_kind},
        "reason": erasure.reason,
        "requested_at": moment(erasure.requested_at),
        "revision": erasure.revision,
        "completed_at": now,
        "removed": {kind: count for kind, count in erasure.counts.items() if kind != VERSIONS_LEFT},
        "scan": {
            "canaries": len(erasure.canaries),
            "stores": {scan.store: {"looked_at": dict(scan.looked_at), "found": dict(scan.found)} for scan in scans},
            "found": sum(sum(scan.found.values()) for scan in scans),
        },
        "residue": list(left),
    }
