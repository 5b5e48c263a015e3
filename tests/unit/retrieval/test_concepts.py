"""How well a concept is grounded: independent sources, one hop, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain.errors import InvalidInput
from domain.identity.ids import AssertionId, DocumentId, EntityId, FactId, GroupId, SourceId, VersionId
from domain.knowledge.assertion import ClaimKind
from domain.knowledge.concept import ConceptKind
from domain.retrieval.concepts import Bearing, Concept, ConceptRecord, ConceptSaying, ConceptsQuery, concept_of
from domain.retrieval.facts import Citation, Named
from domain.standing.grounding import EpistemicStatus

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
OTHER = Named(EntityId(UUID(int=99)), "Delivery happens once", "concept")


def said(
    source: str,
    weight: float,
    bearing: Bearing = Bearing.STATED,
    kind: ConceptKind = ConceptKind.PRINCIPLE,
    *,
    number: int = 1,
    in_force: bool = True,
) -> ConceptSaying:
    citation = Citation(
        AssertionId(UUID(int=number)), ClaimKind.FACT, None, f"words of {source}", 0, 9, None, None,
        VersionId(UUID(int=1)), DocumentId(UUID(int=1)), None, None, None, WHEN, SourceId(UUID(int=1)), source, 2,
    )  # fmt: skip
    stated = bearing is Bearing.STATED
    return ConceptSaying(
        bearing,
        FactId(UUID(int=7)),
        weight,
        source,
        in_force,
        citation,
        kind if stated else None,
        None if stated else OTHER,
    )


def grounded(*sayings: ConceptSaying) -> Concept:
    return concept_of(ConceptRecord(EntityId(UUID(int=1)), GroupId("o_1"), "Retries", ("Retries",), (), sayings))


def test_independent_sources_add_up_and_copies_count_once() -> None:
    concept = grounded(said("a", 0.75), said("a", 0.625, number=2), said("b", 0.5, number=3))
    assert (concept.sources, concept.support_mass, concept.refute_mass) == (2, 1.25, 0.0)
    assert concept.grounding.value == 1.25 / 3.25
    assert concept.grounding.status is EpistemicStatus.AFFIRMATIVE
    assert [q.source_name for q in concept.quotes] == ["a", "a", "b"]


def test_one_hop_of_support_and_contradiction_counts_with_the_words_of_its_own_sources() -> None:
    concept = grounded(
        said("a", 0.85), said("a", 0.85, Bearing.SUPPORTS), said("c", 0.5, Bearing.SUPPORTS),
        said("d", 0.85, Bearing.CONTRADICTS),
    )  # fmt: skip
    assert (concept.sources, concept.support_mass, concept.refute_mass) == (1, 1.35, 0.85)
    assert concept.grounding.status is EpistemicStatus.CONTESTED
    assert (concept.supported_by, concept.contradicted_by) == ((OTHER,), (OTHER,))


def test_what_is_named_by_a_relation_only_has_no_kind_and_its_grounding_is_that_of_the_relation() -> None:
    concept = grounded(said("d", 0.85, Bearing.CONTRADICTS))
    assert (concept.kind, concept.sources, concept.quotes) == (None, 0, ())
    assert concept.grounding.status is EpistemicStatus.CONTRADICTORY
    assert grounded().grounding.status is EpistemicStatus.INSUFFICIENT_DATA


def test_sources_that_disagree_on_the_kind_are_both_kept_the_heavier_one_first() -> None:
    concept = grounded(said("a", 0.4), said("b", 0.85, kind=ConceptKind.CLAIM, number=2))
    assert [(k.kind, k.sources, k.mass) for k in concept.kinds] == [
        (ConceptKind.CLAIM, 1, 0.85), (ConceptKind.PRINCIPLE, 1, 0.4),
    ]  # fmt: skip
    assert concept.kind is ConceptKind.CLAIM


def test_what_was_put_forward_of_an_earlier_time_only_is_historical() -> None:
    assert grounded(said("a", 0.85, in_force=False)).grounding.status is EpistemicStatus.HISTORICAL
    still = grounded(said("a", 0.85, in_force=False), said("b", 0.85, number=2))
    assert (still.sources, still.grounding.status) == (1, EpistemicStatus.AFFIRMATIVE)


@pytest.mark.parametrize(
    ("text", "limit", "field"), [(" ", 10, "q"), ("x" * 2_001, 10, "q"), ("a", 0, "limit"), ("a", 51, "limit")]
)
def test_a_search_for_nothing_or_for_too_much_is_refused(text: str, limit: int, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        ConceptsQuery(text, limit=limit)
    assert refused.value.field == field
