"""Predicates that may be one: found on request, listed, and decided as any proposal."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody, QueryParameter

from application.knowledge.merge_suggestions import merge_suggestions
from entrypoints.api.paging import Limit
from entrypoints.api.sign_in import App, Caller
from entrypoints.views.merges import MergesView, MergeView


class MergesWish(msgspec.Struct, forbid_unknown_fields=True):
    """How many to propose at most, the likeliest first."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=50)] = 20


@post("/vocabulary/suggestions", status_code=200, tags=["vocabulary"])
async def suggest_merges(app: App, access: Caller, data: JSONBody[MergesWish]) -> MergesView:
    """Look for predicates that may be one, by name, meaning and what their facts share, and propose to merge them.
    Nothing merges until an administrator of the organization approves the proposal under /proposals; approving is a
    change of the vocabulary, which can be undone. What was rejected comes again only when its evidence grew."""
    return MergesView.of_run(await app.knowledge.suggest_merges(access, data.limit))


@get("/vocabulary/suggestions", tags=["vocabulary"])
async def merges(
    app: App,
    access: Caller,
    status: Annotated[str, QueryParameter(description="pending, approved or rejected.")] = "pending",
    limit: Limit = 50,
) -> list[MergeView]:
    """The suggestions to merge predicates, the likeliest first, with every factor and facts that show it."""
    found = await merge_suggestions(app.unit_of_work, access, status, limit)
    return [MergeView.of_suggestion(each) for each in found]
