"""What a question asks for: which predicates of what it names, on which side, and what kind of answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from domain.identity.ids import EntityId
from domain.knowledge.stems import stem
from domain.retrieval.phrases import Phrase, Phrasebook, words_of
from domain.retrieval.question_words import ARTICLES, AUXILIARIES, BE, DEFAULTS, PREPOSITIONS, WANTED, Wanted

_WITHOUT_PREPOSITION = 0.8
_BY_DEFAULT = 0.6
_ANSWERED_BY = {
    Wanted.PLACE: frozenset({"in", "at", "on", "to", "from", "near"}),
    Wanted.TIME: frozenset({"on", "in", "at", "from"}),
}
"""Prepositions that a question word stands for: "where is X based" asks for "based in"."""

_WANTED_BY_FIRST: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
for _place, (_cue, _) in enumerate(WANTED):
    _WANTED_BY_FIRST.setdefault(_cue[0], []).append((_place, _cue))


class Side(StrEnum):
    """Which side of a fact the thing that a question names stands on."""

    SUBJECT = "subject"
    OBJECT = "object"

    @property
    def other(self) -> Side:
        """The opposite one."""
        return Side.OBJECT if self is Side.SUBJECT else Side.SUBJECT


@dataclass(frozen=True, slots=True)
class Span:
    """Words [start, end) of a question that name something."""

    start: int
    end: int
    entities: frozenset[EntityId]


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase found at words [start, end)."""

    phrase: Phrase
    start: int
    end: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A predicate that is asked for, as stored. ``sides`` has one entry a named span; None is either side."""

    predicate: str
    sides: tuple[Side | None, ...]
    strength: float


@dataclass(frozen=True, slots=True)
class Question:
    """A question as read. ``spans`` are the names in it, none inside another; ``asked`` the strongest first."""

    wanted: Wanted
    spans: tuple[Span, ...]
    asked: tuple[Asked, ...]


def asked_predicates(text: str, book: Phrasebook) -> tuple[str, ...]:
    """Stored predicates that the words of a question may ask for, whatever it names."""
    return possible_predicates(text, book)[0]


def possible_predicates(text: str, book: Phrasebook) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What ``asked_predicates`` gives, and every stored predicate that ``read_question`` may find asked for.

    The second holds the first: once it is known what a question names, its words may ask for nothing else, and then it
    asks for what its question word stands for.
    """
    words = words_of(text)
    found = [cue.phrase.predicate for cue in _cues(words, book, ())]
    otherwise = DEFAULTS.get(_wanted(text, words), ())
    return _stored(found or otherwise, book), _stored([*found, *otherwise], book)


def _stored(predicates: Iterable[str], book: Phrasebook) -> tuple[str, ...]:
    stored: dict[str, None] = {}
    for predicate in predicates:
        reading = book.vocabulary.read(predicate)
        stored.setdefault(reading.canonical.name)
        stored.setdefault(reading.stated.name)
    return tuple(stored)


def read_question(text: str, book: Phrasebook, named: Mapping[EntityId, str], same: Sequence[EntityId]) -> Question:
    """A question, given the entities that it names with their names in it.

    ``same`` are the entities that are the same as one of those. Where one thing is named they are that thing; where
    several are, they belong to no place and count on either side.
    """
    words = words_of(text)
    spans = _spans(words, named, same)
    wanted = _wanted(text, words)
    asked: dict[str, Asked] = {}
    for cue in _longest(_cues(words, book, spans)):
        stands_for = cue.phrase.preposition in _ANSWERED_BY.get(wanted, ())
        strength = 1.0 if cue.whole or stands_for else _WITHOUT_PREPOSITION
        sides = tuple(_side(words, cue, span) for span in spans)
        _add(asked, book, cue.phrase.predicate, sides, strength)
    if not asked:
        for predicate in DEFAULTS.get(wanted, ()):
            _add(asked, book, predicate, (Side.SUBJECT,) * len(spans), _BY_DEFAULT)
    return Question(wanted, spans, tuple(asked.values()))


def _add(
    asked: dict[str, Asked], book: Phrasebook, predicate: str, sides: tuple[Side | None, ...], strength: float
) -> None:
    reading = book.vocabulary.read(predicate)
    stored = [(reading.stated.name, sides)]
    if reading.canonical.name != reading.stated.name:
        turned = tuple(side.other if side and reading.inverted else side for side in sides)
        stored.append((reading.canonical.name, turned))
    for name, known in stored:
        either = (None,) * len(known) if reading.canonical.symmetric else known
        before = asked.get(name)
        if before is None or strength > before.strength:
            asked[name] = Asked(name, either, strength)
        elif strength == before.strength and before.sides != either:
            merged = tuple(a if a == b else None for a, b in zip(before.sides, either, strict=True))
            asked[name] = Asked(name, merged, strength)


def _wanted(text: str, words: Sequence[str]) -> Wanted:
    first = len(WANTED)
    for at, word in enumerate(words):
        for place, cue in _WANTED_BY_FIRST.get(word, ()):
            if (
                place < first
                and tuple(words[at : at + len(cue)]) == cue
                and (cue != ("ai",) or "AI" not in text.split())
            ):
                first = place
    return WANTED[first][1] if first < len(WANTED) else Wanted.ANYTHING


def _spans(words: Sequence[str], named: Mapping[EntityId, str], same: Sequence[EntityId]) -> tuple[Span, ...]:
    """The longest names first; a name inside a longer one names nothing of its own."""
    by_words: dict[tuple[str, ...], set[EntityId]] = {}
    for entity, name in named.items():
        by_words.setdefault(tuple(words_of(name)), set()).add(entity)
    taken: set[int] = set()
    found: list[Span] = []
    for name_words, entities in sorted(by_words.items(), key=lambda item: (-len(item[0]), item[0])):
        size = len(name_words)
        for at in range(len(words) - size + 1):
            if tuple(words[at : at + size]) == name_words and not taken & set(range(at, at + size)):
                taken |= set(range(at, at + size))
                found.append(Span(at, at + size, frozenset(entities)))
                break
    found.sort(key=lambda span: span.start)
    also = frozenset(same) - frozenset(named)
    if len(found) == 1:
        return (Span(found[0].start, found[0].end, found[0].entities | also),)
    return tuple(found)


def _cues(words: Sequence[str], book: Phrasebook, spans: Sequence[Span]) -> list[Cue]:
    taken = {at for span in spans for at in range(span.start, span.end)}
    stems = [stem(word) for word in words]
    found = []
    for at in range(len(words)):
        for phrase in book.starting_at(stems, at):
            end = at + len(phrase.stems)
            if taken & set(range(at, end)):
                continue
            follows = phrase.preposition is not None and words[end : end + 1] == [phrase.preposition]
            if phrase.preposition == "by" and not follows:
                continue
            found.append(Cue(phrase, at, end + follows, phrase.preposition is None or follows))
    return found


def _longest(cues: Sequence[Cue]) -> list[Cue]:
    """Without cues that stand inside a longer one."""
    return [
        cue
        for cue in cues
        if not any(o.start <= cue.start and cue.end <= o.end and o.end - o.start > cue.end - cue.start for o in cues)
    ]


def _side(words: Sequence[str], cue: Cue, span: Span) -> Side | None:
    phrase = cue.phrase
    if phrase.noun:
        return Side.SUBJECT
    if span.end <= cue.start:
        between = [word for word in words[span.end : cue.start] if word not in ARTICLES]
        if phrase.preposition == "of" and not cue.whole:
            return Side.OBJECT if not between or between[0] == "'s" else None
        passive = phrase.active and "'s" not in between and _is_passive(words, cue, span)
        return Side.OBJECT if passive else Side.SUBJECT
    between = [word for word in words[cue.end : span.start] if word not in ARTICLES]
    if any(word in AUXILIARIES for word in between):
        return Side.SUBJECT
    if phrase.preposition is not None:
        return Side.OBJECT if cue.whole else None
    if between and between[0] in PREPOSITIONS:
        return Side.SUBJECT
    return Side.OBJECT


def _is_passive(words: Sequence[str], cue: Cue, span: Span) -> bool:
    """ "Was X founded", "X was founded": a form of "be" before the verb, which is no bare infinitive."""
    helped = BE & {*words[: span.start], *words[span.end : cue.start]}
    verb = words[cue.start]
    return bool(helped) and (verb != stem(verb) or verb in ("bought", "built", "led", "made", "sold", "written"))
