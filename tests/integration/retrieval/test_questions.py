"""Questions in plain words, each with the facts that may come first.

The ranking was tuned on those that are not held out; the held-out ones were written before it was run on them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.search_index import PostgresSearchIndex
from adapters.system.clock import SystemClock
from application.ingestion.sources import SourceSpec
from application.retrieval.search import Search
from application.retrieval.types import SearchRequest
from application.retrieval.vocabulary import Vocabularies
from domain.knowledge.objects import BooleanValue, DateValue, NumberValue
from domain.retrieval.facts import Named, StandingFact
from tests.services.shared_database import database as database
from tests.services.shared_database import pool as pool
from tests.services.world import World
from tests.services.world import world as world

SET: dict[str, Any] = json.loads(Path(__file__).with_name("questions.json").read_text("utf-8"))


async def load(world: World, facts: list[dict[str, Any]]) -> None:
    """Import the facts, each from a source of its tier."""
    by_tier: dict[int, list[bytes]] = defaultdict(list)
    for fact in facts:
        line = {name: value for name, value in fact.items() if name not in ("id", "tier")}
        by_tier[fact["tier"]].append(json.dumps(line).encode())

    async def lines(of: list[bytes]) -> AsyncIterator[bytes]:
        for line in of:
            yield line

    for tier, of in by_tier.items():
        receipt = await world.triples(
            world.access, SourceSpec(f"tier {tier}", "record_export", tier), "load", lines(of)
        )
        assert (receipt.stored, receipt.rejected) == (len(of), 0)


def key(subject: str, predicate: str, answer: object) -> tuple[str, str, str]:
    return subject, predicate, str(answer)


def written(fact: dict[str, Any]) -> tuple[str, str, str]:
    subject, answer = fact["subject"], fact["object"]
    name = subject if isinstance(subject, str) else subject["name"]
    forms = ("entity", "date", "number", "text")
    value = answer if isinstance(answer, str) else next(answer[form] for form in forms if form in answer)
    return key(name, fact["predicate"], value)


def found(fact: StandingFact) -> tuple[str, str, str]:
    match fact.object:
        case Named(name=name):
            return key(fact.subject.name, fact.predicate, name)
        case DateValue(value=value, precision=precision):
            return key(fact.subject.name, fact.predicate, value.year if precision == "year" else value.date())
        case NumberValue(value=number):
            return key(fact.subject.name, fact.predicate, number)
        case BooleanValue() | None:
            return key(fact.subject.name, fact.predicate, None)
        case text:
            return key(fact.subject.name, fact.predicate, text.value)


@pytest.mark.parametrize("held_out", [False, True])
async def test_the_fact_that_answers_comes_first(world: World, pool: asyncpg.Pool, held_out: bool) -> None:
    await load(world, SET["facts"])
    ids = {written(fact): fact["id"] for fact in SET["facts"]}
    search = Search(
        PostgresSearchIndex(pool), Vocabularies(PostgresKnowledgeReader(pool), SystemClock()), SystemClock()
    )
    wrong = {}
    asked = [each for each in SET["questions"] if each["held_out"] is held_out]
    for each in asked:
        result = await search(world.access, SearchRequest(each["question"], limit=3))
        first = [ids.get(found(hit.fact)) for hit in result.hits]
        if not first or first[0] not in each["expected"]:
            wrong[each["question"]] = first
    assert wrong == {}
