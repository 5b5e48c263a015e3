"""Which sentences state something: not commands, fragments of lists, diagrams or code."""

from __future__ import annotations

import re

from spacy.tokens import Span, Token

from adapters.extraction.offline.lexicon import LEXICON

_DIAGRAM = re.compile(r"[→←│├└┌┐┘┤┬┴┼═║{}]|=>|::|\"\"\"|\w\(\w+:\w|https?:")
_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})


def states_something(sentence: Span) -> bool:
    """Whether a sentence may be read for claims at all."""
    bare = "".join(" " if token.i in sentence.doc.user_data.get("codes", ()) else token.text_with_ws for token in sentence)
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
    if verb.tag_ in _FINITE or (verb.tag_ == "VB" and own_subject):
        return True
    return any(c.dep_ in ("aux", "auxpass") and c.tag_ in _FINITE for c in verb.children)


def is_plain_word(token: Token) -> bool:
    """A dictionary's noun that only opens a sentence with its capital: "Keys are …" names nothing.

    It is a plural, a kind of thing, or the window has it without a capital too.
    """
    if token.i != token.sent.start or not token.text.istitle() or token.i in token.doc.user_data.get("atoms", ()):
        return False
    lemma = token.lemma_.casefold()
    if token.ent_type_ != "" or lemma not in token.doc.user_data.get("nouns", ()):
        return False
    plural = token.lower_ != lemma and token.lower_.endswith("s")
    return plural or lemma in LEXICON.things or token.lower_ in token.doc.user_data.get("small", ())
