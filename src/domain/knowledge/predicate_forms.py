"""A predicate's name as words: what it is about, which way it reads, and how near another one is.

``WORKS_AT`` and ``WORKED_AT`` have one form; ``FOUNDED_BY`` is ``FOUNDED`` turned round, as ``MEMBER_OF`` is
``HAS_MEMBER``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from domain.knowledge.predicate import predicate_name
from domain.knowledge.stems import is_past, stem

_SILENT = frozenset({
    "is", "are", "was", "were", "be", "been", "being", "has", "have", "had", "having", "the", "a", "an",
})  # fmt: skip
_HAVING, _IS, _WAS = (
    frozenset({"has", "have", "had", "having"}),
    frozenset({"is", "are"}),
    frozenset({"was", "were", "had"}),
)
_PREPOSITIONS = frozenset({
    "at", "in", "on", "for", "to", "from", "with", "of", "by", "into", "onto", "within", "about", "under", "over",
    "after", "before", "against", "without", "until", "since", "above", "below", "as",
})  # fmt: skip
_ALIKE = (frozenset({"in", "within", "at", "on"}), frozenset({"at", "for"}), frozenset({"to", "into", "onto"}))
"""Prepositions that two spellings of one relation often change for each other; not one of them for none."""
_NEGATIONS = frozenset({"not", "no", "never", "non", "un", "without"})
_SHORTEST_SPELLING = 5
"""Letters of a word in which a difference may be a slip of the pen: HAS_CEO and HAS_CTO are not."""
SLIP = 0.8
"""Likeness of two words from which on they may be one word, written otherwise."""

_OPPOSITES = frozenset(
    frozenset(map(stem, pair))
    for pair in (
        ("from", "to"), ("before", "after"), ("above", "below"), ("over", "under"), ("for", "against"),
        ("with", "without"), ("since", "until"), ("parent", "child"), ("start", "end"), ("begin", "end"),
        ("started", "stopped"), ("started", "finished"), ("open", "close"), ("buy", "sell"), ("bought", "sold"),
        ("hire", "fire"), ("joined", "left"), ("like", "dislike"), ("increase", "decrease"), ("minimum", "maximum"),
        ("min", "max"), ("first", "last"), ("accept", "reject"), ("approve", "reject"), ("enable", "disable"),
        ("allow", "forbid"), ("include", "exclude"), ("born", "died"), ("birth", "death"), ("win", "lose"),
        ("won", "lost"), ("upstream", "downstream"), ("sender", "receiver"), ("send", "receive"),
        ("support", "oppose"), ("support", "contradict"), ("teacher", "student"), ("employer", "employee"),
        ("buyer", "seller"), ("owner", "tenant"), ("source", "target"), ("input", "output"), ("old", "new"),
        ("former", "current"), ("previous", "next"), ("predecessor", "successor"), ("husband", "wife"),
        ("father", "mother"), ("son", "daughter"), ("brother", "sister"), ("lower", "upper"), ("cause", "prevent"),
        ("arrival", "departure"), ("arrived", "departed"), ("import", "export"), ("add", "remove"),
        ("create", "delete"), ("grant", "revoke"), ("active", "inactive"), ("internal", "external"),
    )
)  # fmt: skip


_PAST, _PRESENT, _STATE = frozenset({"past"}), frozenset({"present"}), frozenset({"state"})
_ANY = _PAST | _PRESENT | _STATE


@dataclass(frozen=True, slots=True)
class Form:
    """The stems of a predicate's words in order, its prepositions, and whether it reads from object to subject.

    ``tenses`` are the ones that it may be read in: WORKED_AT is past, LOCATED_IN may be a state that lasts.
    """

    stems: tuple[str, ...]
    prepositions: frozenset[str]
    turned: bool
    negated: bool
    tenses: frozenset[str] = _ANY


@lru_cache(maxsize=16_384)
def form_of(stated: str) -> Form:
    """The form of a predicate in any spelling. Raises InvalidInput as ``predicate_name`` does."""
    words = predicate_name(stated).lower().split("_")
    turned = len(words) > 1 and (words[-1] == "by" or (words[-1] == "of" and _is_noun(words[-2])))
    told = words[:-1] if turned else words
    # "Has as customer" has a customer; "rejected as" is about something else than "rejected".
    told = [w for at, w in enumerate(told) if w != "as" or at == 0 or told[at - 1] not in _HAVING]
    stems = tuple(stem(w) for w in told if w not in _SILENT and w not in _PREPOSITIONS and w not in _NEGATIONS)
    if not stems:
        return Form(tuple(words), frozenset(), False, False)
    prepositions = frozenset(w for w in told if w in _PREPOSITIONS)
    return Form(stems, prepositions, turned, not _NEGATIONS.isdisjoint(words), _tenses(told, words[-1] == "by"))


def _tenses(words: list[str], passive: bool) -> frozenset[str]:
    if not _WAS.isdisjoint(words):
        return _PAST
    past = any(map(is_past, words))
    if not _IS.isdisjoint(words):
        return (_STATE | _PRESENT if passive else _STATE) if past else _PRESENT
    if passive or any(w.endswith("ing") for w in words):
        return _ANY
    if not past:
        return _PRESENT
    return _PAST if not _HAVING.isdisjoint(words) else _PAST | _STATE


def _is_noun(word: str) -> bool:
    """MEMBER_OF has a noun, CONSISTS_OF and COMPOSED_OF have none."""
    return not word.endswith(("s", "ed", "en")) and word not in ("made", "out")


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like two predicates are by their words, 0 to 1, with what it is made of.

    ``variant``: the same words, inflected otherwise or with another preposition of the same sense. ``spelling`` is that
    of the two least alike words where each may be a slip of the pen, else 0. ``words`` is the share of common words.
    ``tenses_differ``: one says what was and the other what is.
    """

    variant: bool
    spelling: float
    words: float
    tenses_differ: bool = False

    @property
    def value(self) -> float:
        """One number: 1 for a variant, what the spelling or the words are worth otherwise."""
        return 1.0 if self.variant else max(0.9 * self.spelling, 0.6 * self.words)


UNLIKE = Likeness(False, 0.0, 0.0)


@lru_cache(maxsize=65_536)
def likeness(a: Form, b: Form) -> Likeness:
    """How like two forms are, whichever way they read. One that denies is never like one that does not."""
    return replace(_words_alike(a, b), tenses_differ=a.tenses.isdisjoint(b.tenses))


def _words_alike(a: Form, b: Form) -> Likeness:
    if a.negated is not b.negated:
        return UNLIKE
    common = len(set(a.stems) & set(b.stems))
    words = 2 * common / (len(set(a.stems)) + len(set(b.stems)))
    if told_apart(a, b):
        return UNLIKE
    if not _one_sense(a.prepositions, b.prepositions):
        # One without a preposition may have lost it.
        return Likeness(False, 0.0, words if not (a.prepositions and b.prepositions) else 0.5 * words)
    if a.stems == b.stems:
        return Likeness(True, 1.0, 1.0)
    return Likeness(False, _slips(a.stems, b.stems), words)


def told_apart(a: Form, b: Form) -> bool:
    """Whether the same words have prepositions that make them two relations: APPROVED_BY and APPROVED_ON."""
    if a.stems != b.stems:
        return False
    if a.turned is not b.turned:
        return bool(a.prepositions or b.prepositions)
    return bool(a.prepositions and b.prepositions) and not _one_sense(a.prepositions, b.prepositions)


def _one_sense(a: frozenset[str], b: frozenset[str]) -> bool:
    return a == b or (any(a | b <= group for group in _ALIKE) and bool(a and b))


def opposites_in(a: Form, b: Form) -> tuple[str, str] | None:
    """Two words, one of each, that mean the opposite of each other."""
    left, right = {*a.stems, *map(stem, a.prepositions)}, {*b.stems, *map(stem, b.prepositions)}
    for one in sorted(left - right):
        for other in sorted(right - left):
            if frozenset((one, other)) in _OPPOSITES or other in _denials(one) or one in _denials(other):
                return one, other
    return ("", "not") if a.negated is not b.negated else None


def _denials(word: str) -> tuple[str, ...]:
    return tuple(prefix + word for prefix in ("un", "in", "dis", "non", "im", "anti", "counter"))


def _slips(a: tuple[str, ...], b: tuple[str, ...]) -> float:
    """The likeness of the least alike two words, where all of them may be slips of the pen."""
    if len(a) != len(b):
        return 1.0 if "".join(a) == "".join(b) else 0.0
    least = 1.0
    for one, other in zip(a, b, strict=True):
        likeness_of_words = 1.0 if one == other else _spelled(one, other)
        if likeness_of_words < SLIP:
            return 0.0
        least = min(least, likeness_of_words)
    return least


def _spelled(a: str, b: str) -> float:
    if min(len(a), len(b)) < _SHORTEST_SPELLING and a != b:
        return 0.0
    return 1.0 - edit_distance(a, b) / max(len(a), len(b))


def edit_distance(a: str, b: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours that turn one text into the other."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def one_slip_keys(words: Iterable[str]) -> set[str]:
    """Keys of which two spellings that differ by one slip share one: the text without each of its letters."""
    text = "".join(words)
    return {text, *(text[:at] + text[at + 1 :] for at in range(len(text)))} if len(text) > _SHORTEST_SPELLING else set()
