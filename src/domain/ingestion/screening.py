"""A document or a statement as it may be kept: masked by a policy, with what was found and what it is suspected of."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, cast

from domain.ingestion.instructions import instruction_flags
from domain.ingestion.naming import shown_title
from domain.ingestion.parsed import FieldValue, ParsedDocument, Record
from domain.ingestion.sensitive import (
    Finding,
    SensitiveKind,
    SensitivePolicy,
    Treatment,
    mask,
    masked,
    without_overlaps,
)

Find = Callable[[str], Sequence[Finding]]
_Told = list[tuple[SensitiveKind, str]]
PROBES = ("k7Qx-2Lm9-Vt4R-8Zp3-Wd6s", "k7Qx2Lm9Vt4R8Zp3Wd6sHb1Nf5Jc0Yg7Ta3Ue8Mr")
"""Made up, and nothing by themselves: of the length and the variety of any secret that a name tells."""
_NAMING = ("predicate", "name", "key", "field", "setting", "variable")
"""Fields that name what is in a field of ``_VALUES`` beside them."""
_VALUES = frozenset({"object", "value"})
_FORMS = frozenset({"text", "entity", "concept", "number", "value"})
"""Forms of an object: they are told by what tells the object."""
_COPULAS = frozenset({"is", "was", "are", "equals", "has_value", "has value", "value", "set to", "set_to", "=", "là"})


@dataclass(frozen=True, slots=True)
class Screened:
    """What a text holds: how many values of each kind, which kinds hold it back, and what it is suspected of."""

    found: Mapping[str, int] = field(default_factory=dict)
    quarantined: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def waits(self) -> bool:
        """Whether a person has to look at it first."""
        return bool(self.quarantined or self.flags)

    def stated(self) -> dict[str, object]:
        """For a receipt, as JSON: kinds and counts, never a value. Empty when there is nothing to say."""
        said: dict[str, object] = {
            "found": dict(self.found),
            "quarantined": list(self.quarantined),
            "flags": list(self.flags),
        }
        return {name: value for name, value in said.items() if value}


class Screen:
    """Masks texts by one policy and counts what it finds: for one document, or one request of statements."""

    def __init__(self, find: Find, policy: SensitivePolicy) -> None:
        self._find = find
        self._policy = policy
        self._counts: Counter[SensitiveKind] = Counter()
        self._flags: set[str] = set()
        self._plain: set[str] = set()

    def text(self, text: str) -> str:
        """The text with masks; what it holds is counted."""
        found = self._find(text)
        self._counts.update(finding.kind for finding in found)
        self._flags.update(instruction_flags(text))
        return masked(text, found, self._redacts) if found else text

    def stated(self, value: Any, name: str = "") -> Any:
        """A JSON value with masks in its texts and numbers; a name such as ``password`` tells what follows it."""
        told: _Told = []
        own = self._stated(value, (name,), told)
        self._counts.update(kind for kind, _ in told)
        return own

    def line(self, text: str, value: Any) -> tuple[Any, str]:
        """A decoded line of JSON with its text, both masked: a line in which nothing is found is looked at once."""
        named = any(_tells(self._find, name) for name in _names_in(value))
        if "\\" not in text and not named and not self._find(text) and not instruction_flags(text):
            return value, text
        own = self.stated(value)
        return own, text if own == value else json.dumps(own, ensure_ascii=False)

    def document(self, parsed: ParsedDocument) -> ParsedDocument:
        """A parsed document, masked in every part; lengths and so offsets stay as they are."""
        text = self.text(parsed.text)
        records: tuple[Record, ...] = ()
        if parsed.records:
            records, text = self._records(parsed, text)
        title = parsed.title
        if title is not None:
            title = shown_title(self._repeated(title) if title in parsed.text else self.text(title))
        messages = (replace(m, speaker=self._repeated(m.speaker), text=text[m.start : m.end]) for m in parsed.messages)
        problems = (replace(p, message=self._repeated(p.message)) for p in parsed.problems)
        return replace(
            parsed, text=text, title=title, records=records, messages=tuple(messages), problems=tuple(problems)
        )

    def screened(self) -> Screened:
        """What was found in all that went through."""
        held = [kind.value for kind in self._counts if self._policy.of(kind) is Treatment.QUARANTINE]
        counts = {kind.value: number for kind, number in self._counts.items()}
        return Screened(dict(sorted(counts.items())), tuple(sorted(held)), tuple(sorted(self._flags)))

    def _redacts(self, kind: SensitiveKind) -> bool:
        return self._policy.of(kind) is Treatment.REDACT

    def _repeated(self, text: str) -> str:
        """Masked, and not counted again."""
        found = self._find(text)
        return masked(text, found, self._redacts) if found else text

    def _stated(self, value: Any, names: tuple[str, ...], told: _Told) -> Any:
        """``names`` are what the value may be told by: the field, and what a statement says of its object."""
        if isinstance(value, Mapping):
            named = tuple(_named_by(value))
            return {
                self._name(key, told): self._stated(
                    each, (key, *(named if key in _VALUES else names if key in _FORMS else ())), told
                )
                for key, each in value.items()
            }
        if isinstance(value, list):
            return [self._stated(each, names, told) for each in value]
        if isinstance(value, str):
            return self._named(value, names, told)
        if isinstance(value, int | float) and not isinstance(value, bool):
            own = self._named(str(value), names, told)
            return value if own == str(value) else own
        return value

    def _name(self, name: str, told: _Told) -> str:
        """The name of a field, which may hold anything, too; those of records are the same again and again."""
        if name not in self._plain:
            own = self._named(name, (), told)
            if own != name:
                return own
            self._plain.add(name)
        return name

    def _named(self, value: str, names: tuple[str, ...], told: _Told) -> str:
        """What is found in a value alone, and after each of its names."""
        self._flags.update(instruction_flags(value))
        seen = list(self._find(value))
        for lead in (f"{name}: " for name in names if name):
            after = (replace(f, start=f.start - len(lead), end=f.end - len(lead)) for f in self._find(lead + value))
            seen += [f for f in after if f.start >= 0]
        found = without_overlaps(seen)
        told += [(f.kind, value[f.start : f.end]) for f in found]
        return masked(value, found, self._redacts) if found else value

    def _records(self, parsed: ParsedDocument, text: str) -> tuple[tuple[Record, ...], str]:
        """The records, and the text in which that is masked, too, which only the name of a field tells."""
        records, parts, at = list[Record](), list[str](), 0
        for record in parsed.records:
            start = parsed.text.find(record.literal, at)
            own = text[start : start + len(record.literal)] if start >= 0 else self._repeated(record.literal)
            told: _Told = []
            fields = cast("dict[str, FieldValue]", self._stated(record.fields, (), told))
            seen = {record.literal[f.start : f.end] for f in self._find(record.literal)} if told else set[str]()
            for kind, value in told:
                if value in seen:
                    continue
                self._counts[kind] += 1
                for written in {value, json.dumps(value, ensure_ascii=False)[1:-1]} if self._redacts(kind) else ():
                    own = own.replace(written, mask(kind, len(written)))
            records.append(replace(record, literal=own, fields=fields))
            if start >= 0:
                parts += (text[at:start], own)
                at = start + len(own)
        return tuple(records), "".join((*parts, text[at:]))


def _named_by(value: Mapping[str, Any]) -> Iterator[str]:
    """What a mapping calls its value: the predicate, and with an empty one such as "is" the subject."""
    yield from (name for field in _NAMING if isinstance(name := value.get(field), str))
    said, subject = value.get("predicate"), value.get("subject")
    if isinstance(said, str) and said.strip().casefold() in _COPULAS:
        name = subject.get("name") if isinstance(subject, Mapping) else subject
        if isinstance(name, str):
            yield name


def _names_in(value: Any) -> Iterator[str]:
    """Every name in a decoded JSON value that may tell another value."""
    if isinstance(value, Mapping):
        yield from value
        yield from _named_by(value)
        for each in value.values():
            yield from _names_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from _names_in(each)


@lru_cache(maxsize=8192)
def _tells(find: Find, name: str) -> bool:
    """Whether what follows a name is taken for a secret for its sake."""
    return any(find(f"{name}: {probe}") for probe in PROBES)


def screened(
    parsed: ParsedDocument, title: str | None, find: Find, policy: SensitivePolicy
) -> tuple[ParsedDocument, str | None, Screened]:
    """A document and its given title as they may be read under a policy, and what they hold."""
    screen = Screen(find, policy)
    document = screen.document(parsed)
    return document, screen.text(title) if title else None, screen.screened()
