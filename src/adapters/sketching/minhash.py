"""MinHash by the ``rensa`` library."""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence

from rensa import RMinHash

from domain.errors import InvalidInput
from domain.ingestion.copies import SKETCH_SIZE

SEED = 1
_PACKED = struct.Struct(f"<{SKETCH_SIZE}I")


class MinHashSketcher:
    """The ``Sketcher``. The library's own version of its algorithm is part of the scheme."""

    @property
    def scheme(self) -> str:
        return f"minhash-{RMinHash.ALGORITHM_VERSION}-{SEED}-{SKETCH_SIZE}"

    def sketch(self, sets: Sequence[Collection[str]]) -> list[bytes]:
        if not all(sets):
            raise InvalidInput("an empty set has no sketch", field="sets")
        return [_PACKED.pack(*_digest(members)) for members in sets]


def _digest(members: Collection[str]) -> list[int]:
    hashed = RMinHash(num_perm=SKETCH_SIZE, seed=SEED)
    hashed.update(list(members))
    digest: list[int] = hashed.digest()
    return digest
