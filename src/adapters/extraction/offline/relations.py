"""Clauses to statements, through the lexicon where it knows the verb, else by the verb's own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from spacy.tokens import Token

from adapters.extraction.offline.clauses import Clause, Complement, prepositional
from adapters.extraction.offline.copulas import copular_statements
from adapters.extraction.offline.lexicon import LEXICON, Meaning
from adapters.extraction.offline.names import is_proper, phrase_of
from adapters.extraction.offline.nouns import noun_meaning, role_statements
from adapters.extraction.offline.statements import Statement, Words, directed
from adapters.extraction.offline.temporal import Extent, TimePhrase, covers

_ROLE_SLOTS = frozenset({"as", "attr", "oprd"})


def statements_of(clause: Clause, times: Sequence[TimePhrase]) -> Iterator[Statement]:
    """Every statement of one clause. ``times`` are those of the whole text."""
    verbs = (clause.verb, clause.inherited) if clause.stopped else (clause.verb,)
    own = [phrase for phrase in times if phrase.verb is not None and phrase.verb in verbs]
    clause.complements = [c for c in clause.complements if not covers(times, c.token)]
    if clause.lemma == "be" and not clause.passive:
        found = [*copular_statements(clause, own)]
    else:
        found = [*_verbal(clause, own), *_roles(clause, own)]
    found += _dates(clause, own)
    found += _embedded(clause)
    found += _decisions(clause, times)
    for statement in found:
        yield replace(statement, starts_only=_starts_only(statement, clause))


def _starts_only(statement: Statement, clause: Clause) -> bool:
    if clause.lemma == "become" or LEXICON.has("starts", clause.lemma) or LEXICON.has("events", statement.predicate):
        return True
    return not statement.known and clause.verb.tag_ in ("VBD", "VBN") and not LEXICON.has("statives", clause.lemma)


def _verbal(clause: Clause, times: Sequence[TimePhrase]) -> Iterator[Statement]:
    entry = LEXICON.verbs.get(clause.lemma, {})
    agents = [c.token for c in clause.complements if c.slot == "by"] if clause.passive else clause.subjects
    patients = clause.subjects if clause.passive else [c.token for c in clause.complements if c.slot == "object"]
    for agent in agents:
        for patient in patients:
            yield from _transitive(clause, entry.get("object"), agent, patient, times)
    for complement in clause.complements:
        if complement.slot in ("object", "by") or (
            complement.slot in _ROLE_SLOTS - {"as"} and clause.lemma == "become"
        ):
            continue
        yield from _oblique(clause, entry.get(complement.slot), complement, patients, times)


def _transitive(
    clause: Clause, meaning: Meaning | None, agent: Token, patient: Token, times: Sequence[TimePhrase]
) -> Iterator[Statement]:
    measured = _measure(clause, agent, patient, times)
    if measured is not None:
        yield measured
        return
    counted = LEXICON.verbs.get(clause.lemma, {}).get("number")
    if counted is not None and any(c.dep_ == "nummod" for c in patient.children):
        meaning = counted
    relation = _surface(clause)
    if meaning is not None:
        found = directed(meaning, agent, patient, relation, clause, times)
    else:
        found = Statement(
            agent, clause.lemma, patient, (agent, relation, patient), False, clause, times, loose=_is_vague(clause)
        )
    yield replace(found, spoken=(patient, f"{relation} by", agent)) if clause.passive else found


def _is_vague(clause: Clause) -> bool:
    """Whether the verb says too little by itself, or only that something is said or thought."""
    return any(LEXICON.has(group, clause.lemma) for group in ("vague", "speech", "opinion", "intent"))


def _measure(clause: Clause, agent: Token, noun: Token, times: Sequence[TimePhrase]) -> Statement | None:
    """ "Reported revenue of $4.2 billion" says what the revenue is."""
    meaning = LEXICON.nouns.get(noun.lemma_.casefold())
    if meaning is None or clause.passive or not LEXICON.has("measure_verbs", clause.lemma):
        return None
    for preposition in (c for c in noun.children if c.dep_ == "prep" and c.lower_ == "of"):
        for complement in prepositional(preposition):
            if complement.token.pos_ in ("NUM", "SYM") or complement.token.ent_type_ in ("MONEY", "PERCENT"):
                spoken = (agent, f"{_surface(clause)} {noun.text} of", complement.token)
                return Statement(agent, meaning.predicate, complement.token, spoken, True, clause, times)
    return None


def _oblique(
    clause: Clause,
    meaning: Meaning | None,
    complement: Complement,
    patients: list[Token],
    times: Sequence[TimePhrase],
) -> Iterator[Statement]:
    """What hangs on a preposition: said of the thing acted on where there is one, else of the subject."""
    slot, target = complement.slot, complement.token
    relation = f"{_surface(clause)} {slot}".replace(" oprd", "").replace(" attr", "")
    if meaning is not None:
        acted_on = patients if patients and not (slot == "as" and clause.lemma == "join") else clause.subjects
        yield from (directed(meaning, one, target, relation, clause, times) for one in acted_on)
        return
    vague = target.ent_type_ in ("DATE", "TIME") or LEXICON.has("details", slot) or _is_vague(clause)
    for subject in clause.subjects:
        spoken = (subject, relation, target)
        if clause.passive or not patients:
            verb = clause.verb.lower_ if clause.passive else clause.lemma
            predicate = verb if slot in ("oprd", "attr") else f"{verb}_{slot}"
            yield Statement(subject, predicate, target, spoken, False, clause, times, loose=vague)
            continue
        noun = patients[0]
        vague |= "object" in LEXICON.verbs.get(clause.lemma, {})
        vague |= phrase_of(noun).named or noun.pos_ != "NOUN" or not is_proper(target)
        predicate = f"{clause.lemma}_{noun.lemma_}_{slot}"
        spoken = (subject, f"{_surface(clause)} {noun.text} {slot}", target)
        yield Statement(subject, predicate, target, spoken, False, clause, times, loose=vague)


def _roles(clause: Clause, times: Sequence[TimePhrase]) -> Iterator[Statement]:
    """ "Was appointed as CTO of Y", "became head of Y"."""
    patients = [c.token for c in clause.complements if c.slot == "object"]
    for complement in clause.complements:
        if complement.slot in _ROLE_SLOTS:
            for holder in patients or clause.subjects:
                if noun_meaning(holder) is None or is_proper(holder):
                    yield from role_statements(complement.token, holder, clause, times)


def _dates(clause: Clause, times: Sequence[TimePhrase]) -> Iterator[Statement]:
    meaning = LEXICON.verbs.get(clause.lemma, {}).get("date")
    if meaning is None:
        return
    objects = [c.token for c in clause.complements if c.slot == "object"]
    for phrase in times:
        if phrase.extent is Extent.DURING:
            happened = clause.passive or (not objects and LEXICON.has("intransitive", clause.lemma))
            for subject in clause.subjects if happened else objects:
                yield Statement(subject, meaning.predicate, phrase, (subject, _surface(clause), phrase), True, clause)


def _decisions(clause: Clause, times: Sequence[TimePhrase]) -> Iterator[Statement]:
    """ "Decided to adopt Kafka": what was decided, as a text."""
    meaning = LEXICON.verbs.get(clause.lemma, {}).get("xcomp")
    decided = next((c for c in clause.verb.children if c.dep_ == "xcomp"), None)
    if meaning is None or decided is None:
        return
    own = [phrase for phrase in times if phrase.verb in (clause.verb, decided)]
    last = decided.right_edge.i
    for phrase in own:
        if phrase.first > decided.i:
            last = min(last, phrase.first - 1)
    for subject in clause.subjects:
        words = Words(decided.i, last)
        spoken = (subject, f"{clause.verb.text} to", words)
        yield Statement(subject, meaning.predicate, words, spoken, True, clause, own)


def _embedded(clause: Clause) -> Iterator[Statement]:
    """ "Said that …", "wants to …": the whole clause as an object counts as an open reading only."""
    for child in clause.verb.children:
        if child.dep_ in ("ccomp", "xcomp") and child.i > clause.verb.i:
            place = Words(child.left_edge.i, child.right_edge.i)
            for subject in clause.subjects:
                spoken = (subject, _surface(clause), place)
                yield Statement(subject, clause.lemma, place, spoken, False, clause, loose=True)


def _surface(clause: Clause) -> str:
    """The verb group as the text has it."""
    group = [c for c in clause.verb.children if c.dep_ in ("aux", "auxpass", "prt", "neg") and c.lower_ != "to"]
    return " ".join(token.text for token in sorted([*group, clause.verb], key=lambda token: token.i))
