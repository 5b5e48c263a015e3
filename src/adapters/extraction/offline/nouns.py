"""Relations that hang on nouns: "the CEO of Y", "Y's CEO X", "Y CEO X", "X, a member of Y"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Span, Token

from adapters.extraction.offline.clauses import Clause, prepositional
from adapters.extraction.offline.lexicon import LEXICON, Meaning
from adapters.extraction.offline.names import is_proper
from adapters.extraction.offline.statements import Statement
from adapters.extraction.offline.temporal import TimePhrase


def noun_meaning(noun: Token) -> Meaning | None:
    """What "Y's noun is X" means, by the longest name that the noun's words make."""
    before = [t.lower_ for t in noun.lefts if t.dep_ in ("compound", "amod")]
    for count in (2, 1):
        if len(before) >= count:
            words = " ".join([*before[-count:], noun.lower_])
            if words in LEXICON.nouns:
                return LEXICON.nouns[words]
    return LEXICON.nouns.get(noun.lower_) or LEXICON.nouns.get(noun.lemma_.casefold())


def _is_former(noun: Token) -> bool:
    words = LEXICON.words["former"] | LEXICON.words["formerly"]
    return any(t.lower_ in words for t in noun.children if t.dep_ in ("amod", "compound", "advmod"))


def _owners(noun: Token) -> Iterator[Token]:
    """Y in "the noun of Y" and "Y's noun"."""
    for child in noun.children:
        if child.dep_ == "poss":
            yield child
        elif child.dep_ == "prep" and child.lower_ in LEXICON.words["noun_prepositions"]:
            yield from (c.token for c in prepositional(child))


def role_statements(
    noun: Token, holder: Token, clause: Clause | None, times: Sequence[TimePhrase]
) -> Iterator[Statement]:
    """(Y, predicate, holder) for every Y that the noun belongs to."""
    meaning = noun_meaning(noun)
    if meaning is None:
        return
    for owner in _owners(noun):
        if owner != holder and not any(p.first <= owner.i <= p.last for p in times):
            first, second = (holder, owner) if meaning.inverse else (owner, holder)
            spoken = (holder, f"is {noun.text} of", owner)
            yield Statement(first, meaning.predicate, second, spoken, True, clause, times, ended=_is_former(noun))


def nominal_statements(sentence: Span) -> Iterator[Statement]:
    """What noun phrases say without a verb, in order."""
    for token in sentence:
        if token.dep_ == "appos" and token.pos_ in ("NOUN", "PROPN"):
            yield from _apposition(token)
        elif token.dep_ == "compound" and LEXICON.is_title(token.text):
            yield from _title(token)


def _apposition(token: Token) -> Iterator[Statement]:
    head = token.head
    if noun_meaning(token) is not None and is_proper(head):
        yield from role_statements(token, head, None, ())
    elif noun_meaning(head) is not None and is_proper(token):
        yield from role_statements(head, token, None, ())
    elif is_proper(head) and token.pos_ == "NOUN" and any(c.dep_ == "det" for c in token.children) and _set_off(token):
        yield Statement(head, "IS_A", token, (head, "is", token), False)


def _set_off(token: Token) -> bool:
    """Whether a comma or a bracket parts the apposition from its noun."""
    return token.doc[token.left_edge.i - 1].text in (",", "(")


def _title(title: Token) -> Iterator[Statement]:
    """ "Y's CEO X" and "Y CEO X": the words before the title name Y, those after it X."""
    holder = title.head
    meaning = noun_meaning(title)
    if meaning is None or not is_proper(holder) or holder.i <= title.i or LEXICON.is_title(holder.text):
        return
    owner = next((c for c in (*holder.lefts, *title.lefts) if c.dep_ == "poss" and is_proper(c)), None)
    before = title.doc[title.i - 1] if title.i > title.sent.start else None
    if owner is None and before is not None and before.dep_ == "compound" and is_proper(before):
        owner = before
    if owner is None or owner.lower_ in LEXICON.words["former"]:
        return
    first, second = (holder, owner) if meaning.inverse else (owner, holder)
    ended = _is_former(title) or _is_former(holder)
    spoken = (holder, f"is {title.text} of", owner)
    yield Statement(first, meaning.predicate, second, spoken, True, ended=ended)
