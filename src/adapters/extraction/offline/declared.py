"""The names that a collection declares: where they stand in a text, and of what kind they are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping


class DeclaredNames:
    """Names in NFC with their kinds. A name of several words is found in any case, a single word only as written."""

    def __init__(self, entities: Mapping[str, str]) -> None:
        named = {" ".join(unicodedata.normalize("NFC", name).split()): kind for name, kind in entities.items()}
        self._kinds = {name.casefold(): kind for name, kind in named.items() if name}
        self._names = sorted((name for name in named if name), key=lambda name: (-len(name), name))

    def kind_of(self, text: str) -> str | None:
        """The declared kind of a name, in any case."""
        return self._kinds.get(" ".join(text.split()).casefold())

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where declared names stand as whole words, longest first where they overlap; in the order of the text."""
        folded = text.casefold()
        found: list[tuple[int, int]] = []
        for name in self._names:
            if name.casefold() not in folded:
                continue
            flags = re.IGNORECASE if " " in name else re.NOFLAG
            for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, flags):
                start, end = match.span()
                if all(end <= other_start or start >= other_end for other_start, other_end in found):
                    found.append((start, end))
        return sorted(found)
