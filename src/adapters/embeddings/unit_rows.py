"""Vectors of length one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain.ports.embedder import Vectors


def unit_rows(values: NDArray[Any]) -> Vectors:
    """Scale each row of (n, dimension) to length one; a row of zeros stays zeros."""
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    scaled: Vectors = (values / np.where(lengths == 0.0, 1.0, lengths)).astype(np.float32)
    return scaled
