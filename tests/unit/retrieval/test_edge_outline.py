"""An edge that is read from its row when more than its ids is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from domain.retrieval.graph import EdgeElement, edge_outline
from tests.contracts.graph_world import GraphWorld


def _whole() -> EdgeElement:
    world = GraphWorld()
    ann, bob = world.named("Ann", "Bob")
    return world.edge(ann, "KNOWS", bob, fact_text="Ann knows Bob")


def _outline(edge: EdgeElement, reads: list[Any]) -> EdgeElement:
    def read(row: Any) -> tuple[Any, ...]:
        reads.append(row)
        return edge.values()

    return edge_outline("the row", read, edge.standing_id, edge.subject_id, edge.object_id)


def test_the_ids_are_known_without_reading_the_row() -> None:
    edge, reads = _whole(), list[Any]()
    outline = _outline(edge, reads)
    assert (outline.standing_id, outline.subject_id, outline.object_id) == (
        edge.standing_id,
        edge.subject_id,
        edge.object_id,
    )
    assert reads == []


def test_the_first_other_field_reads_the_row_once() -> None:
    edge, reads = _whole(), list[Any]()
    outline = _outline(edge, reads)
    assert outline.fact_text == "Ann knows Bob"
    assert outline.predicate == "KNOWS"
    assert reads == ["the row"]


def test_an_outline_is_the_edge_it_stands_for() -> None:
    edge = _whole()
    assert _outline(edge, []) == edge
    assert hash(_outline(edge, [])) == hash(edge)
    assert repr(_outline(edge, [])) == repr(edge)
    assert _outline(edge, []).values() == edge.values()
    assert replace(_outline(edge, []), predicate="LIKES") == replace(edge, predicate="LIKES")


def test_a_field_that_no_edge_has_is_missing_and_reads_nothing() -> None:
    reads = list[Any]()
    with pytest.raises(AttributeError, match="'colour'"):
        getattr(_outline(_whole(), reads), "colour")  # noqa: B009
    assert reads == []
