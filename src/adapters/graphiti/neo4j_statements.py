"""What only the Neo4j engine says in Cypher: every element carries its organization and its generation."""

from __future__ import annotations

from adapters.graphiti.writing import write_statements

_KEY = "organization_id: $organization, generation: $generation"
PIN = "AND {0}.organization_id = $organization AND {0}.generation = $generation"

WRITES = write_statements(
    time="datetime({})",
    key=_KEY,
    pin=PIN,
    by_node_id="USING INDEX SEEK {0}:{1}(uuid, organization_id, generation)",
    by_edge_id="USING INDEX SEEK {0}:RELATES_TO(uuid, organization_id, generation)",
)

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
ON CREATE SET g.live = false, g.watermark = 0"""
MARK_WATERMARK = """MATCH (g:Generation {organization_id: $organization, number: $generation})
SET g.watermark = $watermark RETURN g.number"""
WATERMARK = "MATCH (g:Generation {organization_id: $organization, number: $generation}) RETURN g.watermark"
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

HASHES = f"MATCH (n:Entity {{{_KEY}}}) MATCH (n)-[e:RELATES_TO]->() RETURN e.uuid, e.standing_hash"
_OURS = "n.organization_id = $organization AND n.generation >= 0"
WHOLE = (
    ("nodes", f"MATCH (n:Entity) WHERE {_OURS} RETURN n.group_id, properties(n)"),
    ("nodes", f"MATCH (n:Episodic) WHERE {_OURS} RETURN n.group_id, properties(n)"),
    ("nodes", "MATCH (n:Generation) WHERE n.organization_id = $organization RETURN n.group_id, properties(n)"),
    ("edges", f"MATCH (n:Entity) WHERE {_OURS} MATCH (n)-[e]->() RETURN e.group_id, properties(e)"),
    ("edges", f"MATCH (n:Episodic) WHERE {_OURS} MATCH (n)-[e]->() RETURN e.group_id, properties(e)"),
)
"""Everything of an organization, read out as it is."""
COUNTS = (
    f"MATCH (n:Entity {{{_KEY}}}) RETURN count(n)",
    f"MATCH (n:Entity {{{_KEY}}}) WHERE n:Value RETURN count(n)",
    f"MATCH (n:Episodic {{{_KEY}}}) RETURN count(n)",
    f"MATCH (n:Episodic {{{_KEY}}}) MATCH (n)-[e:MENTIONS]->() RETURN count(e)",
    f"MATCH (n:Entity {{{_KEY}}}) MATCH (n)-[e:RELATES_TO]->() RETURN count(e)",
)
"""Entities with literals, literals, documents, mentions, edges."""
