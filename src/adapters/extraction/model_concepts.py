"""The concepts that a model found in a window, held against the window's text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adapters.extraction.claim_schema import CONCEPT_ITEM, RELATION
from adapters.extraction.model_claims import Refused, Span, excerpt_span
from adapters.extraction.sentences import Sentence
from application.models.schema_check import first_problem
from domain.errors import InvalidInput, shown
from domain.ingestion.claims import ExtractionWindow, Rejection, SpanClaim
from domain.ingestion.concepts import StatedConcept
from domain.knowledge.assertion import Claim
from domain.knowledge.concept import ConceptKind
from domain.resolution.names import normal_name

_WORD = re.compile(r"\w+")
_SHARED = 4
"""Letters in a row that a label of letters has in common with the text; of other scripts, half as many."""


@dataclass(frozen=True, slots=True)
class _Read:
    concept: StatedConcept
    quote: Span
    relations: Sequence[Mapping[str, Any]]


def concepts_of(
    items: Sequence[Mapping[str, Any]], window: ExtractionWindow, sentences: Sequence[Sentence]
) -> tuple[tuple[SpanClaim, ...], tuple[Rejection, ...]]:
    """The claims of the concepts that the window bears out, and why each other concept or relation is rejected.

    The quote must be in the text and the label must take something from it; a relation goes to another concept of the
    same reply that was kept.
    """
    claims: list[SpanClaim] = []
    rejections: list[Rejection] = []
    read: list[_Read] = []
    for item in items:
        try:
            read.append(_concept(item, window, sentences))
        except Refused as refused:
            rejections.append(refused.rejection)
        except InvalidInput as error:
            rejections.append(Rejection("concept_invalid", error.message))
    labels = {normal_name(each.concept.label): each.concept.label for each in read}
    for each in read:
        said = [each.concept.stated(), *each.concept.termed()]
        for relation in each.relations:
            try:
                said.append(_related(each.concept, relation, labels))
            except Refused as refused:
                rejections.append(refused.rejection)
            except InvalidInput as error:
                rejections.append(Rejection("relation_invalid", error.message))
        claims += [_spanned(claim, each.quote, window) for claim in said]
    return tuple(claims), tuple(rejections)


def _concept(item: Mapping[str, Any], window: ExtractionWindow, sentences: Sequence[Sentence]) -> _Read:
    problem = first_problem(item, CONCEPT_ITEM, "concept")
    if problem:
        raise Refused("concept_malformed", problem)
    label = " ".join(item["label"].split())
    quote = excerpt_span(item["quote"], window.text, sentences, "quote")
    if not _takes_from(label, window.text):
        raise Refused("label_not_in_text", f"nothing of the label {shown(label)} is in the text")
    concept = StatedConcept(label, ConceptKind(item["kind"]), tuple(item["terms"]), float(item["confidence"]))
    return _Read(concept, quote, item["relations"])


def _related(concept: StatedConcept, relation: Mapping[str, Any], labels: Mapping[str, str]) -> Claim:
    problem = first_problem(relation, RELATION, "relation")
    if problem:
        raise Refused("relation_malformed", problem)
    target = labels.get(normal_name(relation["to"]))
    if target is None:
        raise Refused("relation_target_unknown", f"{shown(relation['to'])} is no concept that was kept")
    return concept.related(relation["relation"], target)


def _takes_from(label: str, text: str) -> bool:
    known = text.casefold()
    for word in _WORD.findall(label.casefold()):
        size = min(len(word), _SHARED if word.isascii() else _SHARED // 2)
        if any(word[at : at + size] in known for at in range(len(word) - size + 1)):
            return True
    return False


def _spanned(claim: Claim, quote: Span, window: ExtractionWindow) -> SpanClaim:
    text = window.text[quote.start : quote.end]
    return SpanClaim(claim, text, window.start + quote.start, window.start + quote.end)
