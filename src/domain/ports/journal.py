"""The journal: every mutation takes the next revision of its organization."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from domain.identity.ids import GroupId, Revision


@dataclass(frozen=True, slots=True)
class Head:
    """Where an organization's journal stands, and when its vocabulary and identities last changed."""

    revision: Revision
    vocabulary_rev: Revision
    identity_rev: Revision


@dataclass(frozen=True, slots=True)
class Entry:
    """One mutation to be written. ``payload`` holds ids and counts, and is committed to under a salt of its own.

    ``placed_under`` is the head that the writer resolved and placed under, where it did.
    """

    kind: str
    group_id: GroupId
    payload: Mapping[str, object] = field(default_factory=dict)
    reason: str | None = None
    placed_under: Head | None = None
    changes_vocabulary: bool = False
    changes_identity: bool = False


@dataclass(frozen=True, slots=True)
class Mutation:
    """One link of the chain, as it is read."""

    revision: Revision
    kind: str
    principal_id: str
    principal_kind: str
    connection_id: str | None
    reason: str | None
    committed_at: datetime
    payload: Mapping[str, object] | None


class MovedOn(Exception):
    """The vocabulary or an identity changed since the writer placed under it; the transaction is run again."""


class Journal(Protocol):
    """Reads the head and adds to the chain. ``advance`` locks the head: only set-based writes may follow it."""

    async def head(self) -> Head:
        """The present head, without a lock."""
        ...

    async def hold(self) -> None:
        """Wait for the organization's turn and keep it to the end: what is missing then, nobody else is adding."""
        ...

    async def advance(self, entry: Entry) -> Revision:
        """Take the next revision and write its entry. Raises MovedOn when ``placed_under`` is out of date."""
        ...

    async def revision_at(self, at: datetime) -> Revision:
        """The last revision committed at or before the time; 0 before the first. Waits for a commit in flight.

        The same time gives the same revision ever after. Raises InvalidInput for a time that is not past.
        """
        ...
