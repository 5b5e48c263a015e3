"""Claims and concepts by a language model, bound to the window's own sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from adapters.extraction.claim_schema import ACCEPTED, asked_schema
from adapters.extraction.model_claims import claims_of
from adapters.extraction.model_concepts import concepts_of
from adapters.extraction.prompt_files import prompt_text
from adapters.extraction.sentences import Sentence, sentences_of
from domain.identity.ids import GroupId, OrganizationId
from domain.ingestion.claims import Extraction, ExtractionWindow
from domain.ports.language_model import LanguageModel, ModelRequest, ModelRole

PROMPT_NAME = "extract_claims"
PROMPT_VERSION = "v2"


class LanguageModelClaimExtractor:
    """``ClaimExtractor`` for any language; a window costs at most two model replies.

    ``parallel`` windows are read at once. What the model says is kept only as far as the window bears it out.
    """

    name = "language-model"
    version = "2"
    reads_concepts = True

    def __init__(self, language_model: LanguageModel, model: str, *, parallel: int = 4, max_tokens: int = 3000) -> None:
        self.model: str | None = model
        self.prompt_version: str | None = f"{PROMPT_NAME}.{PROMPT_VERSION}"
        self._language_model = language_model
        self._parallel = parallel
        self._max_tokens = max_tokens

    async def extract(
        self, windows: Sequence[ExtractionWindow], *, organization_id: OrganizationId, group_id: GroupId
    ) -> list[Extraction]:
        """One extraction a window, in order. Raises as the language model does; the other windows are given up."""
        turns = asyncio.Semaphore(self._parallel)

        async def read(window: ExtractionWindow) -> Extraction:
            async with turns:
                return await self._read(window, organization_id, group_id)

        try:
            async with asyncio.TaskGroup() as group:
                reading = [group.create_task(read(window)) for window in windows]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return [task.result() for task in reading]

    async def _read(self, window: ExtractionWindow, organization_id: OrganizationId, group_id: GroupId) -> Extraction:
        sentences = sentences_of(window.text)
        if not sentences:
            return Extraction(claims=())
        request = ModelRequest(
            role=ModelRole.EXTRACTION,
            prompt_name=PROMPT_NAME,
            prompt_version=PROMPT_VERSION,
            system=prompt_text(PROMPT_NAME, PROMPT_VERSION),
            user=_question(window, sentences),
            schema=asked_schema([sentence.shown for sentence in sentences]),
            accepted=ACCEPTED,
            schema_name="claims",
            organization_id=organization_id,
            group_id=group_id,
            max_tokens=self._max_tokens,
        )
        reply = await self._language_model.complete(request)
        claims, rejections = claims_of(reply.data["claims"], window, sentences)
        concepts, refused = concepts_of(reply.data.get("concepts", ()), window, sentences)
        return Extraction((*claims, *concepts), (*rejections, *refused), reply.requests)


def _question(window: ExtractionWindow, sentences: Sequence[Sentence]) -> str:
    parts = []
    if window.title:
        parts.append(f"Title: {window.title}")
    if window.reference_time:
        parts.append(f"Date of the text: {window.reference_time.date().isoformat()}")
    if window.entities:
        names = "; ".join(f"{name} ({kind})" for name, kind in window.entities.items())
        parts.append(f"Names that are known: {names}")
    listed = "\n".join(f"- {sentence.shown}" for sentence in sentences)
    return "\n".join([*parts, f"<sentences>\n{listed}\n</sentences>"])
