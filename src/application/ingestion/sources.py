"""Sources and collections, made when they are first named."""

from __future__ import annotations

from dataclasses import dataclass, field

from domain.errors import InvalidInput, shown
from domain.identity.access import Access
from domain.identity.ids import CollectionId, SourceId
from domain.identity.permissions import Action, permit
from domain.identity.principal import PrincipalKind
from domain.ingestion.gate import DEFAULT_TIERS, SourceKind, checked_tier
from domain.ingestion.naming import require_printable
from domain.ingestion.stated_values import zone_named
from domain.ports.documents import CollectionRow, SourceRow
from domain.ports.ids import Ids
from domain.ports.journal import Entry
from domain.ports.unit_of_work import Transaction

_KINDS = tuple(kind.value for kind in SourceKind)


@dataclass(frozen=True, slots=True)
class SourceSpec:
    """A source as a submission names it. Tier (1 strongest to 4) and trust (0 to 1) count when it is first named."""

    name: str
    kind: str
    tier: int | None = None
    trust: float | None = None
    zone: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.name.strip()) <= 200:
            raise InvalidInput(f"a source's name has 1 to 200 characters: {shown(self.name)}", field="source")
        require_printable(self.name, "source")
        if self.kind not in _KINDS:
            raise InvalidInput(f"source kind {shown(self.kind)} is none of {', '.join(_KINDS)}", field="source")
        if self.tier is not None:
            checked_tier(self.tier)
        if self.trust is not None and not 0.0 <= self.trust <= 1.0:
            raise InvalidInput(f"trust lies between 0 and 1, not {self.trust}", field="trust")
        if self.zone is not None:
            zone_named(self.zone)


MEMORY = SourceSpec("memory", "agent")
"""What is remembered, in each personal scope."""


def own_source(access: Access) -> SourceSpec:
    """The one source that everything a principal says in a scope comes from. The name is unique and readable."""
    principal = access.principal
    kind = "agent" if principal.kind is PrincipalKind.AGENT else "person"
    place = f"{access.write_scope[:2]}{access.write_scope[-6:]}"
    name = "".join(char if char.isprintable() else " " for char in principal.name)
    return SourceSpec(f"{kind}: {name} ({str(principal.id)[:8]}, {place})", kind)


async def ensure_source(tx: Transaction, access: Access, spec: SourceSpec, ids: Ids) -> SourceRow:
    """The nearest source of that name, or a new one in the write scope.

    Raises InvalidInput when it exists with another kind or tier, Forbidden when a tier or trust is set without the
    role curator.
    """
    found = await tx.documents.source(spec.name)
    if found is None:
        await tx.journal.hold()
        found = await tx.documents.source(spec.name)
    if found is not None:
        _same(found, spec)
        return found
    default = DEFAULT_TIERS[SourceKind(spec.kind)]
    tier = spec.tier if spec.tier is not None else default
    if tier < default or spec.trust is not None:
        permit(access, Action.REGRADE)
    source = SourceRow(
        SourceId(ids.new()), access.write_scope, spec.kind, spec.name, tier, spec.trust, spec.zone, withdrawn=False
    )
    revision = await tx.journal.advance(
        Entry("add_source", access.write_scope, {"source_id": str(source.id), "tier": tier})
    )
    await tx.documents.add_source(source, revision)
    return source


def _same(found: SourceRow, spec: SourceSpec) -> None:
    if found.kind != spec.kind:
        raise InvalidInput(
            f"the source {shown(spec.name)} is of kind {found.kind}, not {spec.kind}; use another name", field="source"
        )
    if spec.tier is not None and spec.tier != found.tier:
        raise InvalidInput(
            f"the source {shown(spec.name)} has tier {found.tier}, not {spec.tier}; change it by regrading the source",
            field="tier",
        )


async def ensure_collection(tx: Transaction, access: Access, name: str, ids: Ids) -> CollectionRow:
    """The nearest collection of that name, or a new one in the write scope with the default settings."""
    if not 1 <= len(name.strip()) <= 200:
        raise InvalidInput(f"a collection's name has 1 to 200 characters: {shown(name)}", field="collection")
    require_printable(name, "collection")
    found = await tx.documents.collection(name)
    if found is None:
        await tx.journal.hold()
        found = await tx.documents.collection(name)
    if found is None:
        found = CollectionRow(CollectionId(ids.new()), name, {}, {})
        revision = await tx.journal.advance(
            Entry("add_collection", access.write_scope, {"collection_id": str(found.id)})
        )
        await tx.documents.add_collection(found, revision)
    return found


@dataclass(frozen=True, slots=True)
class CollectionSettings:
    """Sizes of a collection, in characters."""

    chunk_size: int = 500
    chunk_overlap: int = 50
    window_size: int = 2_000
    window_overlap: int = 100
    extra: dict[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, collection: CollectionRow | None) -> CollectionSettings:
        """The settings of a collection, or the defaults."""
        stated = dict(collection.settings) if collection else {}
        sizes = {name: stated.pop(name) for name in _SIZES if name in stated}
        return cls(**{name: _size(name, value) for name, value in sizes.items()}, extra=stated)


_SIZES = ("chunk_size", "chunk_overlap", "window_size", "window_overlap")


def _size(name: str, value: object) -> int:
    if not isinstance(value, int) or not 0 <= value <= 20_000:
        raise InvalidInput(f"{name} is a number of characters up to 20000, not {shown(value)}", field=name)
    return value
