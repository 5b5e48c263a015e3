"""Scripted replies, validated like a real model's."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from application.models.replies import Answer, RequestTally, Turn, complete_with_repair
from domain.errors import AssayError, Unavailable
from domain.ports.language_model import ModelReply, ModelRequest

Scripted: TypeAlias = Mapping[str, Any] | str | Answer | AssayError
"""Data (sent as JSON), raw text (perhaps prose), a whole answer, or the error to raise."""

MODEL = "scripted"


class InMemoryLanguageModel:
    """``LanguageModel`` that says what it was told, in order. ``requests`` and ``exchanges`` keep what was asked."""

    def __init__(self, replies: Iterable[Scripted] = ()) -> None:
        self._replies = deque(replies)
        self.requests: list[ModelRequest] = []
        self.exchanges: list[tuple[Turn, ...]] = []

    def will_say(self, *replies: Scripted) -> None:
        """Append to the script."""
        self._replies.extend(replies)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises ``Unavailable`` when the script has ended."""
        self.requests.append(request)
        tally = RequestTally()

        async def ask(turns: Sequence[Turn]) -> Answer:
            tally.requests += 1
            self.exchanges.append(tuple(turns))
            return self._next(request, turns)

        return await complete_with_repair(request, ask, tally)

    def _next(self, request: ModelRequest, turns: Sequence[Turn]) -> Answer:
        if not self._replies:
            raise Unavailable(f"The script has no reply left for prompt {request.prompt_name!r}; add one.")
        reply = self._replies.popleft()
        if isinstance(reply, AssayError):
            raise reply
        if isinstance(reply, Answer):
            return reply
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        asked = len(request.system.split()) + sum(len(turn.text.split()) for turn in turns)
        return Answer(text=text, model=MODEL, input_tokens=asked, output_tokens=len(text.split()))
