"""What "is" says: roles, classes, places and properties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from adapters.extraction.offline.clauses import Clause, Complement, prepositional
from adapters.extraction.offline.lexicon import LEXICON
from adapters.extraction.offline.names import is_proper, phrase_of
from adapters.extraction.offline.nouns import noun_meaning, role_statements
from adapters.extraction.offline.statements import Statement, Words, directed
from adapters.extraction.offline.temporal import TimePhrase


def copular_statements(clause: Clause, times: Sequence[TimePhrase]) -> Iterator[Statement]:
    """The statements of a clause with "be" as its verb."""
    for subject in clause.subjects:
        for complement in clause.complements:
            if complement.slot == "attr":
                yield from _attribute(clause, subject, complement.token, times)
            elif clause.adjective is None and not any(c.slot == "attr" for c in clause.complements):
                yield from _oblique(clause, subject, complement, times)
        yield from _adjective(clause, subject, times)


def _attribute(clause: Clause, subject: Token, attribute: Token, times: Sequence[TimePhrase]) -> Iterator[Statement]:
    """ "X is the CEO of Y", "the CEO of Y is X", else "X is Y" and "X is a thing"."""
    owned = [*role_statements(subject, attribute, clause, times)]
    if not owned:
        owned = [*role_statements(attribute, subject, clause, times)]
    yield from owned
    if not owned:
        predicate = "IS" if is_proper(attribute) else "IS_A"
        yield Statement(subject, predicate, attribute, (subject, clause.verb.text, attribute), False, clause, times)


def _oblique(
    clause: Clause, subject: Token, complement: Complement, times: Sequence[TimePhrase]
) -> Iterator[Statement]:
    """ "Y's headquarters is in X" says it of Y; "X is in Y" is a place."""
    slot, target = complement.slot, complement.token
    owned = [*role_statements(subject, target, clause, times)] if slot in ("in", "at") and noun_meaning(subject) else []
    yield from owned
    if owned:
        return
    relation = f"{clause.verb.text} {slot}"
    if (meaning := LEXICON.be.get(slot)) is not None:
        yield directed(meaning, subject, target, relation, clause, times)
    else:
        idiom = phrase_of(target).first == phrase_of(target).last and not is_proper(target)
        yield Statement(subject, f"IS_{slot}", target, (subject, relation, target), False, clause, times, loose=idiom)


def _adjective(clause: Clause, subject: Token, times: Sequence[TimePhrase]) -> Iterator[Statement]:
    """ "X is responsible for Y"; a bare adjective says too little for a claim."""
    adjective = clause.adjective
    if adjective is None:
        return
    governed = [(p, c.token) for p in adjective.children if p.dep_ == "prep" for c in prepositional(p)]
    for preposition, target in governed:
        words = f"{adjective.lower_} {preposition.lower_}"
        relation = f"{clause.verb.text} {words}"
        if (meaning := LEXICON.adjectives.get(words)) is not None:
            yield directed(meaning, subject, target, relation, clause, times)
        else:
            yield Statement(subject, f"IS_{words}", target, (subject, relation, target), False, clause, times)
    if not governed:
        place = Words(adjective.i, adjective.i)
        yield Statement(subject, "IS", place, (subject, clause.verb.text, place), False, clause, times, loose=True)
