"""The mentions of a window so far, and which of them a pronoun or a description stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adapters.extraction.offline.lexicon import LEXICON
from adapters.extraction.offline.names import Phrase

_PERSONS = frozenset({"he", "she", "him", "her", "his", "hers", "himself", "herself"})
_THINGS = frozenset({"it", "its", "itself"})
_GROUPS = frozenset({"they", "them", "their", "we", "us", "our"})
_SPEAKER = frozenset({"i", "me", "my", "we", "us", "our", "mine", "ours"})
_COLLECTIVE = frozenset({"team", "organization", "group"})
REACH = 3
"""Over how many sentences a pronoun or a description reaches back."""
_NAMED_BY: Mapping[str, frozenset[str | None]] = {
    "organization": frozenset({"organization"}),
    "team": frozenset({"team"}),
    "person": frozenset({"person"}),
    "place": frozenset({"place"}),
}


@dataclass(frozen=True, slots=True)
class Named:
    """A mention in the window, with its offsets there and its number of the sentence.

    ``sure`` says that the words show its kind. A ``lone_person`` is one word that the recogniser takes for a person.
    """

    surface: str
    kind: str | None
    sure: bool
    lone_person: bool
    start: int
    end: int
    sentence: int
    subject: bool
    head_word: str


@dataclass(slots=True)
class Antecedents:
    """``speaker`` is who says the message that is being read. Sentences are numbered through the window."""

    seen: list[Named] = field(default_factory=list)
    speaker: Named | None = None
    unnamed: list[tuple[int, int]] = field(default_factory=list)

    def pass_by(self, sentence: int, end: int) -> None:
        """Remember where something without a name was the subject or the object."""
        self.unnamed.append((sentence, end))

    def add(self, named: Named) -> None:
        """Remember a mention, in the order of the text."""
        self.seen.append(named)

    def resolve(self, phrase: Phrase, at: int, sentence: int) -> Named | None:
        """The nearest compatible mention before ``at`` within a few sentences."""
        token = phrase.head
        if token.lower_ in _SPEAKER and self.speaker is not None:
            return self.speaker
        fits = _test_for(phrase)
        if fits is None:
            return None
        if token.tag_ in ("PRP", "PRP$"):
            return self._nearest(fits, at, sentence, token.lower_ in _THINGS)
        near = self._nearest(fits.known_only(), at, sentence) or self._nearest(fits, at, sentence)
        return near or self._only(LEXICON.descriptions[token.lemma_.casefold()], at)

    def _nearest(self, fits: _Fits, at: int, sentence: int, blocked: bool = False) -> Named | None:
        """In the nearest sentence with a mention that fits: its subject, else the last one before ``at``.

        ``blocked`` stops at a sentence that only has something without a name in its place: "it" may be that.
        """
        for back in range(REACH + 1):
            here = [n for n in self.seen if n.sentence == sentence - back and n.end <= at and fits(n)]
            if here:
                return ([named for named in here if named.subject] or here)[-1]
            if blocked and any(where == sentence - back and end <= at for where, end in self.unnamed):
                return None
        return None

    def _only(self, kind: str, at: int) -> Named | None:
        """The one incident or organization of the window so far, however far back."""
        if kind not in ("event", "organization"):
            return None
        fitting = [n for n in self.seen if n.kind == kind and n.end <= at]
        return fitting[-1] if len({n.surface.casefold() for n in fitting}) == 1 else None


def is_this_document(phrase: Phrase, title: str) -> bool:
    """ "This ADR", "this policy": the document itself; "the policy" too where its title has the word."""
    head = phrase.head
    determiners = {c.lower_ for c in head.children if c.dep_ == "det"}
    if head.lower_ not in LEXICON.words["documents"]:
        return False
    if "this" in determiners:
        return True
    own = head.lower_ in title.casefold().split() and LEXICON.descriptions.get(head.lower_) != "event"
    return "the" in determiners and phrase.first == head.i and own


def is_reference(phrase: Phrase) -> bool:
    """Whether the phrase is a pronoun or a definite description, which names nothing itself."""
    return phrase.head.tag_ in ("PRP", "PRP$") or _is_description(phrase)


def _is_description(phrase: Phrase) -> bool:
    head = phrase.head
    if phrase.named or head.lemma_.casefold() not in LEXICON.descriptions or phrase.first != head.i:
        return False
    return any(c.lower_ in ("the", "this", "that") for c in head.children if c.dep_ == "det")


class _Fits:
    """Number, animacy and kind: what a mention must be for the phrase to stand for it."""

    def __init__(
        self, kinds: frozenset[str | None], unknown: bool, word: str | None = None, sure: bool = False
    ) -> None:
        self._kinds, self._unknown, self._word, self._sure = kinds, unknown, word, sure

    def known_only(self) -> _Fits:
        """The same without mentions of unknown kind."""
        return _Fits(self._kinds, False, self._word, self._sure)

    def __call__(self, named: Named) -> bool:
        if self._word is not None and named.head_word == self._word:
            return True
        if named.lone_person and named.kind is None:
            return "person" in self._kinds or (self._word is None and self._unknown)
        if named.kind is None:
            return self._unknown
        return named.kind in self._kinds and (named.sure or not self._sure)


_ALL_KINDS = frozenset(
    {"organization", "team", "service", "product", "system", "project", "document", "event"}
)  # fmt: skip


def _test_for(phrase: Phrase) -> _Fits | None:
    word = phrase.head.lower_
    if word in _PERSONS:
        return _Fits(frozenset({"person"}), unknown=False)
    if word in _THINGS:
        return _Fits(_ALL_KINDS, unknown=True)
    if word in _GROUPS:
        return _Fits(_COLLECTIVE, unknown=False, sure=True)
    if _is_description(phrase):
        lemma = phrase.head.lemma_.casefold()
        kind = LEXICON.descriptions[lemma]
        if kind in _NAMED_BY:
            return _Fits(_NAMED_BY[kind], unknown=kind == "organization", word=lemma)
        return _Fits(frozenset({kind}) if kind == "event" else frozenset(), unknown=False, word=lemma)
    return None
