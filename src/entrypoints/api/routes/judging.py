"""A language model's look for values that were replaced: off by default, and only ever a proposal."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import post
from litestar.params import JSONBody

from domain.ports.contradictions import TogetherCursor
from entrypoints.api.sign_in import App, Caller
from entrypoints.views.judging import JudgedView


class JudgeWish(msgspec.Struct, forbid_unknown_fields=True):
    """Which predicates, all that take several values when left out; how many questions at most; where to go on."""

    predicates: Annotated[list[str], msgspec.Meta(max_length=100)] = []
    limit: Annotated[int, msgspec.Meta(ge=1)] | None = None
    after: Annotated[str, msgspec.Meta(max_length=200)] | None = None


@post("/contradictions/suggestions", status_code=200, tags=["contradictions"])
async def judge_replacements(app: App, access: Caller, data: JSONBody[JudgeWish]) -> JudgedView:
    """Let a language model judge whether a value of a predicate that takes several was replaced by another. A verdict
    is a proposal to end the older value, under /proposals; it changes nothing until a curator approves it. 409 when no
    judge is configured."""
    after = TogetherCursor.parse(data.after) if data.after is not None else None
    return JudgedView.of(await app.knowledge.judge_replacements(access, tuple(data.predicates), data.limit, after))
