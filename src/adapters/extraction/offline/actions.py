"""Action items: who has to do what, and until when."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from adapters.extraction.offline.dates import DATE, parse_period
from adapters.extraction.offline.declared import DeclaredNames
from adapters.extraction.offline.field_values import Value

_NAME = r"[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){0,2}"
_ASSIGNED = re.compile(rf"@?(?P<who>{_NAME}) (?:to|will|should|must|needs to) (?P<what>.+)")
_DOES = re.compile(
    rf"(?:The )?(?P<who>[A-Z]\w*(?: [A-Z][\w.’'-]*){{1,2}}|{_NAME} [Tt]eam) (?P<what>[a-z]{{2,}}(?:s|es) .+)"
)
_AFTER_NAME = re.compile(r"\s*[:,–—-]?\s*(?:to |will |should |must |needs to )?")
_DUE = re.compile(rf"\s*,?\s*(?:by|until|before|due)\s+(?P<date>{DATE})\.?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ActionItem:
    """``who`` is None where the item names nobody; ``due`` is an ISO date."""

    who: Value | None
    what: str
    due: str | None


def action_item(value: Value, declared: DeclaredNames, reference: datetime | None) -> ActionItem:
    """Reads "Ann Lee to rotate the keys by 3 May 2024", "The Data team adds a check" or "Rotate the keys"."""
    due = _DUE.search(value.text)
    period = parse_period(due["date"], reference) if due else None
    text = value.text[: due.start()] if due and period else value.text
    who, what = _split(Value(text, value.start), declared)
    return ActionItem(who, what.rstrip(". "), period.start.date().isoformat() if period else None)


def _split(value: Value, declared: DeclaredNames) -> tuple[Value | None, str]:
    article = 4 if value.text.startswith("The ") else 0
    for start, end in declared.spans(value.text):
        if start == article or value.text[:start] == "@":
            after = _AFTER_NAME.match(value.text, end)
            return Value(value.text[start:end], value.start + start), value.text[after.end() if after else end :]
    match = _ASSIGNED.fullmatch(value.text) or _DOES.fullmatch(value.text)
    if match is None:
        return None, value.text
    return Value(match["who"], value.start + match.start("who")), match["what"]
