"""Snapshots as they are shown."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from domain.identity.scope_name import ScopeKind, kind_of
from domain.retrieval.snapshot import Snapshot


class SnapshotView(msgspec.Struct):
    """A snapshot. Reads by it see the record of ``revision`` and ask about ``as_of``, unless they say otherwise.

    ``scope`` is the kind of the narrowest scope that it is of. ``digest`` (hexadecimal) is over its ``standings``, and
    is in the journal at ``made_revision``. ``model`` is that of its vectors, which hold every text of revisions up to
    ``embedded_up_to``. ``voided_by`` are erasures that took something that it held: the rest goes on to answer.
    ``altered_at`` is when its digest did not verify: then it is refused.
    """

    id: UUID
    scope: ScopeKind
    name: str | None
    reason: str | None
    revision: int
    as_of: datetime
    standings: int
    digest: str
    vocabulary_revision: int
    model: str | None
    embedded_up_to: int | None
    weights: dict[str, float]
    reading_version: int
    packing_version: int
    made_by: UUID
    made_at: datetime
    made_revision: int
    verified_at: datetime | None
    altered_at: datetime | None
    voided_by: list[UUID]

    @classmethod
    def of(cls, s: Snapshot) -> SnapshotView:
        """As it is shown."""
        vectors = s.vectors
        return cls(
            s.id, kind_of(s.group_id), s.name, s.reason, s.revision, s.as_of, s.standings, s.digest.hex(),
            s.vocabulary_revision, vectors.model if vectors else None, vectors.embedded_up_to if vectors else None,
            dict(s.weights), s.reading_version, s.packing_version, s.principal_id, s.made_at, s.made_revision,
            s.verified_at, s.altered_at, list(s.voided_by),
        )  # fmt: skip
