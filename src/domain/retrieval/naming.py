"""Which names a question may contain."""

from __future__ import annotations

import re

from domain.resolution.names import normal_name

MAX_WORDS = 6
"""Words of the longest name that is looked for in a text."""
MAX_GRAMS = 300

_EDGE = re.compile(r"^\W+|\W+$")
_POSSESSIVE = re.compile(r"['’]s$")


def grams(text: str) -> list[str]:
    """Every run of one to ``MAX_WORDS`` words, in the normal form of names; longer ones first, at most ``MAX_GRAMS``.

    Punctuation at the edges of a run and a possessive ending are left off; single letters are no names.
    """
    words = [word for word in normal_name(text).split() if _EDGE.sub("", word)]
    found: dict[str, None] = {}
    for size in range(min(MAX_WORDS, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            run = _EDGE.sub("", " ".join(words[start : start + size]))
            for name in (run, _POSSESSIVE.sub("", run)):
                if len(name) > 1:
                    found.setdefault(name)
    return list(found)[:MAX_GRAMS]
