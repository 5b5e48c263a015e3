"""Looking through every store for what was erased, once everything is done."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from application.identity.access import AccessResolver
from application.ingestion.artifact_vault import ArtifactVault
from domain.erasure.canaries import Sought, names_sought, words_sought
from domain.erasure.targets import TargetKind
from domain.errors import ArtifactMissing, NotFound
from domain.identity.access import Access
from domain.ports.erasure import ErasureRow, KeptArtifact, StoreScan, StoreScanner
from domain.ports.object_store import ObjectStore
from domain.ports.unit_of_work import UnitOfWork

OPENED_BYTES = 1_000_000_000
OPENED_OBJECTS = 20_000
"""How much of what stays in the object store is opened, newest first."""
AT_ONCE = 8
"""Objects that are opened at one time."""


class ScanStores:
    """Looks for an erasure's canaries in the database, in the objects that stay, and in every other store.

    - Of a document or a source, they are words that nothing else had; of an entity, its names, in its scopes.
    - They are in the erasure's own row until its certificate is there, since a worker that dies must not lose them.
    - Objects are sealed: those that stay are opened and looked through, up to a bound; what the record does not name is
      counted as found, since nobody can say what it is.
    """

    def __init__(
        self,
        resolver: AccessResolver,
        unit_of_work: UnitOfWork,
        objects: ObjectStore,
        vault: ArtifactVault,
        others: Sequence[StoreScanner] = (),
    ) -> None:
        self._resolver = resolver
        self._unit_of_work = unit_of_work
        self._objects = objects
        self._vault = vault
        self._others = others

    async def __call__(self, access: Access, erasure: ErasureRow) -> list[StoreScan]:
        """``access`` is organization-wide. Nothing is looked for when there are no canaries. Raises Unavailable."""
        about_somebody = erasure.target.kind is TargetKind.ENTITY
        sought = (names_sought if about_somebody else words_sought)(erasure.canaries)
        if sought is None:
            return []
        if about_somebody:
            access = await self._resolver.for_organization(access.organization_id, erasure.group_id)
        async with self._unit_of_work(access) as tx:
            scans = [await tx.erasures.residue(sought)]
            kept = await tx.erasures.artifacts()
        scans.append(await self._of_objects(access, kept, sought))
        for store in self._others:
            scans.append(await store.scan(access.organization_id, access.read_scopes, sought))
        return scans

    async def _of_objects(self, access: Access, kept: Sequence[KeptArtifact], sought: Sought) -> StoreScan:
        named = {artifact.object_key for artifact in kept}
        inside = {f"{access.organization_id}/{group}/" for group in access.read_scopes}
        keys = [key async for key in self._objects.list(f"{access.organization_id}/") if _folder(key) in inside]
        found = {
            "objects that the record does not name": sum(key not in named for key in keys),
            "names of objects": sum(sought.expression.search(key) is not None for key in keys),
        }
        opened, budget = 0, OPENED_BYTES
        chosen = []
        for artifact in kept[:OPENED_OBJECTS]:
            budget -= artifact.size
            if budget < 0:
                break
            chosen.append(artifact)
        for start in range(0, len(chosen), AT_ONCE):
            hits = await asyncio.gather(*(self._has(artifact, sought) for artifact in chosen[start : start + AT_ONCE]))
            opened += sum(hit is not None for hit in hits)
            found["contents of objects"] = found.get("contents of objects", 0) + sum(hit is True for hit in hits)
        scan = StoreScan("objects", {"objects": len(keys), "opened": opened}, {k: n for k, n in found.items() if n})
        unread = len(kept) - opened
        return replace(scan, left=(f"{unread} objects that stay were not opened",)) if unread else scan

    async def _has(self, artifact: KeptArtifact, sought: Sought) -> bool | None:
        """Whether the content has what is sought; None when it cannot be opened, since it went meanwhile."""
        try:
            data = await self._vault.load(artifact.object_key, artifact.key_id, artifact.content_hash)
        except (ArtifactMissing, NotFound):
            return None
        text = data.decode("utf-8", "replace")
        return await asyncio.to_thread(lambda: sought.expression.search(text) is not None)


def _folder(key: str) -> str:
    """The part of an object's key that names organization and scope."""
    return "".join(f"{part}/" for part in key.split("/")[:2])
