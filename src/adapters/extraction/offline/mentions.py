"""Places of a sentence as mentions and typed values, with offsets into the version's text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from spacy.tokens import Doc, Span, Token

from adapters.extraction.offline.amounts import parse_amount
from adapters.extraction.offline.antecedents import Antecedents, Named, is_reference, is_this_document
from adapters.extraction.offline.declared import DeclaredNames
from adapters.extraction.offline.lexicon import LEXICON
from adapters.extraction.offline.names import Kind, Phrase, is_proper, kind_of, phrase_of
from adapters.extraction.offline.plain import PlainText
from adapters.extraction.offline.statements import Place, Words
from adapters.extraction.offline.temporal import TimePhrase, covers
from domain.knowledge.assertion import MAX_NAME, Mention
from domain.knowledge.objects import DateValue, Literal, NumberValue, TextValue

_MAX_WORDS = 24
_NAME_WORDS = 7
_ODD = re.compile(r"\s[-–—]\s|[:;,\"|\[\]]$|[\"|;]|\s:")


@dataclass(slots=True)
class Scene:
    """One stretch of prose being read: its text, its times, the kinds that are declared, who was named before.

    ``roles`` are the kinds that predicates asked of names whose own kind no words show.
    """

    plain: PlainText
    start: int
    declared: DeclaredNames
    times: list[TimePhrase]
    antecedents: Antecedents
    window: str
    kinds: dict[str, Kind] = field(default_factory=dict)
    roles: dict[str, set[str]] = field(default_factory=dict)
    sentence: int = 0
    title: Mention | None = None
    incident: str | None = None
    opening: int | None = None

    def introduce(self, sentence: Span) -> None:
        """Remember the names of a sentence before its claims are read."""
        for token in sentence:
            if token.pos_ not in ("NOUN", "PROPN", "X", "NUM") or token.dep_ in ("compound", "nummod", "nmod"):
                continue
            phrase = phrase_of(token)
            if phrase.named and not covers(self.times, token):
                self.antecedents.add(self._named(phrase))
            elif token.tag_ == "NN" and token.dep_ in ("nsubj", "nsubjpass", "dobj") and not is_reference(phrase):
                self.antecedents.pass_by(self.sentence, self.plain.to_window(*phrase.plain_span())[1])

    def _named(self, phrase: Phrase) -> Named:
        start, end = self.plain.to_window(*phrase.plain_span())
        surface = phrase.text
        kind = kind_of(phrase, self.declared)
        if kind.name is None:
            kind = self.kinds.get(surface, kind)
        else:
            self.kinds.setdefault(surface, kind)
        subject = phrase.head.dep_ in ("nsubj", "nsubjpass")
        lone = phrase.head.ent_type_ == "PERSON" and " " not in surface
        return Named(
            surface, kind.name, kind.sure, lone, start, end, self.sentence, subject, phrase.head.lemma_.casefold()
        )

    def mention(self, token: Token, expected: str | None) -> Mention | None:
        """The name at the token, or the one that it stands for; None when it is neither.

        ``expected`` is the kind that the predicate asks for; it wins over a guessed kind only.
        """
        phrase = phrase_of(token)
        named: Named | None = None
        if self.title is not None and is_this_document(phrase, self.title.surface):
            return self.title
        if phrase.named:
            named = self._named(phrase)
            if len(named.surface) > MAX_NAME or not self._is_name(named.surface):
                return None
        elif is_reference(phrase):
            at = self.plain.to_window(*phrase.plain_span())[0]
            named = self.antecedents.resolve(phrase, at, self.sentence)
            if named is None and self.incident and LEXICON.descriptions.get(phrase.head.lemma_.casefold()) == "event":
                return Mention(self.incident, "event", antecedent=True)
        if named is None:
            return None
        guess = named.kind if named.sure or " " in named.surface else None
        if expected == "person" and named.kind in ("place", "group") and " " not in named.surface:
            expected = None  # "Hungary joined the European Union"
        kind = guess if named.sure or expected is None else expected
        if expected is not None and not named.sure:
            self.roles.setdefault(named.surface, set()).add(expected)
        if " ".join(self.window[named.start : named.end].split()) != named.surface:
            return Mention(named.surface, kind, antecedent=not phrase.named)  # marks stand inside the name
        return Mention(named.surface, kind, self.start + named.start, self.start + named.end, not phrase.named)

    def _is_name(self, surface: str) -> bool:
        if self.declared.kind_of(surface) is not None:
            return True
        plain = surface.removesuffix("()")
        odd = _ODD.search(plain) or plain.count("(") != plain.count(")") or len(plain.split()) > _NAME_WORDS
        return not odd and any(char.isalnum() for char in plain)

    def without_guess(self, mention: Mention, *kinds: str) -> Mention:
        """The mention without one of the kinds where only the recogniser gives it: it takes one thing for another."""
        if mention.kind not in kinds:
            return mention
        sure = self.declared.kind_of(mention.surface) or self.kinds.get(mention.surface, Kind(None)).sure
        return mention if sure else replace(mention, kind=None)

    def object_of(self, place: Place, doc: Doc, expected: str | None, amounts: bool) -> Mention | Literal | None:
        """The object as a name, a date, a number (where ``amounts`` make sense) or a text.

        None where it says nothing by itself.
        """
        if isinstance(place, TimePhrase):
            return DateValue(place.period.start, place.period.precision)
        if isinstance(place, Words):
            return TextValue(doc[place.first : place.last + 1].text, "en")
        counted = place.pos_ in ("NUM", "SYM") or any(c.dep_ in ("nummod", "quantmod") for c in place.children)
        if counted and amounts:
            if place.lower_ in ("times", "time"):
                return None
            if (amount := _amount(place)) is not None:
                return amount
            if not is_proper(place) and place.pos_ in ("NUM", "SYM"):
                return None
        if place.ent_type_ in ("DATE", "TIME") and phrase_of(place).text in _ent_text(place):
            return None
        found = self.mention(place, expected)
        if found is not None or is_reference(phrase_of(place)) or place.pos_ == "PRON":
            return found
        if expected == "place" or place.ent_type_ in ("DATE", "TIME"):
            return None
        return _description(place)


def _ent_text(token: Token) -> str:
    return next((str(e.text) for e in token.sent.ents if e.start <= token.i < e.end), "")


def _amount(token: Token) -> NumberValue | None:
    parts = [t.i for t in _counted(token)]
    return parse_amount(token.doc[min(parts) : max(parts) + 1].text)


def _counted(token: Token) -> Iterator[Token]:
    """A noun with its number, not what is counted further on ("324 people in three countries")."""
    yield token
    for child in token.children:
        if child.dep_ in ("nummod", "quantmod", "compound", "nmod"):
            yield from _counted(child)


def _description(token: Token) -> TextValue | None:
    """A phrase that names nothing. One bare word says too little, but after a preposition."""
    phrase = phrase_of(token)
    last = phrase.last
    if token.lower_ in LEXICON.words["not_names"]:
        return None
    for child in token.rights:
        if child.dep_ == "prep" and child.lower_ == "of":
            last = max(last, _end_of(child))
    if last - phrase.first > _MAX_WORDS:
        last = phrase.last
    if last == phrase.first and token.dep_ != "pobj":
        return None
    text = token.doc[phrase.first : last + 1].text
    return TextValue(text, "en") if len(text) > 2 else None


def _end_of(token: Token) -> int:
    """The last token below, before a clause, an apposition or a comma."""
    ends = [token.i]
    for child in token.children:
        if child.i > token.i and child.dep_ not in ("relcl", "acl", "appos", "punct", "advcl"):
            ends.append(_end_of(child))
    return max(ends)
