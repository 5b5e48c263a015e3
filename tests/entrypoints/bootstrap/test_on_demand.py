"""What is made on demand says of itself what the thing itself would say."""

from __future__ import annotations

import pytest

from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.graphiti.neo4j_engine import Neo4jMemoryEngine
from adapters.parsing.registry import ContentParsers
from domain.errors import LimitExceeded
from entrypoints.bootstrap.on_demand import GraphOnDemand, ParserOnDemand


class Closing:
    """An engine that can be asked one thing."""

    def __init__(self) -> None:
        self.closed = 0

    async def ping(self) -> str:
        return "pong"

    async def aclose(self) -> None:
        self.closed += 1


@pytest.mark.parametrize("engine", [FalkorDBMemoryEngine, Neo4jMemoryEngine])
def test_the_flags_are_those_of_the_engines(engine: type[FalkorDBMemoryEngine | Neo4jMemoryEngine]) -> None:
    for flag in ("reads_history", "projected", "swaps_atomically"):
        assert getattr(GraphOnDemand, flag) == getattr(engine, flag), flag


async def test_an_engine_is_made_by_the_first_question_and_closed_once() -> None:
    made: list[Closing] = []

    def make() -> Closing:
        made.append(Closing())
        return made[-1]

    unused = GraphOnDemand("falkordb", make)
    assert (unused.name, unused.projected) == ("falkordb", True)
    await unused.aclose()
    assert made == []
    used = GraphOnDemand("falkordb", make)
    assert [await used.ping(), await used.ping()] == ["pong", "pong"]
    await used.aclose()
    assert [engine.closed for engine in made] == [1]


def test_a_document_is_read_as_by_the_parsers_themselves() -> None:
    parser = ParserOnDemand(10)
    assert parser.parse(b"a,b\n1,2\n", "text/csv", None) == ContentParsers(10).parse(b"a,b\n1,2\n", "text/csv", None)
    with pytest.raises(LimitExceeded):
        parser.parse(b"x" * 11, "text/plain", None)
