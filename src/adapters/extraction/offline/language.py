"""Whether a text is English enough to read: stop words and letters, no model."""

from __future__ import annotations

import re

from adapters.extraction.offline.vietnamese_names import vietnamese_names

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH_WORDS = """
a about after all also an and any are as at be been before but by can could did do does for from had has have he her
his if in into is it its may more new no not of on one only or other our over she should so some such than that the
their them then there these they this to until up was we were when which who will with would you your
"""
_OTHER_WORDS = """
der die das und ist nicht ein eine mit von zu den dem auf für sich wurde
le la les des et est une dans pour que qui pas sur par avec
el los las un una y es del con por para se
il di che non è per della sono
và của là các được có cho không một trong với người này những theo đã
o os um uma não em com da
het een van en dat niet op te zijn
och att som det är på av ikke og
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())
_OTHER = frozenset(_OTHER_WORDS.split()) - _ENGLISH
_SAMPLE = 400
_FEW_WORDS = 8


def is_english(text: str) -> bool:
    """True for English, and for texts too short to tell that use Latin letters without foreign stop words.

    Vietnamese people's names do not count.
    """
    words = [word.casefold() for word in _WORD.findall(_without_people(text))[:_SAMPLE]]
    if not words:
        return False
    latin = sum(word[0] < "\u0250" or "\u1e00" <= word[0] <= "\u1eff" for word in words)
    if latin < 0.7 * len(words):
        return False
    marked = sum(not word.isascii() for word in words)
    english = sum(word in _ENGLISH for word in words)
    other = sum(word in _OTHER for word in words)
    if len(words) < _FEW_WORDS:
        return english >= other and marked <= 0.5 * len(words)
    if other > english or marked > 0.25 * len(words) + english:
        return False
    return english >= 0.04 * len(words) or (other == 0 and marked <= 0.1 * len(words))


def _without_people(text: str) -> str:
    kept, at = [], 0
    for start, end in vietnamese_names(text):
        kept.append(text[at:start])
        at = end
    return "".join((*kept, text[at:]))
