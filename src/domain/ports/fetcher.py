"""Fetching what somebody names by its address, from outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came: its bytes, its declared type, and the address that gave it in the end."""

    data: bytes
    content_type: str
    url: str


class Fetcher(Protocol):
    """Gets public documents only: never what is inside a network, whatever its name says or becomes."""

    async def fetch(self, url: str) -> Fetched:
        """The document.

        Raises InvalidInput for an address that is malformed or may not be asked (``AddressRefused``), LimitExceeded for
        too large a body, Unavailable when the server does not answer in time or answers with an error.
        """
        ...
