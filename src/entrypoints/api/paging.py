"""Pages: a limit, and an opaque cursor that belongs to one list with one set of filters."""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Annotated, Generic, TypeAlias, TypeVar
from uuid import UUID

import msgspec
from litestar.params import QueryParameter

from domain.errors import InvalidInput, shown

Row = TypeVar("Row")
Limit: TypeAlias = Annotated[int, QueryParameter(ge=1, le=200, description="How many, at most 200.")]
LAST_NUMBER = 2**63 - 1
"""Of revisions and jobs."""
Cursor: TypeAlias = Annotated[str | None, QueryParameter(max_length=300, description="`next` of the page before.")]


def RevisionParameter(description: str) -> QueryParameter:  # noqa: N802  # it stands where QueryParameter would
    """A revision in the query string."""
    return QueryParameter(ge=0, le=LAST_NUMBER, description=description)


class Page(msgspec.Struct, Generic[Row]):
    """One page of a list; ``next`` is there when there may be more."""

    items: list[Row]
    next: str | None = None


class CursorOf:
    """Makes and reads the cursors of one list. They hold a place and no right: every page is authorised anew."""

    def __init__(self, name: str, *filters: object) -> None:
        self._filters = (name, *filters)

    @cached_property
    def _mark(self) -> str:
        """Most lists are asked for without a cursor and end on their first page."""
        return hashlib.sha256(repr(self._filters).encode()).hexdigest()[:12]

    def after_id(self, cursor: str | None) -> UUID | None:
        """The id behind which the page starts. Raises InvalidInput for a cursor of another list."""
        place = self.place(cursor)
        try:
            return UUID(place) if place else None
        except ValueError:
            raise cursor_refused(cursor) from None

    def after_number(self, cursor: str | None) -> int:
        """The same for lists by number; 0 for the first page."""
        place = self.place(cursor)
        try:
            number = int(place) if place else 0
        except ValueError:
            raise cursor_refused(cursor) from None
        if not 0 <= number <= LAST_NUMBER:
            raise cursor_refused(cursor)
        return number

    def place(self, cursor: str | None) -> str | None:
        """What the cursor holds. Raises InvalidInput for a cursor of another list."""
        if cursor is None:
            return None
        try:
            mark, _, place = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(":")
        except (binascii.Error, ValueError):
            raise cursor_refused(cursor) from None
        if mark != self._mark:
            raise cursor_refused(cursor)
        return place

    def page(self, rows: Sequence[Row], limit: int, place_of: Callable[[Row], object]) -> Page[Row]:
        """The first ``limit`` rows, of one more that was asked for."""
        kept = list(rows[:limit])
        if len(rows) <= limit:
            return Page(kept)
        return Page(kept, self.at(str(place_of(kept[-1]))))

    def at(self, place: str) -> str:
        """The cursor of a place."""
        return base64.urlsafe_b64encode(f"{self._mark}:{place}".encode()).decode().rstrip("=")


def cursor_refused(cursor: str | None) -> InvalidInput:
    """For a cursor that was made for something else."""
    return InvalidInput(
        f"{shown(cursor)} is not a cursor of this list with these filters; start without one", field="cursor"
    )
