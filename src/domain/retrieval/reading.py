"""What a read asks for: the moment, the state of the record, filters, and a triple pattern."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from domain.errors import InvalidInput, shown
from domain.identity.ids import OPEN, DocumentId, EntityId, FactId, Revision, SourceId
from domain.knowledge.assertion import ClaimKind
from domain.knowledge.time import require_aware
from domain.retrieval.pinning import Pins
from domain.standing.testimony import Lifecycle

MAX_ROWS = 1_000
"""Rows of one page."""
MAX_FILTER = 200
"""Values of one filter, and entities of one side of a pattern."""
SHOWN_LIFECYCLES = (Lifecycle.ACTIVE, Lifecycle.DISPUTED)
"""What a read returns unless told otherwise."""


def system_time(text: str, field: str = "known_at") -> Revision | datetime:
    """A revision or a time, as people write it. Raises InvalidInput."""
    given = text.strip()
    if given.isascii() and given.isdigit():
        if len(given) > len(str(OPEN)) or int(given) > OPEN:
            raise InvalidInput(f"{field}: a revision is 0 to {OPEN}, not {shown(given)}", field=field)
        return Revision(int(given))
    try:
        return require_aware(datetime.fromisoformat(given), field)
    except ValueError:
        raise InvalidInput(
            f"{field}: {shown(text)} is no revision and no time; write 42, or 2024-05-01T00:00:00+00:00", field=field
        ) from None


@dataclass(frozen=True, slots=True)
class ReadPoint:
    """When it is asked about, and as known when.

    ``as_of`` None is now; ``all_time`` asks for every segment instead. ``known_at`` None is the present record. Nothing
    is shown that was not out yet at the ``horizon``, where there is one. ``pins`` are those of the snapshot, if one is
    read.
    """

    as_of: datetime | None = None
    known_at: Revision | None = None
    lifecycles: tuple[Lifecycle, ...] = SHOWN_LIFECYCLES
    all_time: bool = False
    horizon: datetime | None = None
    pins: Pins | None = None

    def __post_init__(self) -> None:
        if self.as_of is not None:
            require_aware(self.as_of, "as_of")
            if self.all_time:
                raise InvalidInput("as_of names one moment, all_time all of them; give one", field="as_of")
        if self.known_at is not None and self.known_at < 0:
            raise InvalidInput(f"a revision is 0 or more, not {self.known_at}", field="known_at")
        if not self.lifecycles:
            raise InvalidInput("no lifecycle was given; name at least one, or leave it out", field="lifecycles")

    @property
    def vocabulary_at(self) -> Revision | None:
        """The revision whose predicates questions are read by: a snapshot's, else the present ones."""
        return self.known_at if self.pins is not None else None

    def moment(self, now: datetime) -> datetime:
        """The moment asked about, or what stands for it where all of time is."""
        return self.as_of or (self.pins.as_of if self.pins is not None else now)


@dataclass(frozen=True, slots=True)
class FactFilter:
    """A fact passes when one live assertion meets all of these. Empty asks nothing. Collections go by name.

    ``untainted`` asks that not only agents and sources of tier 4 speak for it.
    """

    kinds: tuple[ClaimKind, ...] = ()
    asserter: str | None = None
    tiers: tuple[int, ...] = ()
    collections: tuple[str, ...] = ()
    documents: tuple[DocumentId, ...] = ()
    sources: tuple[SourceId, ...] = ()
    untainted: bool = False

    def __post_init__(self) -> None:
        for name in ("kinds", "tiers", "collections", "documents", "sources"):
            if len(getattr(self, name)) > MAX_FILTER:
                raise InvalidInput(f"at most {MAX_FILTER} values in one filter", field=name)
        for tier in self.tiers:
            if not 1 <= tier <= 4:
                raise InvalidInput(f"tier is 1 to 4, not {tier}", field="tiers")


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page ended: pages go corrections first, then by fact and start."""

    corrected: bool
    fact_id: FactId
    valid_from: datetime | None


@dataclass(frozen=True, slots=True)
class Side:
    """The subject or the object of a pattern: ids and names, mixed; or keys of literals."""

    ids: tuple[EntityId, ...] = ()
    names: tuple[str, ...] = ()
    literal_keys: tuple[UUID, ...] = ()

    def __post_init__(self) -> None:
        if not (self.ids or self.names or self.literal_keys):
            raise InvalidInput("name a subject or an object, or leave the side out", field="subject")
        if len(self.ids) + len(self.names) + len(self.literal_keys) > MAX_FILTER:
            raise InvalidInput(f"at most {MAX_FILTER} entities on one side of a pattern", field="subject")


@dataclass(frozen=True, slots=True)
class StoredPattern:
    """A triple pattern in stored directions.

    ``forward`` predicates hold as asked, ``backward`` ones with subject and object exchanged; None is any predicate.
    """

    subject: Side | None = None
    object: Side | None = None
    forward: tuple[str, ...] | None = None
    backward: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.subject is None and self.object is None and not self.forward and not self.backward:
            raise InvalidInput(
                "name a subject, a predicate or an object; all three open is no question", field="subject"
            )


@dataclass(frozen=True, slots=True)
class PatternRead:
    """One page of a pattern."""

    pattern: StoredPattern
    point: ReadPoint = field(default_factory=ReadPoint)
    filter: FactFilter = field(default_factory=FactFilter)
    limit: int = 50
    after: Cursor | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MAX_ROWS:
            raise InvalidInput(f"limit is 1 to {MAX_ROWS}, not {self.limit}", field="limit")
