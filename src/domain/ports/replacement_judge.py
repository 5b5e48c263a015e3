"""A judge of whether one value took another's place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from domain.identity.ids import FactId, GroupId, OrganizationId
from domain.knowledge.replacement import HeldTogether


@dataclass(frozen=True, slots=True)
class Judgement:
    """Pairs of an older and a newer fact, and who judged by which prompt. Facts are those that were asked about."""

    replaced: tuple[tuple[FactId, FactId], ...]
    model: str
    prompt: str


class ReplacementJudge(Protocol):
    """Gives a verdict on values that hold together. It decides nothing."""

    async def judge(self, held: HeldTogether, *, organization_id: OrganizationId, group_id: GroupId) -> Judgement:
        """Which value took which other's place; usually none did.

        Raises ``Unavailable`` when no model answers, ``ModelReplyInvalid`` when what it said cannot be used, a fact
        that does not exist included, ``BudgetExhausted`` before it is asked.
        """
        ...
