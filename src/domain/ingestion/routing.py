"""What is worth extracting from a text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from domain.errors import InvalidInput

SAMPLE_SIZE = 2000
"""Characters that a routing model sees."""
SHORT_TEXT = 500
"""Under so many characters, chunks would only repeat the facts."""


class Route(StrEnum):
    """Facts only; facts and embedded chunks; or nothing. Chunks for text search are stored unless discarded."""

    FACTS = "facts"
    BOTH = "both"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Routing:
    """A route, how sure its maker is (0 to 1; None for a rule) and why."""

    route: Route
    confidence: float | None
    reason: str

    def __post_init__(self) -> None:
        if self.confidence is not None and not 0.0 <= self.confidence <= 1.0:
            raise InvalidInput(f"Confidence lies between 0 and 1, not {self.confidence}.", field="confidence")


def routing_sample(text: str) -> str:
    """The start of the text that a routing model sees."""
    return text.strip()[:SAMPLE_SIZE]


def route_by_length(text: str) -> Routing:
    """The route without a model: a blank text is discarded, a short one gives facts only, any other both."""
    length = len(text.strip())
    if length == 0:
        return Routing(Route.DISCARD, None, "the text is blank")
    if length < SHORT_TEXT:
        return Routing(Route.FACTS, None, f"{length} characters, under {SHORT_TEXT}")
    return Routing(Route.BOTH, None, f"{length} characters, {SHORT_TEXT} or more")
