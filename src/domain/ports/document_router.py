"""How a document enters: as facts, as facts and text, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from domain.identity.ids import GroupId, OrganizationId
from domain.ingestion.routing import Route


@dataclass(frozen=True, slots=True)
class RouteSuggestion:
    """A route, how sure the router is (0 to 1), and why."""

    route: Route
    confidence: float
    reason: str


class DocumentRouter(Protocol):
    """Reads a sample. Where there is no router, or it fails, length decides."""

    async def suggest(
        self, sample: str, title: str | None, *, organization_id: OrganizationId, group_id: GroupId
    ) -> RouteSuggestion:
        """Reads at most the first ``SAMPLE_SIZE`` characters of a document. Raises as the language model behind it."""
        ...
