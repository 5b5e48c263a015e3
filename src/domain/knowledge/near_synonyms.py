"""Predicates that may be one: found by name, by meaning and by what their facts share, and scored by a stated rule.

Each rule is a test of its own (``test_n1_…``) in ``tests/unit/knowledge``.

====  =================================================================================================================
Rule  What it says
====  =================================================================================================================
N1    For it: 1 − (1 − 0.8 name)(1 − 0.6 meaning)(1 − 0.8 shared), each between 0 and 1. A missing one counts 0.
N2    name: 1 for the same words inflected otherwise; else 0.9 of the spelling's likeness where words of five letters
      or more may be slips of the pen, or 0.6 of the share of common words. A policy's phrase and synonyms count too.
N3    meaning: where the cosine of the words' vectors lies between two marks that are measured each time: of the pairs
      of reviewed predicates, which people told apart, one in 20 comes as near as the first, one in 1,000 as the second.
N4    shared: of n facts of the rarer predicate with the same two ends under the other, their share times n / (n + 2).
N5    Against it: the share d of subjects that have both with different objects at one time takes 0.8 d m / (m + 3) of
      the score, for m such subjects; kinds of subjects or objects that have nothing in common leave 0.3 of it.
N6    Opposite words (FROM and TO, BOUGHT and SOLD, with and without "not") are never one predicate; where their facts
      share turned ends they are an inverse.
N7    More turned ends than straight ones, or names that are each other turned round, make it an inverse.
N8    Two predicates that both have a reviewed policy were told apart by somebody, and are left alone.
N9    The one that stays has a reviewed policy; else it has more facts; else it is the shorter, or the first by name.
N10   A predicate is proposed for one merge at a time: with a reviewed one where there is any, else with the best.
N11   What was decided is proposed again only when the shared ends became at least twice as many and five more.
N12   Without a shared pair of ends no score is above 0.7, and none above 0.5, so that nothing is proposed, where one
      is past and the other present (WORKED_AT, WORKS_FOR): merged, what was would read as what is. With shared ends
      the difference of tense is told.
N13   By names alone an inverse is an active and its passive, or a noun with HAS and with OF, of the very same words.
====  =================================================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID, uuid5

from domain.knowledge.predicate import PredicatePolicy, Vocabulary
from domain.knowledge.predicate_forms import UNLIKE, Form, Likeness, form_of, likeness, opposites_in, told_apart

NAME, MEANING, SHARED = 0.8, 0.6, 0.8
LEAST = 0.6
"""Below this nothing is proposed."""
UNSHARED, UNSHARED_TENSES = 0.7, 0.5
"""No more than this without shared ends, and where the tenses differ too."""
Marks = tuple[float, float]
"""Cosines: as near as unlike predicates come, and surely nearer."""
GREW_TIMES, GREW_BY = 2, 5


class Merge(StrEnum):
    """What the two are: one predicate, or one the reverse of the other."""

    SYNONYM = "synonym"
    INVERSE = "inverse"


@dataclass(frozen=True, slots=True)
class SharedEnds:
    """How many pairs of ends two predicates have facts on: in the same direction, and turned round."""

    straight: int = 0
    turned: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A predicate with its policy and the forms of all its wordings; ``inverted`` ones read from object to subject."""

    name: str
    policy: PredicatePolicy
    facts: int
    wordings: tuple[tuple[Form, bool], ...]


@dataclass(frozen=True, slots=True)
class Factors:
    """Everything that a score is made of.

    ``shared`` of ``of`` facts of the rarer predicate have their ends under the other too, in the direction of the
    merge. ``different`` of ``sampled`` subjects have both with other objects at one time.
    """

    likeness: Likeness
    cosine: float | None
    meaning: float
    shared: int
    of: int
    different: int = 0
    sampled: int = 0
    kinds_fit: bool | None = None
    opposites: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class NearSynonym:
    """``source`` may be ``target``, or its reverse. ``facts`` of the source would be placed under the target."""

    source: str
    target: str
    merge: Merge
    score: float
    facts: int
    target_facts: int
    factors: Factors

    @property
    def rarer_first(self) -> tuple[str, str]:
        """The two names, the one with fewer facts first."""
        pair = self.source, self.target
        return pair if self.facts <= self.target_facts else pair[::-1]


def candidate(policy: PredicatePolicy, facts: int, inverses: tuple[PredicatePolicy, ...] = ()) -> Candidate:
    """A predicate that facts are kept under, with the wordings of its policy and of those that are its reverse."""
    wordings = {(form, form.turned): None for form in _forms(policy)}
    for inverse in inverses:
        wordings |= {(form, not form.turned): None for form in _forms(inverse)}
    return Candidate(policy.name, policy, facts, tuple(wordings))


def _forms(policy: PredicatePolicy) -> tuple[Form, ...]:
    told = (policy.name, policy.phrase or policy.name, *policy.synonyms)
    return tuple(dict.fromkeys(form_of(text) for text in told))


def best_likeness(a: Candidate, b: Candidate) -> tuple[Likeness, bool]:
    """The likeness of the two wordings that are most alike, and whether one reads against the other."""
    found, inverted = UNLIKE, False
    for form, turned in a.wordings:
        for other, other_turned in b.wordings:
            like = likeness(form, other)
            if (like.value, not like.tenses_differ) > (found.value, not found.tenses_differ):
                found, inverted = like, turned is not other_turned
    return found, inverted


def scored(a: Candidate, b: Candidate, cosine: float | None, marks: Marks, ends: SharedEnds) -> NearSynonym | None:
    """The two by name, meaning and shared ends, before what their facts say against it; None where they are apart."""
    if a.policy.reviewed and b.policy.reviewed:
        return None
    like, inverted = best_likeness(a, b)
    own, their = a.wordings[0][0], b.wordings[0][0]
    opposites = opposites_in(own, their)
    turned = ends.turned > ends.straight or (ends.turned == ends.straight and like.value > 0 and inverted)
    if opposites is not None and not turned:
        return None
    if opposites is not None or inverted is not turned:
        # What the facts say of the direction, the words do not bear out.
        like = UNLIKE
    if opposites is not None or told_apart(own, their):
        cosine = None
    if turned and not ends.turned and not like.variant:
        return None
    shared = ends.turned if turned else ends.straight
    source, target = (b, a) if _stays(a, b) else (a, b)
    factors = Factors(like, cosine, meaning(cosine, marks), shared, min(a.facts, b.facts), opposites=opposites)
    merge = Merge.INVERSE if turned else Merge.SYNONYM
    return NearSynonym(source.name, target.name, merge, score(factors), source.facts, target.facts, factors)


def _stays(a: Candidate, b: Candidate) -> bool:
    """Whether the first is the one that stays (N9)."""
    return (not a.policy.reviewed, -a.facts, len(a.name), a.name) < (
        not b.policy.reviewed,
        -b.facts,
        len(b.name),
        b.name,
    )


def meaning(cosine: float | None, marks: Marks) -> float:
    """Where a cosine lies between the marks, 0 to 1 (N3)."""
    if cosine is None:
        return 0.0
    low, high = marks
    return round(min(max((cosine - low) / (high - low), 0.0), 1.0), 6)


def score(factors: Factors) -> float:
    """By N1, N4, N5 and N12, to six places."""
    n = factors.shared
    share = min(n / factors.of, 1.0) * n / (n + 2) if factors.of else 0.0
    value = 1.0 - (1.0 - NAME * factors.likeness.value) * (1.0 - MEANING * factors.meaning) * (1.0 - SHARED * share)
    if not n:
        value = min(value, UNSHARED_TENSES if factors.likeness.tenses_differ else UNSHARED)
    if factors.sampled:
        m = factors.different
        value *= 1.0 - 0.8 * (m / factors.sampled) * m / (m + 3)
    return round(value * (0.3 if factors.kinds_fit is False else 1.0), 6)


def policies_of(found: NearSynonym, vocabulary: Vocabulary) -> tuple[PredicatePolicy, PredicatePolicy]:
    """The source's policy now, and the one that merges it: a name replaced by another, or the reverse of another."""
    now = vocabulary.policy(found.source)
    if found.merge is Merge.INVERSE:
        return now, replace(now, inverse_of=found.target, reviewed=True)
    return now, replace(now, replaced_by=found.target, reviewed=True)


def merge_id(organization: UUID, source: str, target: str, merge: Merge) -> UUID:
    """The same for the same two predicates, whichever of them would stay."""
    told = "\n".join((merge.value, *sorted((source, target))))
    return uuid5(organization, told)


def grew(shared: int, then: int) -> bool:
    """Whether the evidence for a merge that was decided grew so much that it is proposed again (N11)."""
    return shared >= GREW_TIMES * then and shared >= then + GREW_BY
