"""The predicates that say what a thing is called and of what kind it is.

A name and a kind are what assertions make them, as any fact. ``CANONICAL_NAME`` and ``ENTITY_KIND`` have one value at a
time, and only a person's edit or an authoritative source (tier 1) counts; without either, a thing is called as it was
first mentioned. ``ALIAS_OF`` gives a further name: from one thing to another, or from a thing to a text.
"""

from __future__ import annotations

from domain.errors import InvalidInput, shown
from domain.knowledge.assertion import MAX_NAME

CANONICAL_NAME = "CANONICAL_NAME"
ENTITY_KIND = "ENTITY_KIND"
ALIAS_OF = "ALIAS_OF"
HAS_DESCRIPTION = "HAS_DESCRIPTION"

NAMING = frozenset({CANONICAL_NAME, ALIAS_OF})
"""Predicates whose facts give a thing a name that it is found and resolved by."""
FIXED = frozenset({CANONICAL_NAME, ENTITY_KIND})
"""Predicates whose policy no organization changes: what things are called depends on it."""
MAX_KIND = 100
"""Characters of a kind."""
MAX_DESCRIPTION = 2_000
"""Characters of a description."""
UNKNOWN_KIND = "thing"
"""What a thing without a kind is shown as."""


def checked_name(name: str, field: str) -> str:
    """The name without space around it. Raises InvalidInput when nothing is left, or too much."""
    return _checked(name, field, "name", MAX_NAME)


def checked_kind(kind: str) -> str:
    """The kind in lower case. Raises InvalidInput for an empty or long one, and for the word for no kind."""
    wanted = _checked(kind, "kind", "kind", MAX_KIND).lower()
    if wanted == UNKNOWN_KIND:
        raise InvalidInput(f"{UNKNOWN_KIND!r} stands for a kind that nobody knows; name a kind", field="kind")
    return wanted


def checked_description(text: str) -> str:
    """The text without space around it. Raises InvalidInput for an empty or long one."""
    return _checked(text, "description", "description", MAX_DESCRIPTION)


def _checked(text: str, field: str, what: str, longest: int) -> str:
    kept = " ".join(text.split()) if what != "description" else text.strip()
    if not kept or len(kept) > longest:
        raise InvalidInput(f"a {what} has 1 to {longest} characters: {shown(text)}", field=field)
    return kept
