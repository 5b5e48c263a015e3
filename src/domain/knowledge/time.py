"""Valid time: bounds that know how exact they are, and half-open intervals.

Years 1 to 9999 in UTC. ``None`` is unbounded; there is no "infinity" value.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from domain.errors import InvalidInput, shown


class Precision(StrEnum):
    """How exactly a time was stated."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    DAY = "day"
    SECOND = "second"


class BoundState(StrEnum):
    """Whether an end of a valid time was given."""

    STATED = "stated"
    OPEN = "open"  # the source says that it has no end on this side ("still", "since ever")
    UNKNOWN = "unknown"  # the source says nothing


@dataclass(frozen=True, slots=True)
class TimeBound:
    """One end of a stated valid time. ``value`` is aware, in UTC, and present exactly when the state is stated.

    A start is inclusive, an end exclusive: "until March 2023" ends at 2023-03-01, "in 2023" runs from
    2023-01-01 to 2024-01-01.
    """

    value: datetime | None = None
    precision: Precision | None = None
    state: BoundState = BoundState.UNKNOWN

    def __post_init__(self) -> None:
        if (self.value is not None) != (self.state is BoundState.STATED):
            raise InvalidInput(f"a bound has a value exactly when it is stated, not {shown(self)}", field="valid_time")
        if self.value is not None:
            require_aware(self.value, "valid_time")

    @classmethod
    def stated(cls, value: datetime, precision: Precision = Precision.SECOND) -> TimeBound:
        """A bound that the source gave."""
        return cls(require_aware(value, "valid_time"), precision, BoundState.STATED)


UNKNOWN_BOUND = TimeBound()
OPEN_BOUND = TimeBound(state=BoundState.OPEN)


_ENDS = (datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC))
"""What programs write for "always" and "never"; the database reads them as infinity."""


def require_aware(value: datetime, field: str) -> datetime:
    """The time in UTC. Raises InvalidInput for a naive one, since a zone cannot be guessed."""
    if value.tzinfo is None:
        raise InvalidInput(
            f"{field} {value.isoformat()} has no time zone; add one, for example {value.isoformat()}Z", field=field
        )
    try:
        moment = value.astimezone(UTC)
    except (OverflowError, ValueError):
        moment = _ENDS[0]
    if moment in _ENDS:
        raise InvalidInput(
            f"{field} {value.isoformat()} stands for no moment; leave out an end that is unknown or open", field=field
        )
    return moment


@dataclass(frozen=True, slots=True)
class Interval:
    """Half-open: ``start`` is in it, ``end`` is not. ``None`` is unbounded on that side."""

    start: datetime | None = None
    end: datetime | None = None

    def __post_init__(self) -> None:
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise InvalidInput(
                f"an interval starts before it ends, not {self.start.isoformat()} to {self.end.isoformat()}",
                field="valid_time",
            )

    def contains(self, at: datetime) -> bool:
        """Whether the moment lies in the interval."""
        return (self.start is None or self.start <= at) and (self.end is None or at < self.end)

    def overlaps(self, other: Interval) -> bool:
        """Whether the two share a moment."""
        return (self.start is None or other.end is None or self.start < other.end) and (
            other.start is None or self.end is None or other.start < self.end
        )
