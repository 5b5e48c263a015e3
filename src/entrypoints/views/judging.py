"""What a judge suggested, as every entry point shows it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from application.knowledge.judge_replacements import JudgeRun, SuggestedEnd
from domain.knowledge.replacement import HeldValue


class JudgedValue(msgspec.Struct):
    """One of two values: its fact, since when it holds, when it was read, and its source's words."""

    fact_id: UUID
    sentence: str
    valid_from: datetime | None
    seen_at: datetime
    assertion_id: UUID | None
    quote: str | None

    @classmethod
    def of(cls, value: HeldValue) -> JudgedValue:
        """As it is shown."""
        return cls(
            value.fact_id, value.says, value.valid_from, value.seen_at, value.assertion_id, value.quote
        )  # fmt: skip


class EndView(msgspec.Struct):
    """A proposal that ``older`` ended at the ``boundary``, where ``newer`` begins, by a model's word alone."""

    proposal_id: UUID
    subject: str
    predicate: str
    older: JudgedValue
    newer: JudgedValue
    boundary: datetime
    model: str
    prompt: str

    @classmethod
    def of(cls, found: SuggestedEnd) -> EndView:
        """As it is shown."""
        return cls(
            found.proposal_id, found.subject, found.predicate, JudgedValue.of(found.older),
            JudgedValue.of(found.newer), found.newer.begins, found.model, found.prompt,
        )  # fmt: skip


class UnusedView(msgspec.Struct):
    """What gave no proposal, and why."""

    subject: str
    predicate: str
    why: str


class JudgedView(msgspec.Struct):
    """What was proposed, what could not be used, how many questions were asked, and why the run stopped early, if so.

    ``next`` is the ``after`` of the next run; null when all was looked through.
    """

    suggested: list[EndView]
    unused: list[UnusedView]
    asked: int
    stopped: str | None
    next: str | None

    @classmethod
    def of(cls, run: JudgeRun) -> JudgedView:
        """As it is shown."""
        following = f"{run.next.subject}.{run.next.predicate}" if run.next else None
        unused = [UnusedView(each.subject, each.predicate, each.why) for each in run.unused]
        return cls([EndView.of(each) for each in run.suggested], unused, run.asked, run.stopped, following)
