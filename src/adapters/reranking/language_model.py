"""Relevance judged by a language model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from domain.identity.ids import GroupId, OrganizationId
from domain.ports.language_model import LanguageModel, ModelRequest, ModelRole

PROMPT_NAME = "rerank_passages"
PROMPT_VERSION = "v1"
HIGHEST = 10
SHOWN_PASSAGE = 1200
"""Characters of a passage that the model sees."""
TOKENS_A_SCORE = 8


class LanguageModelReranker:
    """``Reranker`` that judges up to ``batch`` passages a request, all on one scale of 0 to 10."""

    def __init__(self, model: LanguageModel, batch: int = 20) -> None:
        self._model = model
        self._batch = batch
        self._system = (
            Path(__file__).with_name("prompts").joinpath(f"{PROMPT_NAME}.{PROMPT_VERSION}.md").read_text("utf-8")
        )

    async def score(
        self, query: str, passages: Sequence[str], *, organization_id: OrganizationId, group_id: GroupId
    ) -> list[float]:
        scores: list[float] = []
        for at in range(0, len(passages), self._batch):
            batch = passages[at : at + self._batch]
            reply = await self._model.complete(self._request(query, batch, organization_id, group_id))
            scores += [relevance / HIGHEST for relevance in reply.data["relevances"]]
        return scores

    def _request(
        self, query: str, passages: Sequence[str], organization_id: OrganizationId, group_id: GroupId
    ) -> ModelRequest:
        numbered = "\n".join(
            f'<passage number="{number}">\n{passage[:SHOWN_PASSAGE]}\n</passage>'
            for number, passage in enumerate(passages, 1)
        )
        return ModelRequest(
            role=ModelRole.RERANK,
            prompt_name=PROMPT_NAME,
            prompt_version=PROMPT_VERSION,
            system=self._system,
            user=f"<query>\n{query}\n</query>\n{numbered}",
            schema=_schema(len(passages)),
            schema_name="relevances",
            organization_id=organization_id,
            group_id=group_id,
            max_tokens=50 + TOKENS_A_SCORE * len(passages),
        )


def _schema(count: int) -> dict[str, Any]:
    relevance = {"type": "integer", "minimum": 0, "maximum": HIGHEST}
    relevances = {"type": "array", "items": relevance, "minItems": count, "maxItems": count}
    return {
        "type": "object",
        "properties": {"relevances": relevances},
        "required": ["relevances"],
        "additionalProperties": False,
    }
