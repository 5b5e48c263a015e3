"""Values of a many-valued predicate that may have taken each other's place: which are worth asking a judge about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.identity.ids import AssertionId, FactId

MOST_VALUES = 6
"""With more values than this, a predicate plainly takes several."""
_CUES = re.compile(
    r"\b(moved|relocat\w+|switch\w+|migrat\w+|replac\w+|succeed\w+|supersed\w+|former\w*|previous\w*|earlier|until|"
    r"no longer|not any ?more|instead|used to|ex-\w+|left|resign\w+|stepp\w+ down|took over|renam\w+|chang\w+|became|"
    r"now|since|new)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class HeldValue:
    """One value that holds now: what it says, since when as far as anybody said, and its best words with their date."""

    fact_id: FactId
    says: str
    valid_from: datetime | None
    seen_at: datetime
    assertion_id: AssertionId | None = None
    quote: str | None = None

    @property
    def begins(self) -> datetime:
        """Since when it holds, else when it was first to be read."""
        return self.valid_from or self.seen_at


@dataclass(frozen=True, slots=True)
class HeldTogether:
    """Several values of one subject and predicate that all hold now."""

    subject: str
    predicate: str
    values: tuple[HeldValue, ...]


def worth_judging(held: HeldTogether) -> bool:
    """Whether dates or wording may say that one value took another's place."""
    if not 2 <= len(held.values) <= MOST_VALUES:
        return False
    told = any(value.quote is not None and _CUES.search(value.quote) for value in held.values)
    starts = {value.valid_from for value in held.values}
    return told or len(starts) > 1 or len({value.seen_at.date() for value in held.values}) > 1


def replacement(held: HeldTogether, older: FactId, newer: FactId) -> tuple[HeldValue, HeldValue] | str:
    """The two values, or why the verdict cannot be: it is about other facts, or the newer one is not newer."""
    by_id = {value.fact_id: value for value in held.values}
    if older not in by_id or newer not in by_id:
        return "it names a fact that it was not asked about"
    if older == newer:
        return "it names one fact twice"
    before, after = by_id[older], by_id[newer]
    if before.valid_from is not None and before.valid_from >= after.begins:
        return "the value that would have ended begins later"
    return before, after


def unjudged(held: HeldTogether, judged: Sequence[tuple[FactId, FactId]]) -> bool:
    """Whether two of its values are left that no judge spoke of before."""
    known = {frozenset(pair) for pair in judged}
    ids = [value.fact_id for value in held.values]
    return any(frozenset((a, b)) not in known for at, a in enumerate(ids) for b in ids[at + 1 :])
