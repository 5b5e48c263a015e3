"""The normal form of a name, by which it is found exactly."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SPACE = re.compile(r"\s+")
_QUOTES = "\"'“”‘’«»„`"


@lru_cache(maxsize=65_536)
def normal_name(name: str) -> str:
    """NFKC, case folded, inner space collapsed, outer quotes and full stops gone. Accents and scripts are kept.

    Never empty for a name that has a visible character: what would vanish is kept as it was written.
    """
    text = _SPACE.sub(" ", unicodedata.normalize("NFKC", name)).strip()
    stripped = text.strip(_QUOTES).strip().rstrip(".").casefold()
    return stripped or text.casefold()


def folded_name(name: str) -> str:
    """The normal form without accents, for finding what was typed without them."""
    decomposed = unicodedata.normalize("NFD", normal_name(name).replace("đ", "d"))
    return "".join(c for c in decomposed if not unicodedata.combining(c))
