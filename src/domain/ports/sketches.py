"""The sketches of passages that hold evidence, and finding those that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.ingestion.copies import Sketch


class Sketches(Protocol):
    """In the transaction's write scope."""

    async def alike(self, bands: Sequence[int]) -> list[Sketch]:
        """The sketches that have one of the bands, by id; of many that have the same one, the first.

        Until the transaction ends, others of the organization wait here: of two copies that are read at once, the
        second finds the first.
        """
        ...

    async def add(self, sketches: Sequence[Sketch], bands: Sequence[Sequence[int]]) -> None:
        """Add sketches with their bands, one list each. A passage of a version that is there already is left as it is.

        Raises Conflict when the version was erased meanwhile.
        """
        ...
