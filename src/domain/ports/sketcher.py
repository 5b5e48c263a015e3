"""What makes the sketch of a text by which its likeness to others is estimated."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol


class Sketcher(Protocol):
    """MinHash, or anything whose sketches agree at a place as often as two sets overlap."""

    @property
    def scheme(self) -> str:
        """Names what the sketches are made by; those of different schemes are never compared."""
        ...

    def sketch(self, sets: Sequence[Collection[str]]) -> list[bytes]:
        """A sketch for each set: ``SKETCH_SIZE`` unsigned numbers of 4 bytes, little-endian.

        Equal sets have equal sketches in every process; order and repetition do not matter. Of two sketches the share
        of equal numbers estimates the share of members that the sets have in common. Raises InvalidInput for an empty
        set.
        """
        ...
