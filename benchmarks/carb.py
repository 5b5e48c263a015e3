"""CaRB: open information extraction scored by lenient token overlap (Bhardwaj et al., EMNLP 2019).

A tuple is a relation and its arguments. Each pair of gold and predicted tuple has a token precision and a token
recall, over relation, first argument and the joined rest; no shared word in the relation or a missing argument makes
both 0. Recall gives each gold tuple its best prediction; precision matches tuples one to one, greedily.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Tuple = tuple[str, ...]
"""Relation, first argument, second argument, and more arguments."""
_SAYING = frozenset({"said", "told", "added", "adds", "says"})


@dataclass(frozen=True, slots=True)
class CarbScore:
    """Macro counts over all tuples of all sentences."""

    sentences: int
    gold: int
    predicted: int
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def load_gold(path: Path) -> dict[str, list[Tuple]]:
    """Gold tuples by sentence, in the order of the file (sentence, relation, arguments; tab-separated)."""
    gold: dict[str, list[Tuple]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        sentence, *rest = line.split("\t")
        if len(rest) >= 2:
            gold.setdefault(sentence, []).append(tuple(rest))
    return gold


def score(gold: Mapping[str, Sequence[Tuple]], predicted: Mapping[str, Sequence[Tuple]]) -> CarbScore:
    """Precision and recall at the point where every prediction counts."""
    hit_precision = hit_recall = 0.0
    for sentence, expected in gold.items():
        found = predicted.get(sentence, ())
        pairs = [[_match(one, other) for other in found] for one in expected]
        hit_recall += sum(max((pair[1] for pair in row), default=0.0) for row in pairs)
        hit_precision += _greedy(pairs, len(found))
    golds, founds = sum(map(len, gold.values())), sum(len(predicted.get(s, ())) for s in gold)
    return CarbScore(len(gold), golds, founds, hit_precision / max(1, founds), hit_recall / max(1, golds))


def _greedy(pairs: list[list[tuple[float, float]]], columns: int) -> float:
    cells = sorted(
        ((pairs[i][j][0], -i, -j) for i in range(len(pairs)) for j in range(columns)), reverse=True
    )  # fmt: skip
    rows: set[int] = set()
    used: set[int] = set()
    total = 0.0
    for value, i, j in cells:
        if i not in rows and j not in used:
            rows.add(i)
            used.add(j)
            total += value
    return total


def _match(gold: Tuple, found: Tuple) -> tuple[float, float]:
    straight = _overlap(_binary(gold), _binary(found))
    if _SAYING & set(gold[0].split()) and len(found) > 2:
        relation, first, second = _binary(found)
        return max(straight, _overlap(_binary(gold), (relation, second, first)))
    return straight


def _binary(item: Tuple) -> Tuple:
    return (item[0], item[1], " ".join(item[2:])) if len(item) > 2 else item


def _overlap(gold: Tuple, found: Tuple) -> tuple[float, float]:
    shared = said = wanted = 0
    for part, text in enumerate(gold):
        expected = text.casefold().split()
        wanted += len(expected)
        if part >= len(found):
            return 0.0, 0.0
        words = found[part].casefold().split()
        common = sum((Counter(expected) & Counter(words)).values())
        if part == 0 and common == 0:
            return 0.0, 0.0
        shared += common
        said += len(words)
    return shared / max(1, said), shared / max(1, wanted)
