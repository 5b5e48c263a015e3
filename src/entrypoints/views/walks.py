"""Walks through the graph."""

from __future__ import annotations

import msgspec

from entrypoints.views.facts import FactView


class NeighbourView(msgspec.Struct):
    """A fact and the hop at which it was met, from 1."""

    hop: int
    fact: FactView


class NeighbourhoodView(msgspec.Struct):
    """Facts by hop. ``engine`` answered; ``notes`` say when that was not the one configured."""

    facts: list[NeighbourView]
    truncated: bool
    engine: str
    notes: list[str]


class PathView(msgspec.Struct):
    """The chain of facts, in order; ``found`` tells no path from no step."""

    found: bool
    facts: list[FactView]
    engine: str
    notes: list[str]
