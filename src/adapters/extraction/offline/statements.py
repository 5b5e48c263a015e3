"""What the rules pass on: one relation between two places of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spacy.tokens import Token

from adapters.extraction.offline.clauses import Clause
from adapters.extraction.offline.lexicon import Meaning
from adapters.extraction.offline.temporal import TimePhrase


@dataclass(frozen=True, slots=True)
class Words:
    """Tokens [first, last] that are taken as they stand."""

    first: int
    last: int


Place = Token | Words | TimePhrase


@dataclass(frozen=True, slots=True)
class Statement:
    """``known`` says that the predicate comes from the lexicon. ``spoken`` is the same in the text's words and order.

    A ``loose`` one (the third party of a verb that has an object, a bare adjective) is too vague for a fact and only
    counts as an open reading. ``starts_only`` says that it begins at a stated date and goes on.
    """

    subject: Token
    predicate: str
    object: Place
    spoken: tuple[Token, str, Place]
    known: bool
    clause: Clause | None = None
    times: Sequence[TimePhrase] = ()
    ended: bool = False
    loose: bool = False
    starts_only: bool = False


def directed(
    meaning: Meaning, subject: Token, target: Token, relation: str, clause: Clause, times: Sequence[TimePhrase]
) -> Statement:
    """The statement in the lexicon's direction."""
    first, second = (target, subject) if meaning.inverse else (subject, target)
    return Statement(first, meaning.predicate, second, (subject, relation, target), True, clause, times)
