"""A language model as a reranker."""

from __future__ import annotations

import pytest

from adapters.inmemory.language_model import InMemoryLanguageModel
from adapters.reranking.language_model import LanguageModelReranker
from domain.ports.language_model import ModelRole, UnusableReply
from domain.ports.reranker import Reranker
from tests.contracts.reranker_contract import GROUP, ORGANIZATION, PASSAGES, QUERY, RerankerContract


class TestLanguageModelReranker(RerankerContract):
    @pytest.fixture
    def reranker(self) -> Reranker:
        return LanguageModelReranker(InMemoryLanguageModel([{"relevances": [0, 10, 4]}]))


async def test_scores_are_tenths_and_batches_are_joined() -> None:
    model = InMemoryLanguageModel([{"relevances": [0, 10]}, {"relevances": [4]}])
    reranker = LanguageModelReranker(model, batch=2)
    scores = await reranker.score(QUERY, PASSAGES, organization_id=ORGANIZATION, group_id=GROUP)
    assert scores == [0.0, 1.0, 0.4]
    assert [request.role for request in model.requests] == [ModelRole.RERANK] * 2
    assert "Acme makes anvils." in model.requests[1].user
    assert model.requests[0].organization_id == ORGANIZATION


@pytest.mark.parametrize("relevances", [[1, 2], [1, 2, 3, 4], [1, 2, 11], [1, 2, -1], [1, 2, "high"]])
async def test_a_reply_that_does_not_fit_the_passages_is_unusable(relevances: list[object]) -> None:
    reranker = LanguageModelReranker(InMemoryLanguageModel([{"relevances": relevances}] * 2))
    with pytest.raises(UnusableReply):
        await reranker.score(QUERY, PASSAGES, organization_id=ORGANIZATION, group_id=GROUP)


async def test_long_passages_are_cut() -> None:
    model = InMemoryLanguageModel([{"relevances": [1]}])
    await LanguageModelReranker(model).score(QUERY, ["x" * 5000], organization_id=ORGANIZATION, group_id=GROUP)
    assert model.requests[0].user.count("x") == 1200
