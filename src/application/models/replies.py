"""From what a model said to data of the asked shape."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from application.models.schema_check import first_problem
from domain.errors import Unavailable, shown
from domain.ports.language_model import ModelReply, ModelRequest, UnusableReply

FENCED = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL)
ECHOED = 4000
"""How much of a bad reply the model sees again when it is asked to mend it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one request came back with: the text as said, and whether it ended at ``max_tokens``."""

    text: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the exchange; ``role`` is user or assistant."""

    role: str
    text: str


class ReplyProblem(Exception):
    """Why an answer cannot be used; the message is fit for the model to read."""


class RequestTally:
    """Counts the HTTP requests of one call, also those that were turned away."""

    def __init__(self) -> None:
        self.requests = 0


Ask = Callable[[Sequence[Turn]], Awaitable[Answer]]


def parsed(answer: Answer, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answer's object, checked against the schema. Raises ``ReplyProblem``."""
    text = answer.text.strip()
    if fenced := FENCED.match(text):
        text = fenced[1]
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        if answer.truncated:
            raise ReplyProblem("the reply was cut off at the token limit") from error
        raise ReplyProblem(f"the reply is not JSON: {shown(text)}") from error
    problem = first_problem(data, schema)
    if problem:
        raise ReplyProblem(problem)
    checked: Mapping[str, Any] = data
    return checked


async def complete_with_repair(request: ModelRequest, ask: Ask, tally: RequestTally) -> ModelReply:
    """Ask, and once more with the reason when the answer cannot be used. Raises ``UnusableReply``."""
    accepted = request.accepted or request.schema
    turns = [Turn("user", request.user)]
    first = await ask(turns)
    try:
        return _reply(parsed(first, accepted), first, tally)
    except ReplyProblem as problem:
        reason = str(problem)
    turns += [Turn("assistant", first.text[:ECHOED] or "(nothing)"), Turn("user", _complaint(reason))]
    try:
        second = await ask(turns)
    except Unavailable as failure:
        raise _unusable(f"{reason}, and asking again failed: {failure.message}", first, tally) from failure
    both = replace(
        second,
        input_tokens=first.input_tokens + second.input_tokens,
        output_tokens=first.output_tokens + second.output_tokens,
    )
    try:
        return _reply(parsed(both, accepted), both, tally)
    except ReplyProblem as problem:
        raise _unusable(f"{problem} (asked twice; first: {reason})", both, tally) from problem


def _complaint(reason: str) -> str:
    return (
        f"That reply cannot be used: {reason}. "
        "Answer again with nothing but one JSON object that obeys the schema. Keep it short enough to finish."
    )


def _reply(data: Mapping[str, Any], answer: Answer, tally: RequestTally) -> ModelReply:
    return ModelReply(
        data=data,
        model=answer.model,
        input_tokens=answer.input_tokens,
        output_tokens=answer.output_tokens,
        requests=tally.requests,
        truncated=answer.truncated,
    )


def _unusable(reason: str, answer: Answer, tally: RequestTally) -> UnusableReply:
    return UnusableReply(
        f"The model {answer.model!r} gave no usable reply: {reason}. Try again, or use another model.",
        model=answer.model,
        input_tokens=answer.input_tokens,
        output_tokens=answer.output_tokens,
        requests=tally.requests,
    )


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
