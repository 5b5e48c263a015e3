"""Whether an extracted item may enter the record."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from domain.errors import InvalidInput, SensitiveName, shown
from domain.ingestion.claims import Rejection, SpanClaim
from domain.ingestion.sensitive import holds_mask
from domain.knowledge.assertion import MAX_EXCERPT, Mention
from domain.knowledge.concept import CONCEPT
from domain.knowledge.predicate import MAX_PREDICATE, predicate_name

JUNK_PREDICATES = frozenset(
    {"IS_ABOUT", "KEY_POINT", "RESEARCH_FINDING", "RELATES_TO", "HAS_ASPECT", "MENTIONED_IN", "DISCUSSED", "NOTED"}
)
"""Predicates that say nothing that could be checked."""
MIN_CONFIDENCE = 0.5


class RejectionCode(StrEnum):
    """Why an item was not kept; stable, and shown in receipts."""

    CONFIDENCE_TOO_LOW = "confidence_too_low"
    PREDICATE_EMPTY = "predicate_empty"
    PREDICATE_TOO_LONG = "predicate_too_long"
    PREDICATE_JUNK = "predicate_junk"
    EXCERPT_EMPTY = "excerpt_empty"
    EXCERPT_TOO_LONG = "excerpt_too_long"
    EXCERPT_NOT_LITERAL = "excerpt_not_literal"
    SUBJECT_NOT_IN_EXCERPT = "subject_not_in_excerpt"
    SENSITIVE_NAME = SensitiveName.code


@dataclass(frozen=True, slots=True)
class AcceptanceRules:
    """What a workspace accepts. Predicates are in normal form."""

    junk_predicates: frozenset[str] = JUNK_PREDICATES
    min_confidence: float = MIN_CONFIDENCE
    max_excerpt: int = MAX_EXCERPT

    def __post_init__(self) -> None:
        if not 0.0 <= self.min_confidence <= 1.0:
            raise InvalidInput(f"Confidence lies between 0 and 1, not {self.min_confidence}.", field="min_confidence")
        if not 1 <= self.max_excerpt <= MAX_EXCERPT:
            raise InvalidInput(f"An excerpt has 1 to {MAX_EXCERPT} characters, not {self.max_excerpt}.")


DEFAULT_RULES = AcceptanceRules()


def rejection(item: SpanClaim, text: str, rules: AcceptanceRules = DEFAULT_RULES) -> Rejection | None:
    """Why ``item`` must not enter the record, or None. ``text`` is the whole text of the version it was found in."""
    return (
        _evidence_rejection(item, text, rules)
        or predicate_rejection(item.claim.predicate, rules)
        or _subject_rejection(item)
        or _name_rejection(item)
        or confidence_rejection(item.claim.confidence, rules)
    )


def predicate_rejection(stated: str, rules: AcceptanceRules = DEFAULT_RULES) -> Rejection | None:
    """Why a predicate is no use: nothing in it, over 100 characters, or junk in any spelling."""
    try:
        name = predicate_name(stated)
    except InvalidInput as error:
        too_long = len(stated.strip()) > MAX_PREDICATE
        return Rejection(RejectionCode.PREDICATE_TOO_LONG if too_long else RejectionCode.PREDICATE_EMPTY, error.message)
    if name in rules.junk_predicates:
        return Rejection(RejectionCode.PREDICATE_JUNK, f"{name} says nothing that could be checked")
    return None


def confidence_rejection(confidence: float, rules: AcceptanceRules = DEFAULT_RULES) -> Rejection | None:
    """Whether an extractor is too unsure; what is no number is too."""
    if confidence >= rules.min_confidence:
        return None
    return Rejection(RejectionCode.CONFIDENCE_TOO_LOW, f"confidence {confidence:g} is under {rules.min_confidence:g}")


def _evidence_rejection(item: SpanClaim, text: str, rules: AcceptanceRules) -> Rejection | None:
    excerpt = item.excerpt
    if not excerpt.strip():
        return Rejection(RejectionCode.EXCERPT_EMPTY, "the excerpt is empty")
    if len(excerpt) > rules.max_excerpt:
        return Rejection(
            RejectionCode.EXCERPT_TOO_LONG, f"the excerpt has {len(excerpt)} characters, over {rules.max_excerpt}"
        )
    if item.start < 0 or text[item.start : item.end] != excerpt:
        return Rejection(
            RejectionCode.EXCERPT_NOT_LITERAL, f"the text at [{item.start}, {item.end}) is not {shown(excerpt)}"
        )
    return None


def _name_rejection(item: SpanClaim) -> Rejection | None:
    named = (("subject", item.claim.subject), ("object", item.claim.object))
    for part, name in named:
        if isinstance(name, Mention) and holds_mask(name.surface):
            return Rejection(RejectionCode.SENSITIVE_NAME, f"the {part} holds a masked value, which is no name")
    return None


def _subject_rejection(item: SpanClaim) -> Rejection | None:
    subject = item.claim.subject
    # A concept's label sums up what the excerpt says, in other words.
    if subject.kind == CONCEPT or subject.antecedent or subject.surface in item.excerpt:
        return None
    return Rejection(
        RejectionCode.SUBJECT_NOT_IN_EXCERPT, f"{shown(subject.surface)} is neither in the excerpt nor resolved"
    )
