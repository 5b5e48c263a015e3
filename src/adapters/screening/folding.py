"""Ways of writing the same character: full-width forms, digits of other scripts, spaces and hyphens of all kinds."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_OTHER_FORMS = re.compile(
    r"[^\x00-\x7f\w]"  # spaces, hyphens, characters of no width, full-width signs
    r"|[^\x00-\x7f\D]"  # digits of other scripts
    r"|[\uff21-\uff3a\uff41-\uff5a]"  # full-width letters
)


def folded(text: str) -> str:
    """The text with such characters as ASCII writes them. It has the same length, so that offsets hold."""
    return text if text.isascii() else _OTHER_FORMS.sub(lambda match: _plain(match[0]), text)


@lru_cache(maxsize=1024)
def _plain(char: str) -> str:
    kind = unicodedata.category(char)
    if kind in ("Zs", "Cf"):
        return " "
    if kind == "Pd":
        return "-"
    if kind == "Nd":
        return str(unicodedata.digit(char))
    return unicodedata.normalize("NFKC", char) if "\uff01" <= char <= "\uff5e" else char
