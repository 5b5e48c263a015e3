"""The examples of docs/formats.md are imported as they stand there."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from application.ingestion.sources import SourceSpec
from domain.errors import InvalidInput
from domain.ingestion.mapping_form import parse_mapping
from domain.ingestion.typed_triples import typed_triple
from tests.services.shared_database import database as database
from tests.services.shared_database import pool as pool
from tests.services.world import World

pytestmark = pytest.mark.services

TEXT = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.DOTALL)
TABLE, STATEMENTS = (block for kind, block in BLOCKS if kind == "csv")
RECORDS, MAPPING, CONCEPTS, CONVERSATION = (block for kind, block in BLOCKS if kind == "json")
(TRIPLES,) = (block for kind, block in BLOCKS if kind == "ndjson")


async def sentences(world: World) -> set[str]:
    return {row["sentence"] for row in await world.rows("SELECT sentence FROM facts")}


def test_every_example_is_used() -> None:
    assert [kind for kind, _ in BLOCKS] == ["csv", "json", "json", "csv", "json", "json", "ndjson"]


async def test_the_table_is_read_by_its_mapping(world: World) -> None:
    parse_mapping(json.loads(MAPPING))
    receipt = await world.read(TABLE, "depots.csv", filename="depots.csv", mapping=json.loads(MAPPING))
    assert (receipt.items, receipt.stored, receipt.rejected) == (6, 6, 0)
    assert "Team North owns Hull depot" in await sentences(world)


async def test_the_same_records_as_json_say_the_same(world: World) -> None:
    await world.read(TABLE, "depots.csv", filename="depots.csv", mapping=json.loads(MAPPING))
    stated = await sentences(world)
    receipt = await world.read(RECORDS, "depots.json", filename="depots.json", mapping=json.loads(MAPPING))
    assert (receipt.items, receipt.stored, receipt.rejected) == (6, 6, 0)
    assert await sentences(world) == stated


async def test_the_concepts_of_records_are_read_by_their_mapping(world: World) -> None:
    mapping = json.loads(CONCEPTS)
    receipt = await world.read(STATEMENTS, "principles.csv", filename="principles.csv", mapping=mapping)
    assert (receipt.items, receipt.stored, receipt.rejected) == (5, 5, 0)
    said = {sentence for sentence in await sentences(world) if "contradicts" in sentence}
    assert {frozenset(each.split(" contradicts ")) for each in said} == {
        frozenset({"Messages are delivered once", "Retries must be idempotent"})
    }


async def test_without_a_mapping_the_rows_are_text_and_the_receipt_says_so(world: World) -> None:
    receipt = await world.read(TABLE, "depots.csv", filename="depots.csv")
    assert (receipt.stored, [r.rejection.code for r in receipt.rejections]) == (0, ["mapping_missing"])
    assert await sentences(world) == set()


def test_every_field_of_a_triple_is_explained_and_used() -> None:
    with pytest.raises(InvalidInput, match="is not a known field; use one of ") as refused:
        typed_triple({"colour": "red"})
    known = set(refused.value.message.rpartition("use one of ")[2].split(", "))
    explained = TEXT.rpartition("| field |")[2]
    named = {
        name for cell in re.findall(r"^\|([^|]*)\|", explained, re.MULTILINE) for name in re.findall(r"`(\w+)`", cell)
    }
    assert named == known
    assert {name for line in TRIPLES.splitlines() for name in json.loads(line)} == known


async def test_the_conversation_is_read(world: World) -> None:
    receipt = await world.read(CONVERSATION, "stand-up.json", filename="stand-up.json")
    assert (receipt.status, receipt.stored) == ("completed", 1)


async def test_every_triple_lands(world: World) -> None:
    async def lines() -> AsyncIterator[bytes]:
        for line in TRIPLES.splitlines():
            yield line.encode()

    receipt = await world.triples(world.access, SourceSpec("export", "record_export"), "formats", lines())
    assert (receipt.items, receipt.stored, receipt.rejected) == (9, 9, 0)
