"""OpenAI-compatible chat completions against a real server on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from adapters.language_models.openai import OpenAILanguageModel
from application.models.provider_failures import ProviderRefused
from domain.ports.language_model import LanguageModel
from tests.contracts.http_model_failures_contract import BuildModel, HttpModelFailuresContract, Said
from tests.contracts.language_model_contract import (
    GOOD,
    GOOD_DATA,
    SCHEMA,
    ProseModelContract,
    Script,
    a_request,
)
from tests.contracts.model_server import ModelServer, Reply, impatient_chain, model_server


def chat(text: str, *, truncated: bool = False) -> Reply:
    choice: dict[str, Any] = {"message": {"role": "assistant", "content": text}}
    choice["finish_reason"] = "length" if truncated else "stop"
    return Reply({"choices": [choice], "model": "m-1", "usage": {"prompt_tokens": 10, "completion_tokens": 5}})


class ChatScript:
    def __init__(self, server: ModelServer) -> None:
        self._server = server

    def says(self, text: str, *, truncated: bool = False) -> None:
        self._server.will_reply(chat(text, truncated=truncated))

    def asked(self) -> list[str]:
        return [
            " ".join(message["content"] for message in request.body["messages"]) for request in self._server.received
        ]


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as served:
        yield served


@pytest.fixture
async def openai(server: ModelServer) -> AsyncIterator[OpenAILanguageModel]:
    async with httpx.AsyncClient(base_url=server.url, headers={"authorization": "Bearer key"}) as client:
        yield OpenAILanguageModel(client, impatient_chain(), "m")


class TestOpenAILanguageModel(ProseModelContract):
    @pytest.fixture
    def script(self, server: ModelServer) -> Script:
        return ChatScript(server)

    @pytest.fixture
    def model(self, openai: OpenAILanguageModel) -> LanguageModel:
        return openai


class TestOpenAIFailures(HttpModelFailuresContract):
    @pytest.fixture
    def build(self) -> BuildModel:
        return lambda client, chain: OpenAILanguageModel(client, chain, "m")

    @pytest.fixture
    def said(self) -> Said:
        return chat


async def test_the_schema_goes_with_the_request(server: ModelServer, openai: OpenAILanguageModel) -> None:
    server.will_reply(chat(GOOD))
    await openai.complete(a_request())
    [request] = server.received
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer key"
    assert request.body["model"] == "m"
    assert request.body["max_tokens"] == 50
    assert request.body["temperature"] == 0.0
    assert request.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "city", "schema": SCHEMA, "strict": True},
    }


@pytest.mark.parametrize(
    "refusal",
    [
        Reply({"error": {"message": "unsupported response_format"}}, status=400),
        Reply({"detail": "no"}, status=422),
        Reply({"error": {"message": "expected one of text, json_object: json_schema"}}, status=500),
    ],
)
async def test_a_server_without_schemas_gets_the_schema_in_the_prompt_from_then_on(
    server: ModelServer, openai: OpenAILanguageModel, refusal: Reply
) -> None:
    server.will_reply(refusal, chat(GOOD), chat(GOOD))
    first = await openai.complete(a_request())
    second = await openai.complete(a_request())
    assert (first.data, first.requests) == (GOOD_DATA, 2)
    assert (second.data, second.requests) == (GOOD_DATA, 1)
    formats = [request.body["response_format"]["type"] for request in server.received]
    assert formats == ["json_schema", "json_object", "json_object"]
    assert '"maxLength": 20' in server.received[1].body["messages"][0]["content"]


async def test_a_request_that_is_refused_both_ways_does_not_give_up_schemas(
    server: ModelServer, openai: OpenAILanguageModel
) -> None:
    server.will_reply(Reply({}, status=400), Reply({}, status=400), chat(GOOD))
    with pytest.raises(ProviderRefused, match="refused the request with 400"):
        await openai.complete(a_request())
    assert (await openai.complete(a_request())).data == GOOD_DATA
    formats = [request.body["response_format"]["type"] for request in server.received]
    assert formats == ["json_schema", "json_object", "json_schema"]


async def test_a_refusal_in_words_is_an_unusable_reply(server: ModelServer, openai: OpenAILanguageModel) -> None:
    refusal = Reply({"choices": [{"message": {"content": None, "refusal": "I cannot."}, "finish_reason": "stop"}]})
    server.will_reply(refusal, chat(GOOD))
    assert (await openai.complete(a_request())).requests == 2
    assert "I cannot." in server.received[1].body["messages"][2]["content"]


async def test_newer_models_get_the_limit_under_its_newer_name(server: ModelServer) -> None:
    server.will_reply(chat(GOOD))
    async with httpx.AsyncClient(base_url=server.url) as client:
        model = OpenAILanguageModel(client, impatient_chain(), "m", length_field="max_completion_tokens")
        await model.complete(a_request())
    assert server.received[0].body["max_completion_tokens"] == 50
    assert "max_tokens" not in server.received[0].body
