"""Where what was promoted comes from."""

from __future__ import annotations

from typing import Protocol

from domain.identity.access import Access
from domain.identity.ids import FactId, Revision
from domain.retrieval.promotion import Promotion


class Promotions(Protocol):
    """Keeps lineages inside a transaction, beside the assertions that they are of."""

    async def add(self, promotion: Promotion) -> None:
        """Keep it in the write scope; its assertion is there already."""
        ...


class PromotionReader(Protocol):
    """Reads lineages in the scopes of the access. Raises Unavailable when the database does not answer."""

    async def promoted_from(self, access: Access, fact_id: FactId, known_at: Revision | None) -> list[Promotion]:
        """Those of the assertions that make a fact, as placed at a revision, oldest first; None is the present."""
        ...
