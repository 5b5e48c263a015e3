"""Finding secrets and personal data in text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from domain.ingestion.sensitive import Finding


class SensitiveFinder(Protocol):
    """Looks for values that should not be read on without a decision. Deterministic CPU work, no I/O, no model."""

    def find(self, text: str) -> Sequence[Finding]:
        """What is in the text, in order, in code points; no two overlap. Never raises for a text."""
        ...
