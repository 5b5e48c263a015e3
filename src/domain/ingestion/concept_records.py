"""Records to concepts by a declared mapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.errors import InvalidInput, shown
from domain.ingestion.claims import Rejection
from domain.ingestion.concept_mapping import ConceptMapping
from domain.ingestion.concepts import StatedConcept
from domain.ingestion.mapping import RecordMapping, cell_of, observed_at, unreadable, values_of
from domain.ingestion.sensitive import holds_mask
from domain.knowledge.assertion import Claim, ClaimKind
from domain.knowledge.concept import ConceptKind, concept_kind
from domain.knowledge.objects import MAX_TEXT

_Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class QuotedClaim:
    """A claim, and the words that state it; None where the whole record does."""

    claim: Claim
    quote: str | None = None


class _Refused(Exception):
    def __init__(self, code: str, detail: str) -> None:
        super().__init__(code)
        self.rejection = Rejection(code, detail)


def concepts_of(record: _Fields, mapping: RecordMapping) -> tuple[list[QuotedClaim], list[Rejection]]:
    """The claims of a record's concepts in the order of the mapping, and what could not be read.

    A concept without a label, or with a kind that there is not, gives one rejection and no claim; a relation that does
    not fit costs the others nothing. A record whose observation time cannot be read gives nothing.
    """
    claims: list[QuotedClaim] = []
    rejections: list[Rejection] = []
    if holds_mask(cell_of(record, mapping.key) or ""):
        # Rejected as a record already.
        return claims, rejections
    for each in mapping.concepts:
        try:
            concept = _stated(record, each, mapping)
            quote = _quote(record, each)
        except _Refused as refused:
            rejections.append(refused.rejection)
            continue
        except InvalidInput as error:
            rejections.append(unreadable(error, "concept_invalid"))
            continue
        if concept is None:
            continue
        claims.append(QuotedClaim(concept.stated(), quote))
        claims += [QuotedClaim(claim) for claim in concept.termed()]
        for relation in each.relations:
            for target in values_of(record, relation.column, each.split):
                try:
                    claims.append(QuotedClaim(concept.related(relation.relation, target)))
                except InvalidInput as error:
                    rejections.append(unreadable(error, "relation_invalid"))
    return claims, rejections


def _stated(record: _Fields, each: ConceptMapping, mapping: RecordMapping) -> StatedConcept | None:
    label = cell_of(record, each.label)
    if label is None:
        if each.label != mapping.subject and any(cell_of(record, column) for column in each.columns()):
            raise _Refused("concept_label_missing", f"column {shown(each.label)} is empty")
        return None
    return StatedConcept(
        label,
        each.kind or _kind(record, each.kind_column or ""),
        tuple(values_of(record, each.terms, each.split)) if each.terms else (),
        put=ClaimKind.FACT,
        observed_at=observed_at(record, mapping),
    )


def _kind(record: _Fields, column: str) -> ConceptKind:
    stated = cell_of(record, column)
    if stated is None:
        raise _Refused("concept_kind_missing", f"column {shown(column)} is empty")
    try:
        return concept_kind(stated)
    except InvalidInput as error:
        raise _Refused("concept_kind_unknown", error.message) from error


def _quote(record: _Fields, each: ConceptMapping) -> str | None:
    quote = cell_of(record, each.quote) if each.quote else None
    if quote is not None and len(quote) > MAX_TEXT:
        raise _Refused("quote_too_long", f"{each.quote} has at most {MAX_TEXT} characters, not {len(quote)}")
    return quote
