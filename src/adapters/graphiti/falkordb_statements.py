"""What the FalkorDB engine says in Cypher. Rows are lists, since the server parses them faster than maps."""

from __future__ import annotations

from adapters.graphiti.schema import EDGE_PROPERTIES

_EDGE_MAP = ", ".join(f"{name}: r[{position}]" for position, name in enumerate(EDGE_PROPERTIES, start=2))

INDEXES = (
    "CREATE INDEX FOR (n:Entity) ON (n.uuid)",
    "CREATE INDEX FOR (n:Episodic) ON (n.uuid)",
    "CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.uuid)",
)
INDEX_STATES = "CALL db.indexes() YIELD status RETURN status"
MARK_GENERATION = "MERGE (g:Generation {number: $number})"
GENERATION = "MATCH (g:Generation) RETURN g.number"

UPSERT_ENTITIES = """UNWIND $rows AS r
MERGE (n:Entity {uuid: r[0]})
SET n.group_id = r[1], n.name = r[2], n.kind = r[3], n.created_at = r[4], n.summary = ''"""
UPSERT_VALUES = """UNWIND $rows AS r
MERGE (n:Entity:Value {uuid: r[0]})
SET n.group_id = r[1], n.name = r[2], n.kind = r[3], n.created_at = r[4], n.summary = ''"""
UPSERT_DOCUMENTS = """UNWIND $rows AS r
MERGE (n:Episodic {uuid: r[0]})
SET n.group_id = r[1], n.name = r[2], n.created_at = r[3], n.valid_at = r[3],
    n.source = 'text', n.source_description = '', n.content = '', n.entity_edges = []"""
UPSERT_MENTIONS = """UNWIND $rows AS r
MATCH (d:Episodic {uuid: r[0]}) MATCH (n:Entity {uuid: r[1]})
MERGE (d)-[m:MENTIONS]->(n)
SET m.uuid = r[2], m.group_id = r[3], m.created_at = r[4]
RETURN count(m)"""
# Removing the known edges and making all of them anew is one statement, so that no reader sees the gap, and takes
# half the time of MERGE. It returns how many were known, and how many were made.
REPLACE_EDGES = f"""OPTIONAL MATCH ()-[old:RELATES_TO]->() WHERE old.uuid IN $ids DELETE old
WITH count(old) AS known
UNWIND $rows AS r
MATCH (a:Entity {{uuid: r[0]}}) MATCH (b:Entity {{uuid: r[1]}})
CREATE (a)-[e:RELATES_TO {{{_EDGE_MAP}, episodes: []}}]->(b)
RETURN known, count(e)"""

DELETE_EDGES = """MATCH ()-[e:RELATES_TO]->() WHERE e.uuid IN $ids
WITH e, e.fact_id AS fact DELETE e RETURN DISTINCT fact"""
DELETE_UNUSED_VALUES = """MATCH (v:Entity) WHERE v.uuid IN $ids AND v:Value
OPTIONAL MATCH (v)<-[e:RELATES_TO]-()
WITH v, count(e) AS uses WHERE uses = 0
DELETE v"""
VALUES_OF_ENTITIES = """MATCH (n:Entity) WHERE n.uuid IN $ids
MATCH (n)-[:RELATES_TO]->(v:Value) RETURN DISTINCT v.uuid"""
DELETE_ENTITIES = "MATCH (n:Entity) WHERE n.uuid IN $ids DELETE n"
DELETE_DOCUMENTS = "MATCH (n:Episodic) WHERE n.uuid IN $ids DELETE n"
DELETE_MENTIONS = """UNWIND $rows AS r
MATCH (d:Episodic {uuid: r[0]})-[m:MENTIONS]->(n:Entity {uuid: r[1]}) DELETE m"""

KNOWN_ENTITIES = "MATCH (n:Entity) WHERE n.uuid IN $ids RETURN n.uuid"
KNOWN_DOCUMENTS = "MATCH (n:Episodic) WHERE n.uuid IN $ids RETURN n.uuid"

LAST_NODE = "MATCH (n) RETURN max(id(n))"
HASHES_OF_NODES = """MATCH (n:Entity) WHERE id(n) >= $low AND id(n) < $high
MATCH (n)-[e:RELATES_TO]->() RETURN e.uuid, e.standing_hash"""
COUNTS = (
    "MATCH (n:Entity) RETURN count(n)",
    "MATCH (n:Value) RETURN count(n)",
    "MATCH (n:Episodic) RETURN count(n)",
    "MATCH ()-[e:MENTIONS]->() RETURN count(e)",
    "MATCH ()-[e:RELATES_TO]->() RETURN count(e)",
)
"""Entities with literals, literals, documents, mentions, edges."""
