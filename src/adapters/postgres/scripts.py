"""The SQL scripts that this version brings."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal


def scripts(folder: Literal["migrations", "functions"]) -> list[tuple[str, str, str]]:
    """Name, text and checksum of each script, in the order in which they are applied."""
    entries: list[Traversable] = sorted(files("adapters.postgres").joinpath(folder).iterdir(), key=lambda e: e.name)
    texts = [(e.name, e.read_text("utf-8")) for e in entries if e.name.endswith(".sql")]
    return [(name, text, hashlib.sha256(text.encode()).hexdigest()) for name, text in texts]
