"""The sides of disputed slots among the hits of one search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from application.retrieval.types import Hit
from domain.retrieval.question import Question
from domain.retrieval.sides import in_order_of_standing


@dataclass(frozen=True, slots=True)
class Sides:
    """Orders what answers a query alike by standing; ``question`` is the query as read."""

    query: str
    question: Question

    def in_order(self, hits: Sequence[Hit]) -> list[Hit]:
        """The same hits. Each keeps its own score, also where that of the side behind it is higher."""
        return [hits[at] for at in in_order_of_standing([hit.fact for hit in hits], self.query, self.question)]
