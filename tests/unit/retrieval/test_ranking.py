"""Fusion, blend, reranking and expansion are pure, exact and stable."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import InvalidInput
from domain.identity.ids import EntityId, FactId, GroupId, Revision, StandingId
from domain.knowledge.assertion import ClaimKind
from domain.retrieval.blend import BlendWeights, Signals, normalised, order_key, ranked, recency, signals_of
from domain.retrieval.expansion import Expansion, Neighbour, neighbours
from domain.retrieval.facts import Named, Outline, StandingFact, paragraph_around
from domain.retrieval.fusion import RankedList, fuse
from domain.retrieval.graph import EdgeElement, HopEdge
from domain.retrieval.naming import grams
from domain.retrieval.rerank import mixed
from domain.standing.testimony import Lifecycle, Verification

NOW = datetime(2026, 1, 1, tzinfo=UTC)
A, B, C = (UUID(int=n) for n in (1, 2, 3))
ids = st.lists(st.integers(1, 40).map(lambda n: UUID(int=n)), max_size=20, unique=True).map(tuple)


def fact(**changes: object) -> StandingFact:
    made = StandingFact(
        standing_id=StandingId(A), fact_id=FactId(A), group_id=GroupId("g"), sentence="s",
        subject=Named(EntityId(B), "b", None), predicate="P", object=None, qualifiers={},
        valid_from=None, valid_to=None,
        lifecycle=Lifecycle.ACTIVE, support=True, refute=False, confidence=0.9, support_mass=0.9, refute_mass=0.0,
        score=0.9, reason="", tier=2, verification=Verification.AUTO, kind=ClaimKind.FACT, corrected=False,
        observed_at=NOW - timedelta(days=30), from_revision=Revision(1), citation=None, helpful=0,
        unhelpful=0, rivals=(),
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def edge(number: int, subject: int, object: int, hop: int = 1) -> HopEdge:
    return HopEdge(
        hop,
        EdgeElement(
            StandingId(UUID(int=number)), FactId(UUID(int=number)), GroupId("g"), EntityId(UUID(int=subject)), "P",
            EntityId(UUID(int=object)), None, "", None, None, Lifecycle.ACTIVE, 0.9, b"", Revision(1),
        ),
    )  # fmt: skip


def test_fusion_adds_weighted_reciprocal_places() -> None:
    fused = fuse([RankedList("text", 0.5, (A, B)), RankedList("vector", 0.25, (B, C))])
    assert [(item.id, item.score) for item in fused] == [
        (B, 0.5 / 3 + 0.25 / 2),
        (A, 0.25),
        (C, 0.25 / 3),
    ]
    assert fused[0].places == (("text", 2), ("vector", 1))


def test_equal_scores_are_ordered_by_id() -> None:
    lists = [RankedList("a", 1, (C,)), RankedList("b", 1, (A,)), RankedList("c", 1, (B,))]
    assert [item.id for item in fuse(lists)] == [A, B, C]


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(InvalidInput):
        RankedList("text", -1, ())


@given(ids, ids)
def test_fusion_does_not_depend_on_the_order_of_the_lists(left: tuple[UUID, ...], right: tuple[UUID, ...]) -> None:
    one, two = RankedList("a", 0.5, left), RankedList("b", 0.5, right)
    assert [item.id for item in fuse([one, two])] == [item.id for item in fuse([two, one])]
    assert {item.id for item in fuse([one, two])} == {*left, *right}


@given(ids)
def test_one_list_keeps_its_order(ranked: tuple[UUID, ...]) -> None:
    assert tuple(item.id for item in fuse([RankedList("a", 0.7, ranked)])) == ranked


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_normalised_scores_lie_between_nought_and_one_and_keep_their_order(scores: list[float]) -> None:
    result = normalised(scores)
    assert all(0.0 <= value <= 1.0 for value in result)
    assert all(
        x <= y for (a, x) in zip(scores, result, strict=True) for (b, y) in zip(scores, result, strict=True) if a < b
    )


def test_equal_relevance_is_one() -> None:
    assert normalised([3.0, 3.0]) == [1.0, 1.0]
    assert normalised([]) == []


def test_the_six_signals_have_their_stated_values() -> None:
    signals = signals_of(fact(tier=1, verification=Verification.HUMAN, helpful=2, unhelpful=1), 0.5, NOW)
    assert signals == Signals(0.5, 1.0, 1.0, 0.5, 0.6, 0.9)
    assert BlendWeights().score(signals) == pytest.approx(0.4 * 0.5 + 0.18 + 0.12 + 0.12 * 0.5 + 0.08 * 0.6 + 0.1 * 0.9)
    assert [signals_of(fact(tier=tier), 1.0, NOW).authority for tier in (1, 2, 3, 4)] == [1.0, 0.85, 0.70, 0.40]


def test_recency_halves_every_thirty_days_and_ends_with_the_segment() -> None:
    assert recency(NOW - timedelta(days=60), None, NOW) == 0.25
    assert recency(NOW + timedelta(days=1), None, NOW) == 1.0
    assert recency(NOW, NOW, NOW) == 0.0


def test_of_equal_scores_a_correction_comes_first() -> None:
    plain, corrected = fact(), fact(corrected=True, fact_id=FactId(C))
    assert sorted([plain, corrected], key=lambda f: order_key(0.5, f))[0] is corrected


@given(
    st.lists(
        st.builds(
            Outline, st.uuids(), st.uuids(), st.just("P"), st.none(), st.none(), st.none(),
            st.one_of(st.none(), st.datetimes(timezones=st.just(UTC))), st.integers(1, 4),
            st.sampled_from(Verification), st.booleans(), st.floats(0, 1), st.datetimes(timezones=st.just(UTC)),
            st.integers(0, 9), st.integers(0, 9),
        ),
        min_size=1,
    ),
    st.data(),
)  # fmt: skip
def test_candidates_are_ranked_by_the_weighted_sum_of_their_signals(
    outlines: list[Outline], data: st.DataObject
) -> None:
    levels = [data.draw(st.floats(0, 1)) for _ in outlines]
    found = ranked(outlines, levels, BlendWeights(), NOW)
    signals = [signals_of(each.outline, each.relevance, NOW) for each in found]
    assert [each.score for each in found] == [BlendWeights().score(each) for each in signals]
    assert found == sorted(found, key=lambda each: order_key(each.score, each.outline))
    assert len(found) == len(outlines)


def test_reranking_mixes_the_normalised_blend_with_the_judgement() -> None:
    assert mixed([0.2, 0.6, 0.4], [1.0, 0.0, 0.5]) == [0.5, 0.5, 0.5]
    assert mixed([0.2, 0.6], [1.0, 0.0], weight=0.0) == [0.0, 1.0]
    with pytest.raises(InvalidInput):
        mixed([0.1], [])


def test_expansion_scores_by_edges_and_hops() -> None:
    edges = [edge(1, 10, 11), edge(2, 10, 12), edge(3, 12, 13, hop=2), edge(4, 14, 12)]
    found = neighbours(edges, {EntityId(UUID(int=10))}, {StandingId(UUID(int=1))}, Expansion(hops=2), limit=5)
    assert found == [
        Neighbour(StandingId(UUID(int=2)), pytest.approx(0.2 * 3 / 2)),  # type: ignore[arg-type]
        Neighbour(StandingId(UUID(int=4)), pytest.approx(0.2 * 3 / 2)),  # type: ignore[arg-type]
        Neighbour(StandingId(UUID(int=3)), pytest.approx(0.2 * 3 / 4)),  # type: ignore[arg-type]
    ]


def test_expansion_adds_at_most_twice_what_was_asked() -> None:
    edges = [edge(number, 10, number + 100) for number in range(1, 20)]
    assert len(neighbours(edges, {EntityId(UUID(int=10))}, set(), Expansion(), limit=3)) == 6
    with pytest.raises(InvalidInput):
        Expansion(hops=3)


def test_grams_are_the_runs_of_words_folded_without_their_punctuation() -> None:
    assert grams("Who leads Acme's Lab?") == [
        "who leads acme's lab", "who leads acme's", "who leads acme", "leads acme's lab", "who leads", "leads acme's",
        "leads acme", "acme's lab", "who", "leads", "acme's", "acme", "lab",
    ]  # fmt: skip
    assert grams(" ?! ") == []


@given(st.text(max_size=400))
def test_grams_of_any_text_are_bounded_and_folded(text: str) -> None:
    assert len(grams(text)) <= 300


def test_a_paragraph_ends_at_blank_lines() -> None:
    text = "One.\n\nTwo goes on\nhere.\n\nThree."
    assert paragraph_around(text, 10, 14) == "Two goes on\nhere."
    assert paragraph_around(text, -5, 99999) == text
