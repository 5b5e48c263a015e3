"""Looking through everything that a graph database holds for an organization."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from domain.erasure.canaries import Sought
from domain.ports.erasure import StoreScan


class Looked:
    """Counts what was looked at, and in how many of each kind what is sought was found."""

    def __init__(self, scopes: Collection[str], sought: Sought) -> None:
        self._scopes = frozenset(scopes)
        self._sought = sought
        self.looked_at: Counter[str] = Counter()
        self.found: Counter[str] = Counter()

    def at(self, kind: str, rows: Sequence[Sequence[Any]]) -> None:
        """Elements, each as its scope and its properties; those of other scopes are not looked at."""
        for group, properties in rows:
            if group is None or group in self._scopes:
                whole = properties.values() if isinstance(properties, Mapping) else (properties,)
                self.at_text(kind, " ".join(map(str, whole)))

    def at_text(self, kind: str, text: str) -> None:
        """One thing as a text."""
        self.looked_at[kind] += 1
        self.found[kind] += self._sought.expression.search(text) is not None

    def scan(self) -> StoreScan:
        """The outcome."""
        return StoreScan("graph", dict(self.looked_at), {place: n for place, n in self.found.items() if n})
