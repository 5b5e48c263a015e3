"""Structured answers from a language model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from domain.errors import InvalidInput, ModelReplyInvalid, shown
from domain.identity.ids import GroupId, OrganizationId


class ModelRole(StrEnum):
    """What a call is for; each role may have its own model and is metered by name."""

    ROUTING = "routing"
    EXTRACTION = "extraction"
    JUDGE = "judge"
    ANSWER = "answer"
    RERANK = "rerank"


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question with the JSON Schema of its answer.

    ``prompt_name`` and ``prompt_version`` say which prompt made ``system`` and ``user``; they go into the run.
    ``organization_id`` and ``group_id`` are whom the call is charged to. ``schema`` describes one object, in the
    subset that the schema check reads. ``accepted`` is what a reply is checked against where that is
    wider than what is asked for: for lists whose items the caller checks one by one.
    """

    role: ModelRole
    prompt_name: str
    prompt_version: str
    system: str
    user: str
    schema: Mapping[str, Any]
    schema_name: str
    organization_id: OrganizationId
    group_id: GroupId
    max_tokens: int = 1024
    temperature: float = 0.0
    accepted: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        if self.schema.get("type") != "object":
            raise InvalidInput(
                f"The schema of a model request must describe an object, not {shown(self.schema.get('type'))}.",
                field="schema",
            )
        if self.max_tokens < 1:
            raise InvalidInput(f"max_tokens is {self.max_tokens}; give at least 1.", field="max_tokens")
        if not 0.0 <= self.temperature <= 2.0:
            raise InvalidInput(f"temperature is {self.temperature}; give 0 to 2.", field="temperature")


@dataclass(frozen=True, slots=True)
class ModelReply:
    """``data`` obeys what the request accepts: its schema, unless it gives a wider one.

    Tokens and ``requests`` are sums over every HTTP request of the call: refused, repeated and repaired ones count
    as requests. ``truncated``: the model was stopped at ``max_tokens``, though what it had said was complete.
    """

    data: Mapping[str, Any]
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 1
    truncated: bool = False


class UnusableReply(ModelReplyInvalid):
    """The model answered, and was paid, but nothing it said could be used."""

    def __init__(self, message: str, *, model: str, input_tokens: int, output_tokens: int, requests: int) -> None:
        super().__init__(message)
        self.model = model
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens
        self.requests = requests


class LanguageModel(Protocol):
    """Answers a request with data of the asked shape, or fails."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """One validated reply. A reply that is prose, cut off or of another shape is asked for once more.

        So a call costs at most two answers; requests that the provider turned away (busy, failing, not reachable)
        come on top, within the limits of the adapter's provider chain.

        Raises ``Unavailable`` when the provider is down, slow or refuses, ``UnusableReply`` (a
        ``ModelReplyInvalid``) when the second answer is no better.
        """
        ...
