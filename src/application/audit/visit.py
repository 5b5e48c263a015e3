"""What is found out about a request while it is served: who it is, where it works, what it writes.

A door opens a visit around each request. What signs in, resolves scopes and journals notes in it, so that no handler
has to. Where no door was opened, nothing is noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from uuid import UUID

from domain.audit.line import MOST_OBJECTS
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.ports.token_verifier import Credential

_UUID_LENGTH = 36


@dataclass(slots=True)
class Visit:
    """One request. ``refused`` is a credential that was known and is not valid any more.

    ``signed_in`` says that a credential was used: the operator of the installation has none.
    """

    credential: Credential | None = None
    refused: Credential | None = None
    access: Access | None = None
    signed_in: bool = False
    kinds: set[str] = field(default_factory=set)
    objects: dict[UUID, None] = field(default_factory=dict)
    revision: Revision | None = None

    def name(self, values: Mapping[str, object]) -> None:
        """Keep the ids among some values, up to the most that a line has."""
        for value in values.values():
            if len(self.objects) >= MOST_OBJECTS:
                return
            found = value if isinstance(value, UUID) else _id_in(value)
            if found is not None:
                self.objects[found] = None


_PRESENT: ContextVar[Visit | None] = ContextVar("visit", default=None)


@contextmanager
def visiting() -> Iterator[Visit]:
    """A visit that lasts as long as the context; what runs inside notes in it."""
    visit = Visit()
    token = _PRESENT.set(visit)
    try:
        yield visit
    finally:
        _PRESENT.reset(token)


def note_credential(credential: Credential) -> None:
    """Somebody signed in."""
    if visit := _PRESENT.get():
        visit.credential, visit.signed_in = credential, True


def note_refused(credential: Credential) -> None:
    """Somebody came with a credential that is not valid any more."""
    if visit := _PRESENT.get():
        visit.refused = credential


def note_access(access: Access) -> None:
    """The scope to work in was found; the first one is what the request names."""
    if (visit := _PRESENT.get()) and visit.access is None:
        visit.access, visit.signed_in = access, True


def note_mutation(access: Access, kind: str, payload: Mapping[str, object], revision: Revision) -> None:
    """A mutation was journalled."""
    if visit := _PRESENT.get():
        visit.access = visit.access or access
        visit.kinds.add(kind)
        visit.revision = revision
        visit.name(payload)


def _id_in(value: object) -> UUID | None:
    if not isinstance(value, str) or len(value) != _UUID_LENGTH:
        return None
    try:
        return UUID(value)
    except ValueError:
        return None
