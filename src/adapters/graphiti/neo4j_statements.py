"""What the Neo4j engine says in Cypher. Every element carries the organization and the generation.

Statements that write take ``$organization`` and ``$generation``; rows are lists as in ``schema``.
"""

from __future__ import annotations

from adapters.graphiti.schema import EDGE_PROPERTIES

_TIMES = {"created_at", "valid_at", "invalid_at"}
_EDGE_MAP = ", ".join(
    f"{name}: datetime(r[{position}])" if name in _TIMES else f"{name}: r[{position}]"
    for position, name in enumerate(EDGE_PROPERTIES, start=2)
)
_KEY = "organization_id: $organization, generation: $generation"
PIN = "AND {0}.organization_id = $organization AND {0}.generation = $generation"
_PINNED_N, _PINNED_E = PIN.format("n"), PIN.format("e")

# The indexes on uuid alone bear graphiti's names: its classes look elements up by them.
SCHEMA = (
    """CREATE CONSTRAINT assay_entity IF NOT EXISTS
    FOR (n:Entity) REQUIRE (n.uuid, n.organization_id, n.generation) IS UNIQUE""",
    """CREATE CONSTRAINT assay_document IF NOT EXISTS
    FOR (n:Episodic) REQUIRE (n.uuid, n.organization_id, n.generation) IS UNIQUE""",
    """CREATE CONSTRAINT assay_generation IF NOT EXISTS
    FOR (n:Generation) REQUIRE (n.organization_id, n.number) IS UNIQUE""",
    "CREATE INDEX assay_edge IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.uuid, e.organization_id, e.generation)",
    "CREATE INDEX assay_entities IF NOT EXISTS FOR (n:Entity) ON (n.organization_id, n.generation)",
    "CREATE INDEX assay_documents IF NOT EXISTS FOR (n:Episodic) ON (n.organization_id, n.generation)",
    "CREATE INDEX entity_uuid IF NOT EXISTS FOR (n:Entity) ON (n.uuid)",
    "CREATE INDEX episode_uuid IF NOT EXISTS FOR (n:Episodic) ON (n.uuid)",
    "CREATE INDEX relation_uuid IF NOT EXISTS FOR ()-[e:RELATES_TO]-() ON (e.uuid)",
)
AWAIT_INDEXES = "CALL db.awaitIndexes(120)"

LIVE = "MATCH (g:Generation {organization_id: $organization, live: true}) RETURN g.number"
PREPARE = """MERGE (g:Generation {organization_id: $organization, number: $generation})
ON CREATE SET g.live = false"""
PREPARED = "MATCH (g:Generation {organization_id: $organization, number: $generation}) RETURN g.live"
GENERATIONS = "MATCH (g:Generation {organization_id: $organization}) RETURN g.number ORDER BY g.number"
MAKE_LIVE = """MATCH (g:Generation {organization_id: $organization})
SET g.live = g.number = $generation"""
FORGET = "MATCH (g:Generation {organization_id: $organization, number: $generation}) DELETE g"
HIDE = "MATCH (g:Generation {organization_id: $organization}) SET g.live = false"
REMOVE_NODES = (
    f"MATCH (n:Entity {{{_KEY}}}) WITH n LIMIT $rows DETACH DELETE n RETURN count(*)",
    f"MATCH (n:Episodic {{{_KEY}}}) WITH n LIMIT $rows DETACH DELETE n RETURN count(*)",
)

UPSERT_ENTITIES = f"""UNWIND $rows AS r
MERGE (n:Entity {{uuid: r[0], {_KEY}}})
SET n.group_id = r[1], n.name = r[2], n.kind = r[3], n.created_at = datetime(r[4]), n.summary = ''"""
UPSERT_VALUES = f"""{UPSERT_ENTITIES}, n:Value"""
UPSERT_DOCUMENTS = f"""UNWIND $rows AS r
MERGE (n:Episodic {{uuid: r[0], {_KEY}}})
SET n.group_id = r[1], n.name = r[2], n.created_at = datetime(r[3]), n.valid_at = datetime(r[3]),
    n.source = 'text', n.source_description = '', n.content = '', n.entity_edges = []"""
UPSERT_MENTIONS = f"""UNWIND $rows AS r
MATCH (d:Episodic {{uuid: r[0], {_KEY}}}) MATCH (n:Entity {{uuid: r[1], {_KEY}}})
MERGE (d)-[m:MENTIONS]->(n)
SET m.uuid = r[2], m.group_id = r[3], m.created_at = datetime(r[4]),
    m.organization_id = $organization, m.generation = $generation
RETURN count(m)"""
CREATE_EDGES = f"""UNWIND $rows AS r
MATCH (a:Entity {{uuid: r[0], {_KEY}}}) MATCH (b:Entity {{uuid: r[1], {_KEY}}})
CREATE (a)-[e:RELATES_TO {{{_EDGE_MAP}, episodes: [], {_KEY}}}]->(b)
RETURN count(e)"""

DELETE_EDGES = f"""MATCH ()-[e:RELATES_TO]->() WHERE e.uuid IN $ids {_PINNED_E}
WITH e, e.fact_id AS fact DELETE e RETURN DISTINCT fact"""
DELETE_UNUSED_VALUES = f"""MATCH (n:Entity) WHERE n.uuid IN $ids {_PINNED_N}
AND n:Value AND NOT (n)<-[:RELATES_TO]-() DELETE n"""
VALUES_OF_ENTITIES = f"""MATCH (n:Entity) WHERE n.uuid IN $ids {_PINNED_N}
MATCH (n)-[:RELATES_TO]->(v:Value) RETURN DISTINCT v.uuid"""
DELETE_ENTITIES = f"MATCH (n:Entity) WHERE n.uuid IN $ids {_PINNED_N} DETACH DELETE n"
DELETE_DOCUMENTS = f"MATCH (n:Episodic) WHERE n.uuid IN $ids {_PINNED_N} DETACH DELETE n"
DELETE_MENTIONS = f"""UNWIND $rows AS r
MATCH (d:Episodic {{uuid: r[0], {_KEY}}})-[m:MENTIONS]->(n:Entity {{uuid: r[1], {_KEY}}}) DELETE m"""

KNOWN_ENTITIES = f"MATCH (n:Entity) WHERE n.uuid IN $ids {_PINNED_N} RETURN n.uuid"
KNOWN_DOCUMENTS = f"MATCH (n:Episodic) WHERE n.uuid IN $ids {_PINNED_N} RETURN n.uuid"

HASHES = f"MATCH (n:Entity {{{_KEY}}}) MATCH (n)-[e:RELATES_TO]->() RETURN e.uuid, e.standing_hash"
COUNTS = (
    f"MATCH (n:Entity {{{_KEY}}}) RETURN count(n)",
    f"MATCH (n:Entity {{{_KEY}}}) WHERE n:Value RETURN count(n)",
    f"MATCH (n:Episodic {{{_KEY}}}) RETURN count(n)",
    f"MATCH (n:Episodic {{{_KEY}}}) MATCH (n)-[e:MENTIONS]->() RETURN count(e)",
    f"MATCH (n:Entity {{{_KEY}}}) MATCH (n)-[e:RELATES_TO]->() RETURN count(e)",
)
"""Entities with literals, literals, documents, mentions, edges."""
