"""Which sentences state something: not commands, fragments of lists, diagrams or code."""

from __future__ import annotations

import re

from spacy.tokens import Span, Token

from adapters.extraction.offline.lexicon import LEXICON

_DIAGRAM = re.compile(r"[→←│├└┌┐┘┤┬┴┼═║{}]|=>|::|\"\"\"|\w\(\w+:\w|https?:")
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})


def states_something(sentence: Span) -> bool:
    """Whether a sentence may be read for claims at all."""
    bare = "".join(
        " " if token.i in sentence.doc.user_data.get("codes", ()) else token.text_with_ws for token in sentence
    )
    return not _DIAGRAM.search(bare) and not is_command(sentence)


def is_command(sentence: Span) -> bool:
    """ "Validate that the queue is empty", also where the tagger takes the verb for a name."""
    words = [token for token in sentence if not token.is_punct and not token.is_space]
    if len(words) < 2:
        return False
    first, second = words[0], words[1]
    if first.tag_ == "VB" and first.dep_ == "ROOT" and not any(c.dep_ == "nsubj" for c in first.children):
        return True
    plain = first.i not in sentence.doc.user_data.get("atoms", ()) and second.tag_ not in _FINITE
    return plain and LEXICON.has("commands", first.lower_) and first.dep_ != "poss"


def is_fragment(sentence: Span) -> bool:
    """Without a finite main verb: "Keys held in memory", "Time spent on reviews"."""
    return not _is_finite(sentence.root)


def _is_finite(verb: Token) -> bool:
    if verb.pos_ not in ("VERB", "AUX"):
        return False
    own_subject = any(c.dep_ in ("nsubj", "nsubjpass") for c in verb.children)
    if verb.tag_ in _FINITE or (verb.tag_ in ("VB", "VBN") and verb.lower_ == verb.lemma_ and own_subject):
        return True
    return any(c.dep_ in ("aux", "auxpass") and c.tag_ in _FINITE for c in verb.children)


def is_plain_word(token: Token) -> bool:
    """A dictionary's noun that only opens a sentence or a point with its capital: "Keys are …" names nothing.

    It is a plural, a kind of thing, a word of everyday, or the window has it without a capital too.
    """
    before = token.doc[token.i - 1] if token.i > token.sent.start else None
    opens = before is None or before.text in (":", "-", "–", "—") or before.pos_ in ("SYM", "X")
    if not opens or not token.text.istitle() or token.i in token.doc.user_data.get("atoms", ()):
        return False
    lemma, nouns = token.lemma_.casefold(), token.doc.user_data.get("nouns", ())
    if lemma not in nouns and (lemma := lemma.removesuffix("s")) not in nouns:
        return False
    if {lemma, token.lower_} & token.doc.user_data.get("small", frozenset()) or LEXICON.has("common", lemma):
        return True
    plural = token.lower_ != lemma and token.lower_.endswith("s")
    return token.ent_type_ == "" and (plural or lemma in LEXICON.things)
