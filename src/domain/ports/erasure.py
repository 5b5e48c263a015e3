"""What erasing needs of the record, and how its certificates are signed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType, Protocol
from uuid import UUID

from domain.erasure.canaries import KnownName, Sought
from domain.erasure.naming import NamingDocument
from domain.erasure.targets import Target
from domain.identity.ids import DocumentId, GroupId, OrganizationId, PrincipalId, Revision, SlotId, SourceId

ErasureId = NewType("ErasureId", UUID)
HoldId = NewType("HoldId", UUID)
VERSIONS_LEFT = "object_with_versions_left"
"""Among an erasure's counts: deleted objects whose former versions the store does not let go of."""

BLACKED_OUT = "blacked_out_document"
"""Among an erasure's counts: documents that stay, without the names."""


@dataclass(frozen=True, slots=True)
class ErasureRow:
    """An erasure. ``revision`` is when the record let go of it; ``certificate`` is there once all work is done.

    ``canaries`` and ``digests`` are what the open work looks for; both are empty afterwards. ``restarts`` is how often
    its clean-up had to be started again.
    """

    id: ErasureId
    group_id: GroupId
    target: Target
    principal_id: PrincipalId
    principal_kind: str
    reason: str
    state: str
    counts: Mapping[str, int]
    canaries: tuple[str, ...]
    digests: tuple[str, ...]
    revision: Revision | None
    requested_at: datetime
    finished_at: datetime | None
    certificate: bytes | None
    restarts: int = 0


@dataclass(frozen=True, slots=True)
class StoreScan:
    """What of one store was looked through, of which things how many, and where what was sought is: places and counts.

    ``left`` says in sentences what could not be looked through.
    """

    store: str
    looked_at: Mapping[str, int]
    found: Mapping[str, int]
    left: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class KeptArtifact:
    """An artifact that the record names; ``size`` is of its content in bytes."""

    object_key: str
    key_id: str
    content_hash: str
    size: int


@dataclass(frozen=True, slots=True)
class ErasedContent:
    """One version's record and content.

    ``goes_on`` for what comes under the same key again: what a person or an agent says, and a record in which names are
    blacked out; ``held`` when something else of the organization has the same content.
    """

    group_id: GroupId
    source_id: SourceId
    record_key: str
    content_hash: str
    goes_on: bool
    held: bool


@dataclass(frozen=True, slots=True)
class HoldRow:
    """Why something must not be erased, and when that ended."""

    id: HoldId
    group_id: GroupId
    target: Target
    reason: str
    principal_id: PrincipalId
    revision: Revision
    placed_at: datetime
    lifted_at: datetime | None = None
    lift_reason: str | None = None


class Erasures(Protocol):
    """Inside one transaction. Removal reaches the transaction's writable scopes and nothing more."""

    async def place_of(self, target: Target) -> tuple[GroupId, bool] | None:
        """The scope in which a readable target lies, and whether it was erased already, with nothing new since."""
        ...

    async def erasure_of_target(self, target: Target) -> tuple[ErasureId, datetime] | None:
        """The first erasure of a target itself, else the one that took it with something else; None for neither."""
        ...

    async def open(self, erasure: ErasureRow) -> None:
        """Enter an erasure whose rows are not removed yet."""
        ...

    async def names(self, target: Target, also: Sequence[str] = ()) -> list[KnownName]:
        """The names of an entity and of all that is the same, and further spellings, by name."""
        ...

    async def naming(self, target: Target, sought: Sought | None, there: Sought | None) -> list[NamingDocument]:
        """Documents that name an entity, or that something about it was drawn from, by id.

        ``sought`` is for the names that mean it anywhere, ``there`` for all of them.
        """
        ...

    async def decide(
        self,
        erasure_id: ErasureId,
        erase: Sequence[DocumentId],
        black_out: Sequence[DocumentId],
        sought: Sought | None,
        there: Sought | None,
    ) -> None:
        """Note, before anything is collected, which documents go and in which the names are blacked out."""
        ...

    async def collect(self, erasure_id: ErasureId) -> list[SlotId]:
        """Note what the erasure takes; the slots that it bears on."""
        ...

    async def holds(self, erasure_id: ErasureId) -> list[tuple[Target, str]]:
        """The holds, with reasons, on anything that was noted."""
        ...

    async def held_since(self, revision: Revision) -> bool:
        """Whether a hold was placed later than the revision."""
        ...

    async def remove_said(self, erasure_id: ErasureId) -> None:
        """Remove the assertions, under the locks of their slots, and note which facts have nobody left."""
        ...

    async def overtaken(self, erasure_id: ErasureId, seen: Revision) -> bool:
        """Whether something was added to the target after the revision. Asked when the head is locked."""
        ...

    async def contents(self, erasure_id: ErasureId) -> list[ErasedContent]:
        """The records and contents of the noted documents."""
        ...

    async def remove_rest(self, erasure_id: ErasureId, revision: Revision, fingerprints: Sequence[bytes]) -> None:
        """Remove texts, names, facts, passages, vectors, kept answers and journal payloads; suppress what was named."""
        ...

    async def suppressed_by(self, fingerprints: Sequence[bytes]) -> ErasureId | None:
        """The erasure that one of the fingerprints belongs to, in any scope of the organization."""
        ...

    async def erasure(self, erasure_id: ErasureId) -> ErasureRow | None:
        """A readable erasure."""
        ...

    async def erasures(self, after: ErasureId | None, limit: int) -> list[ErasureRow]:
        """Readable erasures, newest first."""
        ...

    async def erasure_of(self, item: UUID) -> tuple[ErasureId, datetime] | None:
        """The erasure that took an item of any kind, and when it was asked for."""
        ...

    async def objects(self, erasure_id: ErasureId, limit: int) -> list[tuple[str, str]]:
        """Objects that are still to be deleted: their keys, and the ids of the data keys that seal them."""
        ...

    async def object_gone(self, erasure_id: ErasureId, object_key: str, *, versions_stay: bool) -> None:
        """The object was deleted. When former versions stay, it counts as ``VERSIONS_LEFT``."""
        ...

    async def key_in_use(self, key_id: str) -> bool:
        """Whether an artifact that stays is sealed with a data key."""
        ...

    async def sweep_vectors(self, erasure_id: ErasureId) -> None:
        """Remove vectors that were stored while their texts went."""
        ...

    async def residue(self, sought: Sought) -> StoreScan:
        """Look through every column that can hold text of the readable scopes' rows."""
        ...

    async def artifacts(self) -> list[KeptArtifact]:
        """The readable scopes' artifacts, newest first."""
        ...

    async def finish(self, erasure_id: ErasureId, certificate: bytes, at: datetime) -> bool:
        """Keep the certificate and forget the canaries; False when it was finished before."""
        ...

    async def place_hold(self, hold: HoldRow) -> None:
        """Keep a hold."""
        ...

    async def hold(self, hold_id: HoldId) -> HoldRow | None:
        """A readable hold."""
        ...

    async def all_holds(self, lifted: bool) -> list[HoldRow]:
        """Readable holds, newest first; those that were lifted only when asked."""
        ...

    async def lift_hold(self, hold_id: HoldId, principal_id: PrincipalId, reason: str, revision: Revision) -> bool:
        """End a hold; False when it had ended."""
        ...


class Signer(Protocol):
    """Ed25519 (RFC 8032) with keys of 32 bytes."""

    def public_key(self, seed: bytes) -> bytes:
        """The public key of a secret seed."""
        ...

    def sign(self, seed: bytes, message: bytes) -> bytes:
        """64 bytes."""
        ...

    def verify(self, public_key: bytes, signature: bytes, message: bytes) -> bool:
        """Whether the signature is of the message under the key."""
        ...


class DatabaseCleaner(Protocol):
    """What makes a database let go of removed rows physically."""

    async def clean(self) -> list[str]:
        """Rewrite what can be rewritten now; the sentences say what is left where. Raises Unavailable."""
        ...

    async def settle(self) -> None:
        """Let go of what stood in the erasures' own rows. Raises Unavailable."""
        ...


class StoreScanner(Protocol):
    """One store beside the record, to be looked through for what was erased."""

    async def scan(self, organization_id: OrganizationId, scopes: Sequence[GroupId], sought: Sought) -> StoreScan:
        """Look through what the store holds of the organization's scopes. Raises Unavailable."""
        ...


class VectorCache(Protocol):
    """Caches that know vectors by the digests of their texts."""

    async def forget(self, organization_id: OrganizationId, digests: Sequence[str]) -> None:
        """Drop what is kept for texts with these SHA-256 digests (hexadecimal): what is everybody's, since anybody can
        compute it again, and what is the organization's. Raises Unavailable."""
        ...

    async def persist(self) -> Sequence[str]:
        """Write what is kept now over what was written earlier; says what is left where. Raises Unavailable."""
        ...
