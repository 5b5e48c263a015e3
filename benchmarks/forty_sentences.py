"""Scores an extractor's claims against hand-written gold claims."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from domain.ingestion.claims import Extraction, ExtractionWindow
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.objects import DateValue, NumberValue, TextValue
from domain.knowledge.predicate import Vocabulary
from domain.knowledge.time import TimeBound

GOLD = Path(__file__).parent.parent / "tests" / "unit" / "extraction" / "forty_sentences.json"
TWENTY = GOLD.with_name("twenty_sentences.json")
REFERENCE = datetime(2024, 6, 1, tzinfo=UTC)
CORE = Vocabulary.of(CORE_VOCABULARY)
_ARTICLE = re.compile(r"^(?:the|a|an)\s+")


@dataclass(slots=True)
class Score:
    """Claims found, missed and extra; ``details`` counts right and wrong attributes of the found ones."""

    found: int = 0
    missed: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    details: int = 0

    @property
    def precision(self) -> float:
        """Found among all that were extracted."""
        return self.found / max(1, self.found + len(self.extra))

    @property
    def recall(self) -> float:
        """Found among all that the gold has."""
        return self.found / max(1, self.found + len(self.missed))

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def load(path: Path = GOLD) -> list[dict[str, Any]]:
    """The sentences with their gold claims."""
    return list(json.loads(path.read_text(encoding="utf-8"))["sentences"])


def windows(sentences: Sequence[Mapping[str, Any]]) -> list[ExtractionWindow]:
    """One window a sentence."""
    return [
        ExtractionWindow(s["text"], 0, None, datetime.fromisoformat(s.get("reference_time", REFERENCE.isoformat())))
        for s in sentences
    ]


def score(sentences: Sequence[Mapping[str, Any]], extractions: Sequence[Extraction]) -> Score:
    """A claim is found when subject, predicate, object and polarity agree; each gold claim counts once."""
    result = Score()
    for sentence, extraction in zip(sentences, extractions, strict=True):
        claims = [span.claim for span in extraction.claims]
        for gold in sentence["claims"]:
            match = next((claim for claim in claims if _same(claim, gold)), None)
            if match is None:
                result.missed.append(f"{gold['subject']} {gold['predicate']} {gold['object']} <- {sentence['text']}")
                continue
            claims.remove(match)
            result.found += 1
            _compare(match, gold, result)
        result.extra += [f"{_shown(claim)} <- {sentence['text']}" for claim in claims]
    return result


def _same(claim: Claim, gold: Mapping[str, Any]) -> bool:
    found = _turned(_name(claim.subject.surface), claim.predicate, _object(claim))
    stated = _turned(_name(gold["subject"]), gold["predicate"], _expected(gold["object"]))
    return found == stated and claim.polarity.value == gold.get("polarity", "support")


def _turned(subject: str, predicate: str, target: str) -> tuple[str, str, str]:
    """In the vocabulary's canonical direction and name."""
    policy = CORE.policy(predicate)
    if policy.inverse_of is not None:
        return target, policy.inverse_of, subject
    return subject, policy.name, target


def _name(text: str) -> str:
    return _ARTICLE.sub("", text.strip().casefold())


def _object(claim: Claim) -> str:
    match claim.object:
        case Mention(surface=text) | TextValue(value=text):
            return _name(text)
        case DateValue(value=at, precision=precision):
            return f"{at.date()} {precision.value}"
        case NumberValue(value=number, unit=unit):
            return f"{number:f} {unit}"
    return str(claim.object)


def _expected(stated: Any) -> str:
    if isinstance(stated, str):
        return _name(stated)
    if "date" in stated:
        return f"{stated['date']} {stated['precision']}"
    return f"{stated['number']} {stated['unit']}"


def _compare(claim: Claim, gold: Mapping[str, Any], result: Score) -> None:
    """Kind, asserter and valid time: those that the gold states, and no time where it states none."""
    stated = {name: gold[name] for name in ("kind", "asserter") if name in gold}
    stated |= {name: _expected(gold[name]) if name in gold else None for name in ("valid_from", "valid_to")}
    if gold.get("ended"):
        stated.pop("valid_to")
        stated["ended"] = True
    found = {
        "kind": claim.kind.value,
        "asserter": claim.asserter,
        "valid_from": _bound(claim.valid_from),
        "valid_to": _bound(claim.valid_to),
        "ended": claim.valid_to.value is not None,
    }
    for name, value in stated.items():
        result.details += 1
        if found[name] != value:
            result.wrong.append(f"{name}: {found[name]} instead of {value}: {_shown(claim)}")


def _bound(bound: TimeBound) -> str | None:
    return f"{bound.value.date()} {bound.precision.value}" if bound.value and bound.precision else None


def _shown(claim: Claim) -> str:
    return f"{claim.subject.surface} {claim.predicate} {_object(claim)} ({claim.polarity.value})"
