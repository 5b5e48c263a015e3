"""Which predicates are worth comparing: those that share a word, a spelling, a meaning or the ends of a fact.

A vocabulary of n predicates has n² pairs; these lists stay in proportion to n.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from domain.knowledge.near_synonyms import LEAST, Candidate, Marks, NearSynonym, SharedEnds, scored
from domain.knowledge.predicate_forms import one_slip_keys

CROWD, SLIPS, ALIKE = 30, 8, 60
"""A word that more predicates have tells none of them, nor does a spelling that more are one slip away from. Of those
that have the very same words, so many are compared."""
NEAREST = 5
"""Neighbours by meaning of each predicate."""
ROWS = 256
"""Rows of vectors that are compared at a time."""

MEASURED, FEW = 500, 20
"""Reviewed predicates that the marks are measured on, at most and at least."""
UNMEASURED: Marks = (0.6, 1.0)

Pair = tuple[str, str]
Vectors = NDArray[np.float32]


def near_synonyms(
    candidates: Sequence[Candidate],
    vectors: Vectors | None,
    ends: Mapping[Pair, SharedEnds],
) -> list[NearSynonym]:
    """Those that score enough before anything speaks against them, the best first. ``ends`` is by sorted pair.

    ``vectors`` has a row of length one for each candidate, or there are none.
    """
    marks = marks_of(candidates, vectors)
    place = {each.name: at for at, each in enumerate(candidates)}
    found = []
    for one, other in sorted(_pairs(candidates, vectors, marks[0], ends)):
        if one not in place or other not in place:
            continue
        a, b = candidates[place[one]], candidates[place[other]]
        cosine = None if vectors is None else float(vectors[place[one]] @ vectors[place[other]])
        near = scored(a, b, cosine, marks, ends.get((one, other), SharedEnds()))
        if near is not None and near.score >= LEAST and near.facts:
            found.append(near)
    return one_each(found, {each.name for each in candidates if each.policy.reviewed})


def one_each(found: Iterable[NearSynonym], reviewed: Set[str]) -> list[NearSynonym]:
    """The best merge of each source, the best first (N10)."""
    ranked = sorted(found, key=lambda each: (each.target not in reviewed, -each.score, each.source, each.target))
    best: dict[str, NearSynonym] = {}
    for each in ranked:
        best.setdefault(each.source, each)
    return sorted(best.values(), key=lambda each: (-each.score, each.source))


def marks_of(candidates: Sequence[Candidate], vectors: Vectors | None) -> Marks:
    """The cosines below which one in 20 and one in 1,000 pairs of reviewed predicates do not stay (N3)."""
    reviewed = [at for at, each in enumerate(candidates) if each.policy.reviewed][:MEASURED]
    if vectors is None or len(reviewed) < FEW:
        return UNMEASURED
    cosines = (vectors[reviewed] @ vectors[reviewed].T)[np.triu_indices(len(reviewed), 1)]
    low, high = np.quantile(cosines, (0.95, 0.999))
    return float(low), max(float(high), float(low) + 0.01)


def _pairs(candidates: Sequence[Candidate], vectors: Vectors | None, least: float, ends: Iterable[Pair]) -> set[Pair]:
    pairs = {_sorted(*pair) for pair in ends}
    words: dict[str, set[str]] = defaultdict(set)
    slips: dict[str, set[str]] = defaultdict(set)
    alike: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for each in candidates:
        for form, _ in each.wordings:
            alike[form.stems].add(each.name)
            for stem in form.stems:
                words[stem].add(each.name)
            for slip in one_slip_keys(form.stems):
                slips[slip].add(each.name)
    telling = [held for held in words.values() if len(held) <= CROWD]
    telling += [held for held in slips.values() if len(held) <= SLIPS]
    for held in [*telling, *(set(sorted(held)[:ALIKE]) for held in alike.values())]:
        pairs |= {_sorted(*pair) for pair in combinations(held, 2)}
    return pairs | set(_neighbours(candidates, vectors, least))


def _neighbours(candidates: Sequence[Candidate], vectors: Vectors | None, least: float) -> Iterator[Pair]:
    if vectors is None or len(candidates) < 2:
        return
    count = min(NEAREST + 1, len(candidates))
    for start in range(0, len(candidates), ROWS):
        cosines = vectors[start : start + ROWS] @ vectors.T
        nearest = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
        for row, columns in enumerate(nearest):
            for column in map(int, columns):
                if column != start + row and cosines[row, column] >= least:
                    yield _sorted(candidates[start + row].name, candidates[column].name)


def _sorted(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)
