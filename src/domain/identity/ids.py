"""Identifiers. Every id is a UUIDv7 unless said otherwise; a revision is a number that only grows."""

from __future__ import annotations

from typing import NewType
from uuid import UUID

OrganizationId = NewType("OrganizationId", UUID)
PrincipalId = NewType("PrincipalId", UUID)
CredentialId = NewType("CredentialId", UUID)
GroupId = NewType("GroupId", str)
"""A scope's opaque name: ``o_``, ``w_``, ``p_`` or ``u_`` and 32 hexadecimal digits."""

SourceId = NewType("SourceId", UUID)
CollectionId = NewType("CollectionId", UUID)
DocumentId = NewType("DocumentId", UUID)
VersionId = NewType("VersionId", UUID)
ChunkId = NewType("ChunkId", UUID)
ReceiptId = NewType("ReceiptId", UUID)
RunId = NewType("RunId", UUID)
EntityId = NewType("EntityId", UUID)
MentionId = NewType("MentionId", UUID)
AssertionId = NewType("AssertionId", UUID)
SlotId = NewType("SlotId", UUID)
FactId = NewType("FactId", UUID)
StandingId = NewType("StandingId", UUID)
ProposalId = NewType("ProposalId", UUID)
SketchId = NewType("SketchId", UUID)

Revision = NewType("Revision", int)
OPEN: Revision = Revision(2**63 - 1)
"""``to_rev`` of what has not been closed."""
