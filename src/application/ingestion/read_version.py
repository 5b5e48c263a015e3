"""A version that waits, with everything that it is read with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.intake import Intake
from application.ingestion.recipes import RECORDS, RECORDS_VERSION, Recipes
from domain.identity.access import Access
from domain.identity.ids import RunId, VersionId
from domain.ingestion.parsed import ParsedDocument
from domain.ingestion.sensitive import policy_of
from domain.ports.documents import CollectionRow, Receipt, RunRow, SourceRow, VersionRow
from domain.ports.ids import Ids
from domain.ports.unit_of_work import UnitOfWork

_DONE = ("completed", "discarded", "retracted", "erased", "refused", "replaced", "proposed")


@dataclass(frozen=True, slots=True)
class Material:
    """A version and what it is read with."""

    version: VersionRow
    source: SourceRow
    collection: CollectionRow | None
    receipt: Receipt
    parsed: ParsedDocument
    recipe: str
    run: RunRow


class ReadVersion:
    """Loads a version's bytes, parses and masks them, outside any transaction.

    Masked is what the policy masked when it was submitted, and what it masks now.
    """

    def __init__(
        self, unit_of_work: UnitOfWork, vault: ArtifactVault, intake: Intake, recipes: Recipes, ids: Ids
    ) -> None:
        self._unit_of_work = unit_of_work
        self._vault = vault
        self._intake = intake
        self._recipes = recipes
        self._ids = ids

    async def __call__(self, access: Access, version_id: VersionId) -> Material | None:
        """None when there is nothing to do.

        Raises DocumentUnreadable, InvalidInput, ArtifactMissing, ArtifactAltered, Unavailable.
        """
        async with self._unit_of_work(access) as tx:
            version = await tx.documents.version(version_id)
            receipt = await tx.documents.receipt_of(version_id)
            if version is None or receipt is None:
                return None
            source = await tx.documents.source_by_id(version.source_id)
            collections = await tx.documents.collections()
            runs = await tx.documents.runs(version_id)
            collection = next((c for c in collections if c.id == version.collection_id), None)
            policy = await self._intake.policy(tx, collection)
        redo = version.status == "completed" and receipt.status == "accepted"
        if source is None or (version.status in _DONE and not redo):
            return None
        data = await self._vault.load(version.object_key, version.key_id, version.content_hash)
        parsed = await self._intake.parse(data, version.content_type, version.record_key)
        if version.screening is not None:
            policy = policy.over(policy_of(cast("Mapping[str, object]", version.screening["policy"])))
        parsed, _, _ = await self._intake.document(parsed, None, policy)
        recipe = self._recipes.of(parsed, collection, version.mapping)
        # A crashed attempt left its run behind: going on with it, what it stored counts as stored.
        run = next((r for r in runs if r.recipe == recipe), None) or self._run(version, parsed, recipe)
        return Material(version, source, collection, receipt, parsed, recipe, run)

    def _run(self, version: VersionRow, parsed: ParsedDocument, recipe: str) -> RunRow:
        e = self._recipes.extractor
        if parsed.records:
            return RunRow(RunId(self._ids.new()), version.id, recipe, RECORDS, RECORDS_VERSION, None, None, {})
        return RunRow(RunId(self._ids.new()), version.id, recipe, e.name, e.version, e.model, e.prompt_version, {})
