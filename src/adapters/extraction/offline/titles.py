"""What a title or a heading names."""

from __future__ import annotations

import re

from adapters.extraction.offline.declared import DeclaredNames
from adapters.extraction.offline.field_values import Value, stripped
from adapters.extraction.offline.lexicon import LEXICON

IDENTIFIER = re.compile(r"\b[A-Z]{2,10}-\d+(?:-\d+)*(?:\.\d+)?\b")
_INCIDENT = re.compile(r"(?:INC|SEV|PIR)-")


def named_in(title: str) -> Value:
    """The name in a title: "ADR-7: Use X" gives "ADR-7", "About Acme" gives "Acme", "Report INC-3: …" its start."""
    value = stripped(title, 0)
    if match := IDENTIFIER.match(value.text):
        return Value(match[0], value.start)
    head = value.text.split(": ")[0]
    if IDENTIFIER.search(head) and head != value.text:
        return Value(head, value.start)
    folded = value.text.casefold()
    for opening in sorted(LEXICON.words["title_openings"], key=len, reverse=True):
        if folded.startswith(opening + " ") and len(folded) > len(opening) + 2:
            return Value(value.text[len(opening) + 1 :], value.start + len(opening) + 1)
    return value


def kind_in(name: str, declared: DeclaredNames) -> str | None:
    """The kind of what a title names: declared, else an incident or a document where the words show it."""
    if stated := declared.kind_of(name):
        return stated
    if not (match := IDENTIFIER.search(name)):
        return "document" if name.split()[-1].casefold() in LEXICON.words["documents"] else None
    return "event" if match[0] == name and _INCIDENT.match(name) else "document"


def event_in(title: str | None) -> str | None:
    """The one incident that a title names."""
    found = {match[0] for match in IDENTIFIER.finditer(title or "") if _INCIDENT.match(match[0])}
    return found.pop() if len(found) == 1 else None
