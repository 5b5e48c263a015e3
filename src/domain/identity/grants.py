"""What a credential was given at most, whatever the role of its principal: the scopes of OAuth 2.1."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Grant(StrEnum):
    """One scope of a token or a key. A token may only do what one of its grants covers; ``ADMIN`` covers everything."""

    READ = "read"
    PROPOSE = "propose"
    FEEDBACK = "feedback"
    SNAPSHOT = "snapshot"
    ADMIN = "admin"


def covered(given: frozenset[Grant] | None, needed: Grant) -> bool:
    """Whether what was given covers what is needed. None was given no bound."""
    return given is None or needed in given or Grant.ADMIN in given


def grants_in(words: Iterable[str]) -> frozenset[Grant]:
    """The grants among the words of a ``scope`` claim; other words mean nothing here."""
    known = {grant.value: grant for grant in Grant}
    return frozenset(known[word] for word in words if word in known)
