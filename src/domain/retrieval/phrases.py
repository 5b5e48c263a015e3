"""The phrases by which a vocabulary's predicates are asked for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from domain.knowledge.predicate import PredicatePolicy, Vocabulary
from domain.knowledge.stems import stem
from domain.resolution.names import folded_name
from domain.retrieval.question_words import ARTICLES, AUXILIARIES, BE, MORE_NOUNS, MORE_VERBS, PREPOSITIONS

_TOKEN = re.compile(r"['’]s\b|\w+")
_OWNING = ARTICLES | {"as"}
_OPENINGS = AUXILIARIES | ARTICLES | {"as"}


def words_of(text: str) -> list[str]:
    """Folded words in order; a possessive ending is a word ``'s`` of its own."""
    return [word.replace("’", "'") for word in _TOKEN.findall(folded_name(text))]


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that ask for a predicate: ``stems``, then ``preposition``, which a question may leave out.

    ``noun`` reads "subject's phrase"; else the place of a name tells whether it is subject or object. ``active`` is a
    verb with its object right behind, which the passive voice turns around.
    """

    predicate: str
    stems: tuple[str, ...]
    preposition: str | None
    noun: bool
    active: bool


@lru_cache(maxsize=4_096)
def phrases_of(policy: PredicatePolicy) -> tuple[Phrase, ...]:
    """The phrases of one predicate: its name, its phrase, its synonyms, and those that questions add."""
    name = policy.name
    found: dict[Phrase, None] = {}
    for text in (name.replace("_", " "), policy.words, *policy.synonyms):
        if (phrase := _phrase(name, text, noun=False)) is not None:
            found.setdefault(phrase)
    for text in MORE_VERBS.get(name, ()):
        if (phrase := _phrase(name, text, noun=False)) is not None:
            found.setdefault(phrase)
    for text in MORE_NOUNS.get(name, ()):
        if (phrase := _phrase(name, text, noun=True)) is not None:
            found.setdefault(phrase)
    return tuple(found)


def _phrase(predicate: str, text: str, noun: bool) -> Phrase | None:
    words = words_of(text)
    states = bool(words) and words[0] in BE
    owned = len(words) > 1 and words[0] == "has" and words[1] in _OWNING
    while words and words[0] in _OPENINGS:
        words = words[1:]
    preposition = words.pop() if len(words) > 1 and words[-1] in PREPOSITIONS else None
    if not any(word not in PREPOSITIONS for word in words):
        return None
    if owned or (preposition is None and _is_noun(predicate, words[-1])):
        return Phrase(predicate, tuple(map(stem, words)), None, True, False)
    return Phrase(
        predicate, tuple(map(stem, words)), preposition, noun, not states and preposition is None and not noun
    )


def _is_noun(predicate: str, last: str) -> bool:
    """Beside a name with a preposition ("DEPENDS_ON") what has none is a noun ("dependency"), but a past tense."""
    tail = predicate.rpartition("_")[2].casefold()
    return not last.endswith("ed") and (predicate.startswith("HAS_") or tail in PREPOSITIONS)


class Phrasebook:
    """All phrases of a vocabulary by their first stem."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._by_first: dict[str, list[Phrase]] = defaultdict(list)
        for policy in vocabulary.policies.values():
            for phrase in phrases_of(policy):
                self._by_first[phrase.stems[0]].append(phrase)

    def starting_at(self, stems: Sequence[str], at: int) -> Iterator[Phrase]:
        """Phrases whose stems stand at a place."""
        for phrase in self._by_first.get(stems[at], ()):
            if tuple(stems[at : at + len(phrase.stems)]) == phrase.stems:
                yield phrase
