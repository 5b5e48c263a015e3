"""What only the FalkorDB engine says in Cypher: one graph holds one generation of one organization."""

from __future__ import annotations

from adapters.graphiti.writing import write_statements

WRITES = write_statements()

INDEXES = (
    "CREATE INDEX FOR (n:Entity) ON (n.uuid)",
    "CREATE INDEX FOR (n:Episodic) ON (n.uuid)",
    "CREATE INDEX FOR ()-[e:RELATES_TO]-() ON (e.uuid)",
)
INDEX_STATES = "CALL db.indexes() YIELD status RETURN status"
MARK_GENERATION = "MERGE (g:Generation {number: $number}) ON CREATE SET g.watermark = 0"
GENERATION = "MATCH (g:Generation) RETURN g.number"
MARK_WATERMARK = "MATCH (g:Generation) SET g.watermark = $watermark"
WATERMARK = "MATCH (g:Generation) RETURN g.watermark"

LAST_NODE = "MATCH (n) RETURN max(id(n))"
HASHES_OF_NODES = """MATCH (n:Entity) WHERE id(n) >= $low AND id(n) < $high
MATCH (n)-[e:RELATES_TO]->() RETURN e.uuid, e.standing_hash"""
NODES_WHOLE = "MATCH (n) WHERE id(n) >= $low AND id(n) < $high RETURN n.group_id, properties(n)"
EDGES_WHOLE = "MATCH (n) WHERE id(n) >= $low AND id(n) < $high MATCH (n)-[e]->() RETURN e.group_id, properties(e)"
"""Read out as they are: what is sought must not stand in a statement, which the server remembers."""
COUNTS = (
    "MATCH (n:Entity) RETURN count(n)",
    "MATCH (n:Value) RETURN count(n)",
    "MATCH (n:Episodic) RETURN count(n)",
    "MATCH ()-[e:MENTIONS]->() RETURN count(e)",
    "MATCH ()-[e:RELATES_TO]->() RETURN count(e)",
)
"""Entities with literals, literals, documents, mentions, edges."""
