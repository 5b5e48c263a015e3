"""Turning text into claims."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.identity.ids import GroupId, OrganizationId
from domain.ingestion.claims import Extraction, ExtractionWindow


class ClaimExtractor(Protocol):
    """Reads windows of one document, in order, and yields claims with literal evidence.

    ``name``, ``version``, ``model`` and ``prompt_version`` identify the recipe; equal ones give equal claims for an
    offline extractor. A window whose language it does not know yields nothing and the rejection
    ``language_unknown``. One that ``reads_concepts`` also yields claims about concepts; the words that state a concept
    are the excerpt of its kind.
    """

    name: str
    version: str
    model: str | None
    prompt_version: str | None
    reads_concepts: bool

    async def extract(
        self, windows: Sequence[ExtractionWindow], *, organization_id: OrganizationId, group_id: GroupId
    ) -> list[Extraction]:
        """One extraction a window, in order. Raises Unavailable or ModelReplyInvalid when its model fails."""
        ...
