"""The Neo4j server of the test session is a real one: it checks passwords and has the indexes that we rely on."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import neo4j
import pytest
from neo4j.exceptions import AuthError

from tests.services.neo4j_server import Neo4jAddress

pytestmark = [pytest.mark.services, pytest.mark.slow]


@pytest.fixture
def driver(neo4j_server: Neo4jAddress) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=(neo4j_server.user, neo4j_server.password)) as driver:
        yield driver


@pytest.fixture
def label(driver: neo4j.Driver) -> Iterator[str]:
    """A label of this test's own; its nodes are deleted afterwards."""
    label = f"T{uuid4().hex}"
    yield label
    driver.execute_query(f"MATCH (n:{label}) DETACH DELETE n")


def test_it_is_the_community_edition_of_neo4j_5_26(driver: neo4j.Driver) -> None:
    (record,) = driver.execute_query("CALL dbms.components() YIELD versions, edition RETURN versions, edition").records
    assert record["edition"] == "community"
    assert [version.rsplit(".", 1)[0] for version in record["versions"]] == ["5.26"]


def test_a_wrong_password_is_refused(neo4j_server: Neo4jAddress) -> None:
    with (
        neo4j.GraphDatabase.driver(neo4j_server.uri, auth=(neo4j_server.user, "not the password")) as driver,
        pytest.raises(AuthError),
    ):
        driver.verify_connectivity()


def test_it_listens_on_loopback_only(driver: neo4j.Driver) -> None:
    settings = "server.bolt.listen_address', 'server.http.enabled', 'dbms.usage_report.enabled"
    records = driver.execute_query(f"SHOW SETTINGS '{settings}' YIELD name, value").records
    values = {record["name"]: record["value"] for record in records}
    assert values.pop("server.bolt.listen_address").rsplit(":", 1)[0] in {"127.0.0.1", "localhost"}
    assert values == {"server.http.enabled": "false", "dbms.usage_report.enabled": "false"}


def test_the_full_text_index_finds_vietnamese_words(driver: neo4j.Driver, label: str) -> None:
    driver.execute_query(f"CREATE FULLTEXT INDEX words_{label} FOR (n:{label}) ON EACH [n.text]")
    driver.execute_query("CALL db.awaitIndexes(60)")
    texts = ["the cold store in Leith", "Văn phòng Đà Nẵng"]
    driver.execute_query(f"UNWIND $texts AS text CREATE (:{label} {{text: text}})", texts=texts)
    found = driver.execute_query(
        "CALL db.index.fulltext.queryNodes($index, 'phòng') YIELD node RETURN node.text AS text",
        index=f"words_{label}",
    )
    driver.execute_query(f"DROP INDEX words_{label}")
    assert [record["text"] for record in found.records] == ["Văn phòng Đà Nẵng"]


def test_the_vector_index_finds_the_nearest_node(driver: neo4j.Driver, label: str) -> None:
    options = "{indexConfig: {`vector.dimensions`: 3, `vector.similarity_function`: 'cosine'}}"
    driver.execute_query(f"CREATE VECTOR INDEX near_{label} FOR (n:{label}) ON (n.embedding) OPTIONS {options}")
    driver.execute_query("CALL db.awaitIndexes(60)")
    rows = [{"id": 1, "embedding": [1.0, 0.0, 0.0]}, {"id": 2, "embedding": [0.0, 1.0, 0.0]}]
    driver.execute_query(
        f"UNWIND $rows AS row CREATE (n:{label} {{id: row.id}}) "
        "WITH n, row CALL db.create.setNodeVectorProperty(n, 'embedding', row.embedding)",
        rows=rows,
    )
    found = driver.execute_query(
        "CALL db.index.vector.queryNodes($index, 1, [0.1, 0.9, 0.0]) YIELD node RETURN node.id AS id",
        index=f"near_{label}",
    )
    driver.execute_query(f"DROP INDEX near_{label}")
    assert [record["id"] for record in found.records] == [2]
