"""Any endpoint that speaks OpenAI's chat completions: hosted, or llama.cpp, vLLM, Ollama and others."""

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

SCHEMA_REFUSALS = frozenset({400, 422})


class OpenAILanguageModel:
    """``LanguageModel`` by ``response_format`` json_schema.

    A server that refuses json_schema is asked for json_object with the schema in the prompt instead; once that has
    worked it is remembered. The client's ``base_url`` ends with the API's version ("https://…/v1"). Newer hosted
    models want ``length_field="max_completion_tokens"``.
    """

    def __init__(
        self, client: httpx.AsyncClient, chain: ProviderChain, model: str, length_field: str = "max_tokens"
    ) -> None:
        self._endpoint = ModelEndpoint(client, chain)
        self._model = model
        self._length_field = length_field
        self._knows_schemas = True

    async def complete(self, request: ModelRequest) -> ModelReply:
        tally = RequestTally()

        async def ask(turns: Sequence[Turn]) -> Answer:
            return await self._endpoint.chain.call(lambda: self._ask(request, turns, tally))

        return await complete_with_repair(request, ask, tally)

    async def _ask(self, request: ModelRequest, turns: Sequence[Turn], tally: RequestTally) -> Answer:
        if self._knows_schemas:
            try:
                return self._answer(await self._post(request, turns, tally, with_schema=True))
            except StatusRefused as refused:
                if not _may_dislike_schemas(refused):
                    raise refused.error from refused
        try:
            answer = self._answer(await self._post(request, turns, tally, with_schema=False))
        except StatusRefused as refused:
            raise refused.error from refused
        self._knows_schemas = False
        return answer

    async def _post(
        self, request: ModelRequest, turns: Sequence[Turn], tally: RequestTally, *, with_schema: bool
    ) -> Mapping[str, Any]:
        system, response_format = request.system, _schema_format(request)
        if not with_schema:
            system = f"{system}\n\nAnswer with one JSON object that obeys this JSON Schema:\n{_json(request.schema)}"
            response_format = {"type": "json_object"}
        messages = [{"role": "system", "content": system}]
        messages += [{"role": turn.role, "content": turn.text} for turn in turns]
        body = {
            "model": self._model,
            "messages": messages,
            "temperature": request.temperature,
            self._length_field: request.max_tokens,
            "response_format": response_format,
        }
        return await self._endpoint.post("chat/completions", body, tally)

    def _answer(self, body: Mapping[str, Any]) -> Answer:
        try:
            choice = body["choices"][0]
            text = choice["message"].get("content") or choice["message"].get("refusal") or ""
            usage = body.get("usage") or {}
            return Answer(
                text=str(text),
                model=str(body.get("model") or self._model),
                input_tokens=int(usage.get("prompt_tokens") or 0),
                output_tokens=int(usage.get("completion_tokens") or 0),
                truncated=choice.get("finish_reason") == "length",
            )
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            raise AttemptFailed(
                f"{self._endpoint.chain.provider} did not answer with a chat completion; check its base URL."
            ) from error


def _schema_format(request: ModelRequest) -> dict[str, Any]:
    schema = {"name": request.schema_name, "schema": request.schema, "strict": True}
    return {"type": "json_schema", "json_schema": schema}


def _may_dislike_schemas(refused: StatusRefused) -> bool:
    """A 500 counts only when it names the field: some servers fail so, but most 500s are just failures."""
    if refused.status in SCHEMA_REFUSALS:
        return True
    return refused.status == 500 and ("json_schema" in refused.body or "response_format" in refused.body)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
