"""What goes into a pack: each thing once, most informative first, contested facts with all sides, within the budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from uuid import UUID

from domain.errors import InvalidInput
from domain.identity.ids import FactId, StandingId
from domain.retrieval.context_pack import Conflicts, LeftOut, PackCitation, PackDocument, PackFact, PackPassage
from domain.retrieval.facts import Citation, Named, StandingFact
from domain.retrieval.near_same import Folded, folded, near_same
from domain.retrieval.pack_text import DOCUMENTS, NOTHING, Documents, contested_line, fact_lines, fenced, passage_lines
from domain.retrieval.passages import Passage
from domain.retrieval.sides import by_standing
from domain.standing.testimony import Lifecycle

LEADING = 0.5
"""Of the relevance of the most relevant fact: a correction that has as much bears on the question, and comes first."""
CLOSE = 16
"""Tokens by which a sum over parts may miss the count of the whole, whose mark is another one each time."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What goes in whole or not at all: a fact, all sides of a contested one, or a passage. ``score`` is search's.

    ``relevance`` is the part of it that is about the question, in [0, 1]; the rest is how good the source is.
    """

    score: float
    facts: tuple[StandingFact, ...] = ()
    passage: Passage | None = None
    relevance: float = 1.0

    @property
    def contested(self) -> bool:
        """Whether there is another side."""
        return len(self.facts) > 1 or any(is_contested(fact) for fact in self.facts)

    @property
    def corrected(self) -> bool:
        """Whether a person corrected it."""
        return any(fact.corrected for fact in self.facts)

    @property
    def id(self) -> UUID:
        """What ties are broken by."""
        return self.facts[0].fact_id if self.facts or self.passage is None else self.passage.chunk_id

    def lines(self, ref: str, documents: Documents) -> list[str]:
        """Its lines of the text."""
        if self.passage is not None:
            return passage_lines(self.passage, ref, documents)
        if not self.contested:
            return fact_lines(self.facts[0], ref, documents)
        lines = [contested_line(ref, len(self.facts))]
        for side, fact in zip(_sides(ref, len(self.facts)), self.facts, strict=True):
            lines += fact_lines(fact, side, documents)
        return lines


@dataclass(frozen=True, slots=True)
class Packed:
    """A packed text with what is in it, as typed data."""

    text: str
    size: int
    facts: tuple[PackFact, ...] = ()
    passages: tuple[PackPassage, ...] = ()
    documents: tuple[PackDocument, ...] = ()
    left_out: LeftOut = field(default_factory=LeftOut)


def is_contested(fact: StandingFact) -> bool:
    """Disputed, said and denied, or said otherwise in another scope."""
    return fact.lifecycle is Lifecycle.DISPUTED or (fact.support and fact.refute) or bool(fact.rivals)


def units_of(
    hits: Sequence[tuple[StandingFact, float]],
    others: Mapping[StandingId, StandingFact],
    passages: Sequence[tuple[Passage, float]] = (),
    relevance: Mapping[StandingId, float] = MappingProxyType({}),
) -> list[Unit]:
    """Hits, best first, each fact once, with the other sides of contested ones out of ``others``; then passages.

    Sides that are hits are worth as much as the best of them. Without an entry in ``relevance`` a hit is about the
    question altogether.
    """
    known = {fact.standing_id: fact for fact, _ in hits} | dict(others)
    scores = {fact.standing_id: score for fact, score in hits}
    units: list[Unit] = []
    seen: set[UUID] = set()
    for fact, _ in hits:
        if fact.fact_id in seen:
            continue
        sides = _sides_of(fact, known)
        seen |= sides.keys()
        found = [side.standing_id for side in sides.values() if side.standing_id in scores]
        score, about = max(scores[id] for id in found), max(relevance.get(id, 1.0) for id in found)
        units.append(Unit(score, tuple(sorted(sides.values(), key=by_standing)), None, about))
    return [*units, *(Unit(score, (), passage) for passage, score in passages)]


def _sides_of(fact: StandingFact, known: Mapping[StandingId, StandingFact]) -> dict[FactId, StandingFact]:
    """The fact with its rivals and theirs."""
    sides, waiting = {fact.fact_id: fact}, [fact]
    while waiting:
        for rival in waiting.pop().rivals:
            other = known.get(rival.standing_id)
            if other is not None and other.fact_id not in sides:
                sides[other.fact_id] = other
                waiting.append(other)
    return sides


def pack(
    units: Sequence[Unit], head: str, budget: int, count: Callable[[str], int], conflicts: Conflicts = Conflicts.INCLUDE
) -> Packed:
    """The pack of some units, whose text counts at most ``budget``.

    Corrections come first among what is about as relevant as the best (``LEADING``), then what has most score times
    relevance, whatever its length, so that short facts do not push the answer out; then what has most of it a token. A
    good source, or a person's word, says nothing to a question that it is not about, however short it is. What is
    near-same to something better is left out.
    Raises InvalidInput, with the least that would do, when not even one unit fits.
    """
    wanted = [unit for unit in units if _wanted(unit, conflicts)]
    distinct = _distinct(wanted)
    ordered = _by_information(distinct, count)
    chosen = _chosen(ordered, head, budget, count)
    left = LeftOut(len(ordered) - len(chosen), len(units) - len(wanted), len(wanted) - len(distinct))
    text, typed = _rendered(chosen, head), _typed(chosen)
    return Packed(text, count(text), *typed, left)


def _wanted(unit: Unit, conflicts: Conflicts) -> bool:
    return conflicts is Conflicts.INCLUDE or unit.contested is (conflicts is Conflicts.ONLY)


def _distinct(units: Sequence[Unit]) -> list[Unit]:
    kept: list[Unit] = []
    said: list[Folded] = []
    leads = _leading(units)
    for unit in sorted(units, key=lambda u: (not leads(u), -u.score, u.id)):
        words = [folded(fact.sentence or str(fact.fact_id)) for fact in unit.facts]
        if unit.passage is not None:
            words = [folded(unit.passage.text)]
        if not unit.contested and any(near_same(words[0], other) for other in said):
            continue
        said += words
        kept.append(unit)
    return kept


def _by_information(units: Sequence[Unit], count: Callable[[str], int]) -> list[tuple[Unit, int]]:
    """With the tokens that each takes by itself, its documents included."""
    leads, sized = _leading(units), []
    best = min(units, key=lambda u: (-_worth(u), -u.score, u.id), default=None)
    for unit in units:
        documents = Documents.empty()
        lines = unit.lines("00", documents)
        sized.append((unit, count("\n".join((*lines, *documents.lines)) + "\n")))
    return sorted(
        sized,
        key=lambda each: (
            not leads(each[0]), each[0] is not best, -_worth(each[0]) / max(1, each[1]), -each[0].score, each[0].id
        ),
    )  # fmt: skip


def _leading(units: Sequence[Unit]) -> Callable[[Unit], bool]:
    """Whether a unit is a correction that bears on the question as well."""
    least = LEADING * max((unit.relevance for unit in units if unit.facts), default=0.0)
    return lambda unit: unit.corrected and unit.relevance >= least


def _worth(unit: Unit) -> float:
    return unit.score * unit.relevance


def _chosen(ordered: Sequence[tuple[Unit, int]], head: str, budget: int, count: Callable[[str], int]) -> list[Unit]:
    if not ordered:
        if (least := count(_rendered((), head))) > budget:
            raise _too_small(budget, least)
        return []
    documents, chosen, used = Documents.empty(), list[Unit](), count(fenced(head, (), ()))
    for unit, _ in ordered:
        known = len(documents.lines)
        trial = Documents(dict(documents.refs), list(documents.lines))
        lines = unit.lines(str(len(chosen) + 1), trial)
        heading = (DOCUMENTS,) if known == 0 and trial.lines else ()
        total = used + count("\n".join((*lines, *heading, *trial.lines[known:])) + "\n")
        # Tokens of parts need not add up to those of the whole: where it is close, the whole is what counts.
        if abs(total - budget) <= CLOSE:
            total = count(_rendered((*chosen, unit), head))
        if total <= budget:
            chosen.append(unit)
            documents, used = trial, total
    while chosen and count(_rendered(chosen, head)) > budget:
        chosen.pop()
    if chosen:
        return chosen
    sizes = [count(_rendered((unit,), head)) for unit, _ in ordered]
    fitting = next((unit for (unit, _), size in zip(ordered, sizes, strict=True) if size <= budget), None)
    if fitting is None:
        raise _too_small(budget, min(sizes))
    return [fitting]


def _too_small(budget: int, least: int) -> InvalidInput:
    return InvalidInput(
        f"a budget of {budget} tokens is too small for one citation; the least that would do is {least}", field="budget"
    )


def _rendered(units: Sequence[Unit], head: str) -> str:
    documents, body = Documents.empty(), list[str]()
    for number, unit in enumerate(units, 1):
        body += unit.lines(str(number), documents)
    return fenced(head, body or (NOTHING,), documents.lines)


def _sides(ref: str, count: int) -> list[str]:
    return [ref][:count] if count < 2 else [f"{ref}{chr(ord('a') + at % 26)}" for at in range(count)]


def _typed(
    units: Sequence[Unit],
) -> tuple[tuple[PackFact, ...], tuple[PackPassage, ...], tuple[PackDocument, ...]]:
    documents, facts, passages = Documents.empty(), list[PackFact](), list[PackPassage]()
    rows: dict[str, PackDocument] = {}
    for number, unit in enumerate(units, 1):
        unit.lines(str(number), documents)
        for side, fact in zip(_sides(str(number), len(unit.facts)), unit.facts, strict=True):
            facts.append(_fact(side, fact, unit, documents, rows))
        if unit.passage is not None:
            passages.append(_passage(str(number), unit.passage, unit.score, documents, rows))
    return tuple(facts), tuple(passages), tuple(rows.values())


def _fact(ref: str, f: StandingFact, unit: Unit, documents: Documents, rows: dict[str, PackDocument]) -> PackFact:
    target = f.object.id if isinstance(f.object, Named) else None
    return PackFact(
        ref, f.fact_id, f.standing_id, f.subject.id, target, f.sentence, f.predicate, f.kind, f.lifecycle, f.tier,
        f.confidence, f.corrected, unit.contested, f.holds_from, f.holds_to, unit.score,
        _citation(f.citation, documents, rows), _citation(f.denial, documents, rows), f.tainted, f.flags,
    )  # fmt: skip


def _citation(cited: Citation | None, documents: Documents, rows: dict[str, PackDocument]) -> PackCitation | None:
    if cited is None:
        return None
    ref = _document(cited, documents, rows)
    return PackCitation(
        ref, cited.document_id, cited.version_id, cited.assertion_id, cited.start, cited.end, cited.pointer,
        cited.excerpt,
    )  # fmt: skip


def _passage(ref: str, p: Passage, score: float, documents: Documents, rows: dict[str, PackDocument]) -> PackPassage:
    document = _document(p, documents, rows)
    return PackPassage(
        ref, p.chunk_id, document, p.document_id, p.version_id, p.start, p.end, p.text, score, p.tainted, p.flags
    )


def _document(cited: Citation | Passage, documents: Documents, rows: dict[str, PackDocument]) -> str:
    ref = documents.of(cited)
    rows.setdefault(
        ref,
        PackDocument(
            ref, cited.document_id, cited.version_id, cited.title, cited.uri, cited.source_name, cited.tier or 4,
            cited.published_at,
        ),
    )  # fmt: skip
    return ref
