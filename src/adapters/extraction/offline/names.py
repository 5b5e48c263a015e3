"""Noun phrases as names: where a name starts and ends, whether it is one, and what kind of thing it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from spacy.tokens import Token

from adapters.extraction.offline.declared import DeclaredNames
from adapters.extraction.offline.lexicon import LEXICON
from adapters.extraction.offline.vietnamese_names import vietnamese_names
from adapters.extraction.offline.wellformed import is_plain_word

IDENTIFIER = re.compile(
    r"[A-Z]{2,10}-\d+(?:\.\d+)?|[A-Za-z]+[\w.]*[-_/.]\w*\d\w*|\w+(?:_\w+)+|[a-z]+(?:[A-Z][a-z]+)+|[\w.]+\(\)"
)
_CAMEL = re.compile(r"\w*[a-z][A-Z]\w*")
_NAMED_ENTITIES = {
    "PERSON": "person", "ORG": "organization", "GPE": "place", "LOC": "place", "FAC": "place", "PRODUCT": "product",
    "EVENT": "event", "WORK_OF_ART": "document", "LAW": "document", "NORP": "group", "LANGUAGE": "language",
}  # fmt: skip
_LEFT = frozenset({"compound", "amod", "nmod", "nummod", "quantmod", "punct", "poss", "case", "npadvmod", "advmod"})
_DOCUMENT = re.compile(r"(?:ADR|RFC|PEP|ISO|CVE|POL|DOC)-?\d+.*")
_INCIDENT = re.compile(r"(?:INC|SEV|PIR)-?\d+(?:-\d+)*")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Tokens [first, last] of a sentence around ``head``: a name, or only a description."""

    head: Token
    first: int
    last: int
    named: bool

    @property
    def text(self) -> str:
        """As the sentence writes it."""
        return str(self.head.doc[self.first : self.last + 1].text)

    def plain_span(self) -> tuple[int, int]:
        """Offsets in the plain text."""
        span = self.head.doc[self.first : self.last + 1]
        return span.start_char, span.end_char


def is_identifier(token: Token) -> bool:
    """Written like the name of a ticket, a file or a program's part, or taken whole before parsing."""
    return token.i in token.doc.user_data.get("atoms", ()) or bool(IDENTIFIER.fullmatch(token.text))


def is_proper(token: Token) -> bool:
    """Tagged as a proper noun, or written like one: an identifier, "RabbitMQ", a capital inside a sentence."""
    if token.tag_ in ("NNP", "NNPS") or is_identifier(token) or _CAMEL.fullmatch(token.text):
        return True
    return bool(token.text[0].isupper() and token.i != token.sent.start and token.tag_ in ("NN", "FW", "RB"))


def phrase_of(head: Token) -> Phrase:
    """The phrase of a noun: its name where it has one, else its words without article, possessor and clauses."""
    if head.i in head.doc.user_data.get("atoms", ()):
        return Phrase(head, head.i, head.i, True)
    first = _leftmost(head)
    if not any(char.isalpha() for char in head.text):
        return Phrase(head, first, head.i, False)
    codes = head.doc.user_data.get("codes", {})
    if head.lemma_.casefold() in LEXICON.words["code_heads"] and (code := codes.get(head.i - 1)):
        return Phrase(head, code[0], code[1], True)
    if head.lower_ in LEXICON.words["not_names"] or (head.lower_ in LEXICON.words["acronyms"] and first == head.i):
        return Phrase(head, first, head.i, False)
    if is_plain_word(head) and first == head.i:
        return Phrase(head, first, head.i, False)
    if is_proper(head) and not (LEXICON.is_title(head.text) and first == head.i):
        return _proper(head, first)
    if _product_like(head, first):
        return Phrase(head, _skip_plain(head, first), head.i, True)
    return Phrase(head, first, head.i, False)


def _leftmost(head: Token) -> int:
    """The first token of the unbroken run of modifiers, after articles, possessors and titles."""
    first = head.i
    for at in range(head.i - 1, head.sent.start - 1, -1):
        token = head.doc[at]
        if (
            token.dep_ not in _LEFT
            or not (head.is_ancestor(token))
            or token.tag_ in ("POS", ",", "PRP$", "DT", "``", "''")
        ):
            break
        if token.dep_ == "poss" or (token.dep_ == "punct" and token.tag_ != "HYPH"):
            break
        first = at
    for at in range(head.i - 1, first - 1, -1):
        if LEXICON.is_title(head.doc[at].text) or head.doc[at].text in LEXICON.words["honorifics"]:
            return at + 1
    return first


def _proper(head: Token, first: int) -> Phrase:
    first = _skip_plain(head, first)
    if IDENTIFIER.fullmatch(head.text) and all(
        t.text.casefold() in LEXICON.words["generic"] for t in head.doc[first : head.i]
    ):
        first = head.i
    last = head.i
    entity = next((e for e in head.sent.ents if e.start <= head.i < e.end and e.root == head), None)
    if entity is not None and entity.end - 1 > head.i and entity.label_ in _NAMED_ENTITIES:
        tail = head.doc[head.i + 1 : entity.end]
        if all(t.tag_ in ("NNP", "NNPS", "IN", "DT", "CC") for t in tail) and tail[0].lower_ in ("of", "for"):
            last = entity.end - 1
    following = [c for c in head.rights if c.dep_ in ("nummod", "npadvmod") and c.i == head.i + 1 and c.tag_ == "CD"]
    if following and not re.fullmatch(r"(1[0-9]|20)\d{2}", following[0].text):
        last = following[0].i
    return Phrase(head, first, last, True)


def _skip_plain(head: Token, first: int) -> int:
    """Past describing adjectives and numbers: "the old Oracle cluster" is named "Oracle cluster"."""
    while first < head.i:
        token = head.doc[first]
        plain = token.tag_ in ("JJ", "JJR", "JJS", "CD", "RB", "VBN", "HYPH", "RBS") or token.dep_ == "quantmod"
        if not plain or (
            token.text[0].isupper() and token.i != head.sent.start and token.lower_ not in LEXICON.words["plain"]
        ):
            break
        if token.tag_ == "VBN" or token.nbor().tag_ == "HYPH":
            break
        first += 1
    return first


def _product_like(head: Token, first: int) -> bool:
    """ "The order service" is one thing; "order services" are a class, unless a proper noun names them.

    A site is one only with a proper noun: "the Hull office", never "the head office".
    """
    if head.lemma_.casefold() not in LEXICON.things:
        return False
    if any(is_proper(t) for t in head.doc[first : head.i]):
        return True
    if head.lemma_.casefold() in LEXICON.words["sites"]:
        return False
    if any(t.like_num or t.tag_ == "CD" or t.ent_type_ in ("TIME", "DATE") for t in head.doc[first : head.i]):
        return False
    return head.tag_ == "NN" and any(t.dep_ in ("compound", "nmod") for t in head.doc[first : head.i])


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing. It is ``sure`` when the words show it, and a guess when only the recogniser says so."""

    name: str | None
    sure: bool = False


def kind_of(phrase: Phrase, declared: DeclaredNames) -> Kind:
    """What kind of thing the phrase names; without a name when the text does not show it."""
    if (stated := declared.kind_of(phrase.text)) is not None:
        return Kind(stated, True)
    words = [word.strip(".,").casefold() for word in phrase.text.split()]
    if _DOCUMENT.fullmatch(phrase.text):
        return Kind("document", True)
    if _INCIDENT.fullmatch(phrase.text):
        return Kind("event", True)
    thing = LEXICON.things.get(phrase.head.lemma_.casefold()) or LEXICON.things.get(words[-1])
    if thing is not None:
        return Kind(thing, True) if len(words) > 1 else Kind(None)
    if vietnamese_names(phrase.text) == [(0, len(phrase.text))]:
        return Kind("person")
    if len(words) > 1 and {words[0], words[-1]} & LEXICON.words["organization_words"]:
        return Kind("organization", True)
    return Kind(_recognised(phrase, len(words)))


def _recognised(phrase: Phrase, words: int) -> str | None:
    """The recogniser's kind where it can be trusted: it takes lone unknown words for people."""
    kind = _NAMED_ENTITIES.get(phrase.head.ent_type_)
    return None if kind == "person" and not 2 <= words <= 4 else kind
