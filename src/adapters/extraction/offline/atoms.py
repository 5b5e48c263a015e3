"""Names that the parser must take whole: declared entities, identifiers, words set as code, Vietnamese people.

Each becomes one token before parsing. The parser has never seen "INC-2026-014", so to it the token looks like a
product's name that it knows; the document keeps the words as they are.
"""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache

from spacy.language import Language
from spacy.lookups import Lookups
from spacy.tokens import Doc, Span, Token

from adapters.extraction.offline.declared import DeclaredNames
from adapters.extraction.offline.plain import PlainText
from adapters.extraction.offline.vietnamese_names import vietnamese_names

_LOOKS_LIKE = "Firefox"
_NUMBERED = re.compile(r"(?<![\w-])[A-Z]{2,10}-\d+(?:-\d+)*(?:\.\d+)?(?![\w-])")
_CODE_NAME = re.compile(r"[\w.@/:-]{2,60}(?:\(\))?")
_SMALL = re.compile(r"(?<![\w@./-])[^\W\d_A-Z]\w+(?![\w@/-]|\.\w)")
_LABELS = {"person": "PERSON", "organization": "ORG", "place": "GPE"}


def small_words(window: str) -> frozenset[str]:
    """The words that a window writes without a capital."""
    return frozenset(_SMALL.findall(window))


def unparsed(nlp: Language, plain: PlainText, declared: DeclaredNames, small: frozenset[str]) -> Doc:
    """The tokens of a text with its atoms merged.

    ``user_data`` has ``atoms``, the set of their places, and ``codes``, the places of those set as code; ``small`` is
    what the window writes small, ``nouns`` a dictionary's.
    """
    doc = nlp.make_doc(plain.text)
    names = declared.spans(plain.text)
    codes = [(a, b) for a, b in plain.codes if _CODE_NAME.fullmatch(plain.text[a:b])]
    numbered = [match.span() for match in _NUMBERED.finditer(plain.text)]
    people = vietnamese_names(plain.text)
    chosen = _apart(doc, [*names, *codes, *numbered, *people])
    several = {span.start_char for span in chosen if len(span) > 1}
    with doc.retokenize() as retokenizer:
        for span in chosen:
            if len(span) > 1:
                retokenizer.merge(span)
    starts = {token.idx: token for token in doc}
    places = {(span.start_char, span.end_char): starts[span.start_char] for span in chosen}
    for token in places.values():
        _disguise(nlp, token, token.idx in several)
    entities = [
        _entity(doc, token, declared, at in people) for at, token in places.items() if at in names or at in people
    ]
    doc.set_ents(entities, default="missing")
    doc.user_data["atoms"] = {token.i for token in places.values()}
    doc.user_data["small"] = small
    doc.user_data["nouns"] = _nouns(nlp)
    doc.user_data["codes"] = {token.i: (token.i, token.i) for at, token in places.items() if at in codes}
    return doc


def _nouns(nlp: Language) -> Container[str]:
    """The nouns of the pipeline's dictionary."""
    lookups = getattr(nlp.get_pipe("lemmatizer"), "lookups", None) if nlp.has_pipe("lemmatizer") else None
    if lookups is None or not lookups.has_table("lemma_index"):
        return ()
    return _noun_set(lookups)


@lru_cache(maxsize=2)
def _noun_set(lookups: Lookups) -> frozenset[str]:
    return frozenset(lookups.get_table("lemma_index").get("noun", ()))


def _apart(doc: Doc, offsets: list[tuple[int, int]]) -> list[Span]:
    """Spans of whole tokens that do not overlap; earlier ones win."""
    taken: set[int] = set()
    chosen = []
    for start, end in offsets:
        span = doc.char_span(start, end)
        if span is not None and not taken & set(range(span.start, span.end)):
            taken.update(range(span.start, span.end))
            chosen.append(span)
    return chosen


def _disguise(nlp: Language, token: Token, merged: bool) -> None:
    """Only a merged word gets the other's letters: no tokenizer yields it, so no other text can meet it."""
    known = nlp.vocab[_LOOKS_LIKE]
    token.norm_ = known.norm_
    if merged:
        word = nlp.vocab[token.text]
        word.prefix_, word.suffix_, word.shape_ = known.prefix_, known.suffix_, known.shape_


def _entity(doc: Doc, token: Token, declared: DeclaredNames, is_person: bool) -> Span:
    kind = declared.kind_of(token.text) or ("person" if is_person else "")
    return Span(doc, token.i, token.i + 1, label=_LABELS.get(kind, "PRODUCT"))
