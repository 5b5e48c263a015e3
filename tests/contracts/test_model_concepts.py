"""Concepts over a real HTTP server that misbehaves: at most two requests a window, and a code for every bad item."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import pytest

from adapters.extraction.language_model import LanguageModelClaimExtractor
from adapters.language_models.openai import OpenAILanguageModel
from domain.errors import ModelReplyInvalid
from domain.identity.ids import GroupId, OrganizationId
from domain.ingestion.claims import Extraction, ExtractionWindow
from tests.contracts.model_server import ModelServer, Reply, impatient_chain, model_server

QUOTE = "Every retry has to be idempotent."
WINDOW = ExtractionWindow(QUOTE, 0, "Retries", None, "en")
GOOD: dict[str, Any] = {
    "label": "Retries must be idempotent", "kind": "principle", "terms": [], "quote": QUOTE, "confidence": 0.9,
    "relations": [],
}  # fmt: skip


def chat(content: object, *, finish: str = "stop") -> Reply:
    text = content if isinstance(content, str) else json.dumps(content)
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return Reply({"choices": [choice], "model": "m-1", "usage": {"prompt_tokens": 10, "completion_tokens": 5}})


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as served:
        yield served


async def read(server: ModelServer) -> Extraction:
    async with httpx.AsyncClient(base_url=server.url) as client:
        extractor = LanguageModelClaimExtractor(OpenAILanguageModel(client, impatient_chain(), "m"), "m")
        [found] = await extractor.extract(
            [WINDOW], organization_id=OrganizationId(UUID(int=1)), group_id=GroupId("o_" + "1" * 32)
        )
    return found


@pytest.mark.parametrize(
    "first",
    [
        chat("Here are the concepts you asked for."),
        chat('{"claims": [], "concepts": [{"label": "Retr', finish="length"),
        chat({"claims": [], "concepts": {"label": "Retries"}}),
        chat({"claims": [], "concepts": ["Retries must be idempotent"]}),
        chat({"concepts": [GOOD]}),
    ],
    ids=["prose", "cut off", "no list", "no objects", "no claims"],
)
async def test_a_reply_of_another_shape_is_asked_for_once_more(server: ModelServer, first: Reply) -> None:
    server.will_reply(first, chat({"claims": [], "concepts": [GOOD]}))
    found = await read(server)
    assert [c.claim.subject.surface for c in found.claims] == ["Retries must be idempotent"]
    assert (found.requests, len(server.received)) == (2, 2)


async def test_two_bad_replies_give_the_window_up(server: ModelServer) -> None:
    server.will_reply(chat("no"), chat({"claims": 1}), chat({"claims": [], "concepts": [GOOD]}))
    with pytest.raises(ModelReplyInvalid):
        await read(server)
    assert len(server.received) == 2


async def test_bad_items_are_rejected_one_by_one_in_one_request(server: ModelServer) -> None:
    bad = [
        GOOD | {"quote": "Retries are always safe."},
        GOOD | {"kind": "entity"},
        GOOD | {"label": "x" * 10_000},
        {"label": "Retries must be idempotent"},
        GOOD | {"relations": [{"relation": "CONTRADICTS", "to": "Nobody said this"}]},
    ]
    server.will_reply(chat({"claims": [], "concepts": bad}))
    found = await read(server)
    assert [r.code for r in found.rejections] == [
        "quote_not_in_text", "concept_malformed", "concept_malformed", "concept_malformed", "relation_target_unknown",
    ]  # fmt: skip
    assert ([c.claim.predicate for c in found.claims], len(server.received)) == (["HAS_CONCEPT_KIND"], 1)
