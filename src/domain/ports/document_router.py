"""How a document enters: as facts, as facts and text, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from domain.identity.ids import GroupId, OrganizationId

SAMPLE = 2_000
"""Characters from the beginning of a document that a router sees."""


class Route(StrEnum):
    """What is made of a document. Chunks are stored for text search either way; ``both`` embeds them too."""

    FACTS = "facts"
    BOTH = "both"
    DISCARD = "discard"


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
        """Reads at most the first ``SAMPLE`` characters. Raises as the language model behind it."""
        ...
