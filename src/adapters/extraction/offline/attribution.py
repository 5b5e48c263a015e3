"""Who says so: "According to X, …", "X said that …", "X believes that …"."""

from __future__ import annotations

from dataclasses import dataclass

from spacy.tokens import Token

from adapters.extraction.offline.clauses import prepositional, subjects_of
from adapters.extraction.offline.lexicon import LEXICON


@dataclass(frozen=True, slots=True)
class Attribution:
    """``asserter`` is the token that names who says it, where the sentence has one."""

    asserter: Token | None
    opinion: bool = False
    denied: bool = False


def attribution_of(verb: Token | None) -> Attribution | None:
    """Who the clause of the verb is attributed to, or None when the text says it itself."""
    while verb is not None:
        for child in verb.children:
            if child.lower_ == "according" and child.i != verb.i:
                named = [c.token for p in child.children if p.dep_ == "prep" for c in prepositional(p)]
                return Attribution(named[0] if named else None)
        governor = verb.head
        if governor == verb or verb.dep_ not in ("ccomp", "conj", "parataxis", "xcomp", "relcl", "advcl", "acl"):
            return None
        if verb.dep_ == "ccomp" and (found := _reported(governor)) is not None:
            return found
        verb = governor if governor.pos_ in ("VERB", "AUX") else _verb_above(governor)
    return None


def _verb_above(token: Token) -> Token | None:
    while token.head != token:
        token = token.head
        if token.pos_ in ("VERB", "AUX"):
            return token
    return None


def _reported(governor: Token) -> Attribution | None:
    lemma = governor.lemma_.casefold()
    opinion = LEXICON.has("opinion", lemma)
    if not opinion and not LEXICON.has("speech", lemma):
        return None
    asserters = subjects_of(governor)
    denied = any(c.dep_ == "neg" for c in governor.children) or lemma in ("doubt", "deny")
    return Attribution(asserters[0] if asserters else None, opinion, denied)
