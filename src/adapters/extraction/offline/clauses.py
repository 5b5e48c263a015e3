"""Sentences as clauses: who does what to what, in which voice, how surely, and whether still."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from spacy.tokens import Span, Token

from adapters.extraction.offline.lexicon import LEXICON
from adapters.extraction.offline.names import is_identifier

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_RELATIVE = frozenset({"who", "which", "that", "whom"})
_NOT_PREDICATES = frozenset({"aux", "auxpass", "amod", "compound", "prep", "case", "pcomp", "csubj", "csubjpass"})
_DEPENDENT = frozenset({"conj", "xcomp", "ccomp", "advcl", "dep", "parataxis"})
_LEMMAS = {"born": "born", "found": "find", "installed": "install", "installs": "install", "install": "install"}
_CONDITIONS = frozenset({"if", "unless", "whether", "lest"})


@dataclass(frozen=True, slots=True)
class Complement:
    """A noun and its place in the clause: ``object``, ``attr``, ``oprd``, ``by`` (agent), or a preposition."""

    slot: str
    token: Token


@dataclass(slots=True)
class Clause:
    """One verb with what belongs to it. ``modality`` is None for a plain statement.

    ``stopped`` says that a stated time is when it ended ("stopped using Redis in 2022").
    """

    verb: Token
    lemma: str
    subjects: list[Token]
    passive: bool
    complements: list[Complement] = field(default_factory=list)
    adjective: Token | None = None
    negated: bool = False
    ended: bool = False
    modality: str | None = None
    inherited: Token | None = None
    stopped: bool = False


def clauses_of(sentence: Span) -> list[Clause]:
    """The clauses in order of their verbs. Conditions and what depends on them are left out."""
    return [clause for token in sentence if (clause := _clause(token)) is not None]


def _clause(verb: Token) -> Clause | None:
    if verb.pos_ not in ("VERB", "AUX") or verb.dep_ in _NOT_PREDICATES or not verb.tag_.startswith("V"):
        return None
    if is_conditional(verb) or is_identifier(verb):
        return None
    passive = is_passive(verb)
    clause = Clause(verb, lemma_of(verb), subjects_of(verb), passive)
    clause.complements = list(_complements(verb))
    _light_verb(clause)
    clause.adjective = next((c for c in verb.children if c.dep_ == "acomp"), None)
    _mood(clause)
    return clause


def _light_verb(clause: Clause) -> None:
    """ "Takes effect", "comes into force": the noun belongs to the verb."""
    for complement in clause.complements:
        slot = "" if complement.slot == "object" else f"{complement.slot}_"
        lemma = f"{clause.lemma}_{slot}{complement.token.lower_}"
        if lemma in LEXICON.verbs and not any(c.dep_ in ("det", "amod", "poss") for c in complement.token.children):
            clause.lemma = lemma
            clause.complements.remove(complement)
            return


def lemma_of(verb: Token) -> str:
    """The lemma with its particle: "set up" is ``set_up``; "born" is not "bear", "found" not "founded"."""
    if verb.lower_ in _LEMMAS:
        return _LEMMAS[verb.lower_]
    particle = next((c.lower_ for c in verb.children if c.dep_ == "prt"), None)
    lemma = str(verb.lemma_).casefold()
    return f"{lemma}_{particle}" if particle else lemma


def is_conditional(verb: Token) -> bool:
    """Whether the clause states a condition, what follows from one, or what was not chosen ("rather than")."""
    marks = {c.lower_ for c in verb.children if c.dep_ in ("mark", "advmod", "cc")}
    if marks & _CONDITIONS or "than" in marks:
        return True
    if any(
        c.dep_ == "advcl" and {m.lower_ for m in c.children if m.dep_ == "mark"} & _CONDITIONS for c in verb.children
    ):
        return True
    return verb.dep_ in _DEPENDENT and verb.head.pos_ in ("VERB", "AUX") and is_conditional(verb.head)


def is_passive(verb: Token) -> bool:
    """Passive voice, also where the auxiliary is shared or left out ("detected … and resolved", "based in")."""
    if any(c.dep_ in ("auxpass", "nsubjpass") for c in verb.children):
        return True
    if verb.tag_ != "VBN" or any(c.dep_ == "aux" for c in verb.children):
        return False
    if verb.dep_ in ("acl", "advcl", "relcl"):
        return not any(c.dep_ in ("dobj", "nsubj") for c in verb.children)
    own = any(c.dep_ in (*_SUBJECTS, "dobj") for c in verb.children)
    return verb.dep_ == "conj" and not own and verb.head.pos_ == "VERB" and is_passive(verb.head)


def conjuncts(token: Token) -> Iterator[Token]:
    """The token and the nouns joined to it."""
    yield token
    for child in token.children:
        if child.dep_ == "conj" and child.pos_ in ("NOUN", "PROPN", "PRON", "NUM", "X", "SYM", "ADJ"):
            yield from conjuncts(child)


def subjects_of(verb: Token) -> list[Token]:
    """The subjects, shared ones too; a relative pronoun stands for the noun that it follows."""
    own = [c for c in verb.children if c.dep_ in _SUBJECTS]
    if own:
        return [found for c in own for found in ([verb.head] if _is_relative(c, verb) else conjuncts(c))]
    if verb.dep_ == "conj" and verb.head.pos_ in ("VERB", "AUX"):
        return subjects_of(verb.head)
    if verb.dep_ == "acl" and verb.tag_ in ("VBN", "VBG") and verb.head.pos_ in ("NOUN", "PROPN"):
        return [verb.head]
    if verb.dep_ == "advcl" and verb.tag_ in ("VBN", "VBG") and not any(c.dep_ == "mark" for c in verb.children):
        return subjects_of(verb.head)
    if verb.dep_ == "xcomp":
        controller = [c for c in verb.head.children if c.dep_ == "dobj"]
        return controller or subjects_of(verb.head)
    return []


def _is_relative(token: Token, verb: Token) -> bool:
    return token.lower_ in _RELATIVE and token.tag_ in ("WDT", "WP", "IN", "DT") and verb.dep_ in ("relcl", "acl")


def _complements(verb: Token) -> Iterator[Complement]:
    shared = not any(c.dep_ in ("dobj", "attr", "prep", "agent", "acomp", "xcomp", "ccomp") for c in verb.children)
    joined = next((c for c in verb.children if c.dep_ == "conj" and c.pos_ == "VERB"), None)
    alone = joined is not None and not any(c.dep_ in _SUBJECTS for c in joined.children)
    if shared and joined is not None and alone and is_passive(joined) == is_passive(verb):
        yield from (c for c in _complements(joined) if c.slot == "object")
    for child in verb.children:
        if child.dep_ in ("dobj", "attr", "oprd") and child.pos_ not in ("ADP", "VERB"):
            slot = "object" if child.dep_ == "dobj" else child.dep_
            if _is_relative(child, verb):
                yield Complement(slot, verb.head)
            else:
                yield from (Complement(slot, token) for token in conjuncts(child))
        elif child.dep_ == "npadvmod" and child.i > verb.i and _is_bare_object(child, verb):
            yield from (Complement("object", token) for token in conjuncts(child))
        elif child.dep_ in ("prep", "agent") or (child.dep_ == "dative" and child.pos_ == "ADP"):
            yield from prepositional(child, verb)


def _is_bare_object(noun: Token, verb: Token) -> bool:
    """An identifier or a duration that the parser takes for an adverb; one in brackets is only a reference."""
    return verb.lemma_ == "last" or (is_identifier(noun) and noun.doc[noun.left_edge.i - 1].text != "(")


def prepositional(preposition: Token, verb: Token | None = None) -> Iterator[Complement]:
    """The nouns that a preposition governs, also through a second one ("out of") or a joined one."""
    word = preposition.lower_
    for child in preposition.children:
        if child.dep_ == "pobj":
            if verb is not None and _is_relative(child, verb):
                yield Complement(word, verb.head)
            else:
                yield from (Complement(word, token) for token in conjuncts(child))
        elif child.dep_ == "conj" and child.pos_ == "ADP":
            yield from prepositional(child, verb)
        elif child.dep_ in ("prep", "pcomp") and child.pos_ == "ADP":
            yield from (Complement(f"{word} {c.slot}", c.token) for c in prepositional(child, verb))


def _mood(clause: Clause) -> None:
    """Negation, ended, modality and hedges, from the verb and from the verb that it hangs on."""
    verb = clause.verb
    adverbs = {c.lower_ for c in verb.children if c.dep_ == "advmod"}
    for child in verb.children:
        if child.dep_ == "advmod" and child.lower_ in ("longer", "more"):
            clause.ended |= any(c.lower_ == "no" for c in child.children)
        elif child.dep_ == "neg":
            clause.ended |= "longer" in adverbs
            clause.negated |= not adverbs & {"longer", "only"}
        elif child.dep_ == "aux" and child.tag_ == "MD":
            clause.modality = "future" if child.lower_ in ("will", "'ll", "shall") else "modal"
        elif child.lower_ in LEXICON.words["hedges"]:
            clause.modality = "hedge"
        elif child.dep_ == "advmod" and child.lower_ in LEXICON.words["formerly"]:
            clause.ended = True
    _shared_mood(clause)
    if verb.dep_ == "xcomp":
        _governed(clause, verb.head)


def _shared_mood(clause: Clause) -> None:
    """A second verb without subject and auxiliary shares the first one's mood ("may buy or sell")."""
    verb = clause.verb
    bare = not any(c.dep_ in (*_SUBJECTS, "aux", "auxpass") for c in verb.children)
    if verb.dep_ == "conj" and bare and verb.head.pos_ == "VERB" and verb.tag_ in ("VB", "VBN"):
        modal = next((c for c in verb.head.children if c.dep_ == "aux" and c.tag_ == "MD"), None)
        if modal is not None:
            clause.modality = clause.modality or ("future" if modal.lower_ in ("will", "shall") else "modal")
        clause.negated |= any(c.dep_ == "neg" for c in verb.head.children)
        if verb.head.dep_ == "xcomp" and verb.tag_ == "VB":
            _governed(clause, verb.head.head)


def _governed(clause: Clause, governor: Token) -> None:
    lemma = str(governor.lemma_).casefold()
    clause.inherited = governor
    if LEXICON.has("refusals", lemma):
        clause.negated = not clause.negated
    elif LEXICON.has("endings", lemma):
        clause.ended = clause.stopped = True
    elif LEXICON.has("intent", lemma):
        clause.modality = clause.modality or "intent"
    elif governor.pos_ == "ADJ" or any(c.dep_ == "acomp" for c in governor.children):
        clause.modality = clause.modality or "hedge"
    if any(c.dep_ == "neg" for c in governor.children):
        clause.modality = "denied"
    if any(c.dep_ == "aux" and c.tag_ == "MD" for c in governor.children):
        clause.modality = clause.modality or "modal"
