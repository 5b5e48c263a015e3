"""Reads of the journal: whether it is whole, and whose history it tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from domain.identity.ids import FactId, Revision
from domain.journal.entries import EntriesRead, JournalEntry, Step
from domain.journal.verification import Anchor, Commitment, Fault


class Chronicle(Protocol):
    """Inside a transaction, in the readable scopes. Verifying and exporting take an access to all of them."""

    async def seal(self) -> Anchor:
        """The head with its hash."""
        ...

    async def hash_at(self, revision: Revision) -> bytes | None:
        """The hash of an entry; None when there is none."""
        ...

    async def chain_faults(self, limit: int) -> list[Fault]:
        """Where the chain is broken, one fault a revision, in order; payloads are not looked at."""
        ...

    async def commitments(self, after: Revision, limit: int) -> list[Commitment]:
        """The next commitments with their payloads, in order."""
        ...

    async def links(self, after: Revision, up_to: Revision, limit: int) -> list[Mapping[str, object]]:
        """The next entries as they are exported: every field that their hash is made of, the hash, and the payload."""
        ...

    async def entries(self, read: EntriesRead) -> list[JournalEntry]:
        """Entries that meet a read, in order, without what they did."""
        ...

    async def steps(
        self, revisions: Sequence[Revision], facts: Sequence[FactId] | None, limit: int
    ) -> dict[Revision, tuple[int, list[Step]]]:
        """How many segments each revision opened and closed, and at most ``limit`` of them, by fact."""
        ...
