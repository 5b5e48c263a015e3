"""The clean-up of an erasure on real servers: nothing of the content is left in any store; a certificate says so."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from valkey.asyncio import Valkey

from adapters.embedded.resp_server import RespAddress
from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.graphiti.neo4j_engine import Neo4jMemoryEngine
from adapters.graphiti.schema import graph_name
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from adapters.system.signer import Ed25519Signer
from adapters.valkey.cache import ValkeyCache
from adapters.valkey.cache_upkeep import ValkeyCacheUpkeep
from application.erasure.erase import Erase
from application.ingestion.sources import SourceSpec
from application.knowledge.change import ChangeWriter
from domain.erasure.certificate import Certificate, signed_bytes
from domain.erasure.rules import CACHE_NAMESPACES, GRAPH_PROPERTIES
from domain.errors import NotFound
from domain.identity.ids import OrganizationId
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.objects import TextValue
from domain.ports.erasure import ErasureId
from tests.contracts.projection_contract import recorded
from tests.integration.erasure.scanning import dump_has, places_of
from tests.integration.erasure.stores import Stores
from tests.integration.erasure.test_erase import sentences, source_named, whole
from tests.services.database import Database
from tests.services.world import World

pytestmark = [pytest.mark.services, pytest.mark.slow]

CANARY = "Quaxolotl"
EVERYTHING = "MATCH (n) RETURN properties(n) AS p UNION ALL MATCH ()-[e]->() RETURN properties(e) AS p"
KEYS = "MATCH (n) UNWIND keys(n) AS k RETURN DISTINCT k UNION MATCH ()-[e]->() UNWIND keys(e) AS k RETURN DISTINCT k"
NOTE = f"{CANARY} Industries was founded by Ada Byron in 1999. {CANARY} Industries is based in Lyon."


class Engine:
    """A graph database under test, and how to look at all that it holds."""

    def __init__(self, engine: Any, everything: Any, properties: Any) -> None:
        self.engine = engine
        self.everything = everything
        self.properties = properties


@pytest.fixture(params=["falkordb", "neo4j"])
async def graph(request: pytest.FixtureRequest) -> AsyncIterator[Engine]:
    if request.param == "falkordb":
        address: RespAddress = request.getfixturevalue("falkordb_server")
        falkordb = FalkorDBMemoryEngine.at(address.url)

        async def everything() -> str:
            connection = falkordb._client.connection
            rows = []
            for name in await falkordb._client.list_graphs():
                for part in ("MATCH (n) RETURN n", "MATCH ()-[e]->() RETURN e"):
                    found = (await falkordb._client.select_graph(name).query(part)).result_set
                    rows += [str(row[0].properties) for row in found]
            folder = (await connection.config_get("dir"))["dir"]
            return "\n".join(rows) + (Path(folder) / "dump.rdb").read_bytes().decode("latin-1")

        async def properties(organization_id: OrganizationId) -> set[str]:
            graph = falkordb._client.select_graph(graph_name(organization_id))
            return {row[0] for row in (await graph.query("CALL db.propertyKeys()")).result_set}

        yield Engine(falkordb, everything, properties)
        await falkordb.aclose()
        return
    server = request.getfixturevalue("neo4j_server")
    neo4j = Neo4jMemoryEngine.at(server.uri, server.user, server.password)

    async def all_of_neo4j() -> str:
        rows = await neo4j._driver.read(EVERYTHING, {})
        return "\n".join(str(row) for row in rows)

    async def keys_of_neo4j(_: OrganizationId) -> set[str]:
        return {row[0] for row in await neo4j._driver.read(KEYS, {})}

    yield Engine(neo4j, all_of_neo4j, keys_of_neo4j)
    await neo4j.aclose()


def says(subject: str, predicate: str, target: str) -> Claim:
    return Claim(Mention(subject), predicate, Mention(target), 1.0)


async def test_a_source_among_three_is_in_no_store_and_its_certificate_verifies(
    world: World, database: Database, graph: Engine, valkey_server: RespAddress
) -> None:
    prefix = f"erasure-{uuid4()}:"
    cache = ValkeyCache(valkey_server.url, prefix=prefix, timeout_seconds=5.0)
    upkeep = ValkeyCacheUpkeep(valkey_server.url, prefix=prefix)
    stores = Stores(world.pool, graph.engine, world.objects, world.keys, cache, upkeep)
    for source in ("a", "b", "c"):
        await world.say(says("Acme", "headquartered in", "Lyon"), source=source)
    await world.say(
        Claim(Mention("Acme"), "has note", TextValue(f"the {CANARY} plan"), 1.0),
        says(CANARY, "owns", "Acme"),
        source="b",
    )
    await world.read(NOTE, f"{CANARY}.txt", source=SourceSpec("b", "record_export"), title=f"{CANARY}'s note")
    wide = await stores.resolver.for_organization(world.access.organization_id, world.access.write_scope)
    projected = await stores.projector(wide)
    assert projected.changes > 0, projected
    await stores.embed(wide)
    before = await graph.everything() if graph.engine.name == "neo4j" else ""
    assert graph.engine.name != "neo4j" or CANARY in before
    texts = [row["text"] for row in await world.rows("SELECT text FROM chunks")]
    versions = await world.rows(
        """SELECT a.object_key, a.key_id, v.content_hash FROM document_versions v
           JOIN artifacts a USING (organization_id, group_id, source_id, content_hash)
           JOIN sources s ON s.source_id = v.source_id WHERE s.name = 'b'"""
    )
    erase = Erase(
        stores.resolver, world.unit_of_work, ChangeWriter(TimeOrderedIds()), world.keys, SystemClock(), TimeOrderedIds()
    )
    erasure = await erase(world.access, await source_named(world, "b"), "the contract ended")
    assert CANARY.lower() in erasure.canaries
    done = await stores.complete(world.access, erasure.id)
    assert done.issued
    assert not (await stores.complete(world.access, erasure.id)).issued

    administrator = await asyncpg.connect(database.administrator)
    assert await places_of(administrator, CANARY) == []
    assert await dump_has(administrator, CANARY) == []
    await administrator.close()
    held = await graph.everything()
    assert [held[max(0, at - 90) : at + 60] for at in places_in(held)] == []
    assert await graph.engine.digest(world.access.organization_id) == await recorded(world)
    client = Valkey.from_url(valkey_server.url)
    keys = [key.decode() async for key in client.scan_iter(match=f"{prefix}*")]
    await client.aclose()
    for text in texts:
        assert not [key for key in keys if hashlib.sha256(text.encode()).hexdigest() in key]
    assert keys
    # What a new kind of key, or a new property, holds is not forgotten by itself.
    assert {key.removeprefix(prefix).partition(":")[0] for key in keys} == set(CACHE_NAMESPACES)
    assert await graph.properties(world.access.organization_id) - GRAPH_PROPERTIES == set()
    await cache.close()
    for version in versions:
        assert not await world.objects.exists(version["object_key"])
        with pytest.raises(NotFound):
            await world.keys.key(version["key_id"])
    assert await sentences(world) == ["Acme is headquartered in Lyon"]
    await whole(world)

    certificate = await certificate_of(world, erasure.id)
    statement: dict[str, Any] = dict(certificate.statement)
    assert statement["erased"]["kind"] == "source"
    assert statement["reason"] == "the contract ended"
    scan = statement["scan"]
    assert (scan["canaries"], scan["found"]) == (len(erasure.canaries), 0)
    assert sorted(scan["stores"]) == ["cache", "database", "graph", "objects"]
    assert not any(store["found"] for store in scan["stores"].values())
    assert scan["stores"]["objects"]["looked_at"] == {"objects": 2, "opened": 2}
    assert scan["stores"]["graph"]["looked_at"]["nodes"] > 0
    assert scan["stores"]["cache"]["looked_at"]["keys"] == len(keys)
    assert statement["removed"]["document"] == 2
    assert any("backups of the database" in line for line in statement["residue"])
    signer = Ed25519Signer()
    assert signer.verify(certificate.public_key, certificate.signature, signed_bytes(statement))
    changed = json.loads(json.dumps(statement)) | {"reason": "another"}
    assert not signer.verify(certificate.public_key, certificate.signature, signed_bytes(changed))


def places_in(text: str) -> list[int]:
    return [match.start() for match in re.finditer(CANARY, text, re.IGNORECASE)]


async def certificate_of(world: World, erasure_id: ErasureId) -> Certificate:
    async with world.unit_of_work(world.access) as tx:
        row = await tx.erasures.erasure(erasure_id)
    assert row is not None
    assert row.state == "done"
    assert row.certificate is not None
    assert row.canaries == ()
    return Certificate.from_bytes(row.certificate)
