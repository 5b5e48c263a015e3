"""Anthropic's Messages API, with a forced tool call as structured output."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx

from adapters.language_models.endpoint import ModelEndpoint, StatusRefused
from application.models.provider_chain import ProviderChain
from application.models.provider_failures import AttemptFailed
from application.models.replies import Answer, RequestTally, Turn, complete_with_repair
from domain.ports.language_model import ModelReply, ModelRequest

API_VERSION = "2023-06-01"


def anthropic_headers(api_key: str) -> dict[str, str]:
    """What the client must send with each request."""
    return {"x-api-key": api_key, "anthropic-version": API_VERSION}


class AnthropicLanguageModel:
    """``LanguageModel``; the client's ``base_url`` ends with the API's version ("https://api.anthropic.com/v1")."""

    def __init__(self, client: httpx.AsyncClient, chain: ProviderChain, model: str) -> None:
        self._endpoint = ModelEndpoint(client, chain)
        self._model = model

    async def complete(self, request: ModelRequest) -> ModelReply:
        tally = RequestTally()

        async def ask(turns: Sequence[Turn]) -> Answer:
            return await self._endpoint.chain.call(lambda: self._ask(request, turns, tally))

        return await complete_with_repair(request, ask, tally)

    async def _ask(self, request: ModelRequest, turns: Sequence[Turn], tally: RequestTally) -> Answer:
        body = {
            "model": self._model,
            "system": request.system,
            "messages": [{"role": turn.role, "content": turn.text} for turn in turns],
            "max_tokens": request.max_tokens,
            # This API takes 0 to 1.
            "temperature": min(request.temperature, 1.0),
            "tools": [
                {
                    "name": request.schema_name,
                    "description": "Gives the answer. Call it exactly once.",
                    "input_schema": request.schema,
                }
            ],
            "tool_choice": {"type": "tool", "name": request.schema_name},
        }
        try:
            return self._answer(await self._endpoint.post("messages", body, tally))
        except StatusRefused as refused:
            raise refused.error from refused

    def _answer(self, body: Mapping[str, Any]) -> Answer:
        try:
            usage = body.get("usage") or {}
            return Answer(
                text=_said(body["content"]),
                model=str(body.get("model") or self._model),
                input_tokens=int(usage.get("input_tokens") or 0),
                output_tokens=int(usage.get("output_tokens") or 0),
                truncated=body.get("stop_reason") == "max_tokens",
            )
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise AttemptFailed(
                f"{self._endpoint.chain.provider} answered with something that is no message; check its base URL."
            ) from error


def _said(content: Sequence[Mapping[str, Any]]) -> str:
    """The tool's input as JSON, else the text: some models answer in prose all the same."""
    for block in content:
        if block["type"] == "tool_use":
            return json.dumps(block["input"], ensure_ascii=False)
    return "".join(block["text"] for block in content if block["type"] == "text")
