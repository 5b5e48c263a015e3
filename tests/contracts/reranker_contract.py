"""What every reranker promises."""

from __future__ import annotations

from uuid import UUID

import pytest

from domain.identity.ids import GroupId, OrganizationId
from domain.ports.reranker import Reranker

ORGANIZATION = OrganizationId(UUID(int=1))
GROUP = GroupId("o_" + "1" * 32)
QUERY = "When was Acme founded?"
PASSAGES = ["The bread bakes for an hour.", "Acme was founded in 1990.", "Acme makes anvils."]


class RerankerContract:
    """Subclass and override ``reranker``, which finds the second of ``PASSAGES`` the most relevant to ``QUERY``."""

    @pytest.fixture
    def reranker(self) -> Reranker:
        raise NotImplementedError

    async def test_scores_keep_the_order_of_the_passages(self, reranker: Reranker) -> None:
        scores = await reranker.score(QUERY, PASSAGES, organization_id=ORGANIZATION, group_id=GROUP)
        assert len(scores) == 3
        assert max(scores) == scores[1]

    async def test_scores_lie_between_zero_and_one(self, reranker: Reranker) -> None:
        scores = await reranker.score(QUERY, PASSAGES, organization_id=ORGANIZATION, group_id=GROUP)
        assert all(0.0 <= score <= 1.0 for score in scores)

    async def test_no_passages_give_no_scores(self, reranker: Reranker) -> None:
        assert await reranker.score(QUERY, [], organization_id=ORGANIZATION, group_id=GROUP) == []
