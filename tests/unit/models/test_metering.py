"""Every paid reply is entered, usable or not; an exhausted budget stops the call."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from adapters.inmemory.language_model import InMemoryLanguageModel
from application.models.metering import MeteredLanguageModel
from application.models.model_per_role import ModelPerRole
from application.models.replies import Answer
from domain.errors import BudgetExhausted, Unavailable
from domain.identity.ids import GroupId, OrganizationId
from domain.ports.language_model import ModelRequest, ModelRole, UnusableReply
from domain.ports.usage import UsageEntry

ORGANIZATION = OrganizationId(UUID(int=1))
GROUP = GroupId("o_" + "1" * 32)
AT = datetime(2026, 1, 1, tzinfo=UTC)


class ListedUsage:
    def __init__(self, exhausted: bool = False) -> None:
        self.entries: list[UsageEntry] = []
        self._exhausted = exhausted

    async def check(self, organization_id: OrganizationId, group_id: GroupId | None = None) -> None:
        assert organization_id == ORGANIZATION
        if self._exhausted:
            raise BudgetExhausted("The monthly limit is used up.")

    async def record(self, entry: UsageEntry) -> None:
        self.entries.append(entry)


def a_request(role: ModelRole = ModelRole.JUDGE) -> ModelRequest:
    return ModelRequest(role, "p", "v1", "s", "u", {"type": "object"}, "o", ORGANIZATION, GROUP)


async def test_a_reply_is_entered_with_its_role_and_cost() -> None:
    meter = ListedUsage()
    model = MeteredLanguageModel(InMemoryLanguageModel([Answer("{}", "m", 10, 5)]), meter, lambda: AT)
    await model.complete(a_request())
    assert meter.entries == [UsageEntry(ORGANIZATION, GROUP, "judge", "m", 10, 5, 1, AT)]


async def test_an_unusable_reply_is_entered_too() -> None:
    meter = ListedUsage()
    model = MeteredLanguageModel(InMemoryLanguageModel([Answer("no", "m", 10, 5)] * 2), meter, lambda: AT)
    with pytest.raises(UnusableReply):
        await model.complete(a_request())
    assert meter.entries == [UsageEntry(ORGANIZATION, GROUP, "judge", "m", 20, 10, 2, AT)]


async def test_a_call_that_never_reached_a_model_costs_nothing() -> None:
    meter = ListedUsage()
    model = MeteredLanguageModel(InMemoryLanguageModel([Unavailable("down")]), meter, lambda: AT)
    with pytest.raises(Unavailable):
        await model.complete(a_request())
    assert meter.entries == []


async def test_an_exhausted_budget_stops_the_call_before_the_model() -> None:
    inner = InMemoryLanguageModel([{}])
    with pytest.raises(BudgetExhausted):
        await MeteredLanguageModel(inner, ListedUsage(exhausted=True), lambda: AT).complete(a_request())
    assert inner.requests == []


async def test_each_role_has_its_model_and_the_rest_the_default() -> None:
    judge, default = InMemoryLanguageModel([{}]), InMemoryLanguageModel([{}])
    models = ModelPerRole({ModelRole.JUDGE: judge}, default)
    await models.complete(a_request(ModelRole.JUDGE))
    await models.complete(a_request(ModelRole.ROUTING))
    assert (len(judge.requests), len(default.requests)) == (1, 1)


async def test_a_role_without_a_model_is_named() -> None:
    with pytest.raises(Unavailable, match="routing"):
        await ModelPerRole({}).complete(a_request(ModelRole.ROUTING))
