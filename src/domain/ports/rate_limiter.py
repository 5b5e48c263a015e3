"""How much of what is limited may be used now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from domain.errors import InvalidInput, RateLimited, shown

LONGEST_WINDOW = 86_400


@dataclass(frozen=True, slots=True)
class Charge:
    """``cost`` units against a limit: ``owner`` may use at most ``most`` of them in any ``seconds`` seconds.

    ``name`` is the limit's, as a refusal says it; with ``owner`` and ``seconds`` it makes the key of the count.
    """

    name: str
    owner: str
    cost: int
    most: int
    seconds: int = 60

    def __post_init__(self) -> None:
        if not 1 <= self.cost <= self.most:
            raise InvalidInput(f"A charge is between 1 and its limit of {self.most}, not {self.cost}.", field="cost")
        if not 1 <= self.seconds <= LONGEST_WINDOW:
            raise InvalidInput(f"A window has 1 to {LONGEST_WINDOW} seconds, not {self.seconds}.", field="seconds")

    @classmethod
    def within(cls, name: str, owner: str, cost: int, most: int, seconds: int = 60) -> Charge:
        """The charge; a cost above the limit takes the whole limit, so that it can be had at all."""
        return cls(name, owner, min(cost, most), most, seconds)

    @property
    def key(self) -> str:
        """Names the count within its family."""
        return f"{self.name}:{self.owner}:{self.seconds}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the charges were taken. ``remaining`` is what each limit has left then, in the order of the charges.

    A refusal names the charge that has to wait longest, and for how many seconds; ``at`` is the limiter's own time.
    """

    remaining: tuple[int, ...]
    at: int
    refused: Charge | None = None
    retry_after: float = 0.0

    @property
    def admitted(self) -> bool:
        """Whether the charges were taken."""
        return self.refused is None

    def require(self) -> None:
        """Raise RateLimited for a refusal."""
        if self.refused is not None:
            raise RateLimited.of(self.refused.name, self.refused.most, self.refused.seconds, self.retry_after)


class RateLimiter(Protocol):
    """Counts in sliding windows.

    - All or nothing: either every charge is taken or none is, also under concurrent calls.
    - Never more than ``most`` is taken in any stretch of ``seconds``; what was taken is free again after at most 1.1
      times ``seconds``.
    - A refused charge waits ``retry_after`` seconds; if nothing else comes by then, it is taken.
    - Counts of two families have nothing to do with each other; a family's are kept in one place.
    - No call raises because a store is down.
    """

    async def take(self, family: str, charges: Sequence[Charge]) -> Verdict:
        """Take the charges at once, or none of them; no charges are always taken.

        ``family`` is the organization's id, or another name whose limits are checked together. Raises InvalidInput when
        two charges count in the same place.
        """
        ...


class LocalRateLimiter(RateLimiter, Protocol):
    """One whose counts lie in this process, so that what it took can be given back."""

    def give_back(self, family: str, charges: Sequence[Charge], taken: Verdict) -> None:
        """Undo ``taken``, which admitted the charges."""
        ...


def require_apart(charges: Sequence[Charge]) -> None:
    """Raise InvalidInput when two charges count in the same place."""
    keys = [charge.key for charge in charges]
    if len(set(keys)) != len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InvalidInput(f"Two charges count in one place, {shown(twice)}; make them one.", field="charges")
