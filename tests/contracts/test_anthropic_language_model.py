"""Anthropic's Messages API against a real server on loopback."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from adapters.language_models.anthropic import AnthropicLanguageModel, anthropic_headers
from domain.ports.language_model import LanguageModel
from tests.contracts.http_model_failures_contract import BuildModel, HttpModelFailuresContract, Said
from tests.contracts.language_model_contract import GOOD, SCHEMA, LanguageModelContract, Script, a_request
from tests.contracts.model_server import ModelServer, Reply, impatient_chain, model_server


def message(text: str, *, truncated: bool = False) -> Reply:
    """A tool call when the text is JSON, else prose, as the API would send them."""
    block: dict[str, Any]
    try:
        block = {"type": "tool_use", "id": "t1", "name": "city", "input": json.loads(text)}
    except ValueError:
        block = {"type": "text", "text": text}
    body = {
        "content": [block],
        "model": "c-1",
        "stop_reason": "max_tokens" if truncated else "tool_use",
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }
    return Reply(body)


class MessageScript:
    def __init__(self, server: ModelServer) -> None:
        self._server = server

    def says(self, text: str, *, truncated: bool = False) -> None:
        self._server.will_reply(message(text, truncated=truncated))

    def asked(self) -> list[str]:
        return [
            " ".join([request.body["system"], *(turn["content"] for turn in request.body["messages"])])
            for request in self._server.received
        ]


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as served:
        yield served


@pytest.fixture
async def anthropic(server: ModelServer) -> AsyncIterator[AnthropicLanguageModel]:
    async with httpx.AsyncClient(base_url=server.url, headers=anthropic_headers("key")) as client:
        yield AnthropicLanguageModel(client, impatient_chain(), "c")


class TestAnthropicLanguageModel(LanguageModelContract):
    @pytest.fixture
    def script(self, server: ModelServer) -> Script:
        return MessageScript(server)

    @pytest.fixture
    def model(self, anthropic: AnthropicLanguageModel) -> LanguageModel:
        return anthropic


class TestAnthropicFailures(HttpModelFailuresContract):
    @pytest.fixture
    def build(self) -> BuildModel:
        return lambda client, chain: AnthropicLanguageModel(client, chain, "c")

    @pytest.fixture
    def said(self) -> Said:
        return message


async def test_the_schema_is_a_tool_that_must_be_called(server: ModelServer, anthropic: AnthropicLanguageModel) -> None:
    server.will_reply(message(GOOD))
    await anthropic.complete(a_request())
    [request] = server.received
    assert request.path == "/v1/messages"
    assert request.headers["x-api-key"] == "key"
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert request.body["tools"][0]["input_schema"] == SCHEMA
    assert request.body["tool_choice"] == {"type": "tool", "name": "city"}
    assert request.body["max_tokens"] == 50
    assert request.body["messages"] == [{"role": "user", "content": "Which city, and how many people?"}]
