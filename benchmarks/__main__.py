"""Runs the speed table, or the named rows of it, or one of the other benchmarks with its own arguments.

    python -m benchmarks [ROW…] [--facts 100000] [--json FILE]
    python -m benchmarks embedders | extraction | graph_engines | retrieval [ARGUMENTS…]

Both sides of a ratio run in turn inside one process, on servers that it starts itself; medians count.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import runpy
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from benchmarks import (
    audit_cost,
    contradictions,
    growth,
    http_facts,
    hybrid_search,
    isolation_cost,
    memory,
    memory_peers,
    neighbourhood,
    projection,
    retraction,
    snapshots,
    text_ingestion,
    time_travel,
    triple_patterns,
    typed_triples,
    vector_import,
)
from benchmarks.report import Line, as_json, print_table

ROWS: dict[str, Callable[[argparse.Namespace], Coroutine[Any, Any, list[Line]]]] = {
    "typed_triples": lambda a: typed_triples.measure(a.facts),
    "triple_patterns": lambda a: triple_patterns.measure(a.facts),
    "http_facts": lambda a: http_facts.measure(a.facts),
    "audit_cost": lambda a: audit_cost.measure(min(a.facts, 20_000)),
    "isolation_cost": lambda a: isolation_cost.measure(min(a.facts, 20_000)),
    "hybrid_search": lambda a: hybrid_search.measure(a.facts),
    "vector_import": lambda a: vector_import.measure(min(a.facts, a.vectors)),
    "projection": lambda a: projection.measure(min(a.facts, a.edges)),
    "neighbourhood": lambda a: neighbourhood.measure(min(a.facts, a.edges)),
    "contradictions": lambda a: contradictions.measure(a.facts),
    "retraction": lambda a: retraction.measure(max(a.grown // 100, 10_000), a.grown),
    "time_travel": lambda a: time_travel.measure(a.facts),
    "snapshots": lambda a: snapshots.measure(a.facts),
    "text_ingestion": lambda a: text_ingestion.measure(a.texts),
    "growth": lambda a: growth.measure(min(a.facts, a.grown // 10), a.grown),
    "memory": lambda a: memory.measure(a.lines),
    "memory_peers": lambda a: memory_peers.measure(a.facts, a.peer_edges, a.mem0_python),
    "add_triplet": lambda a: typed_triples.measure_add_triplet(a.facts, a.peer_edges),
}

OTHERS = ("embedders", "extraction", "graph_engines", "rate_limit", "retrieval")
"""Modules that print tables of their own, and take paths to data."""


def main() -> int:
    """Run the rows; the table goes to standard output."""
    if sys.argv[1:2] and sys.argv[1] in OTHERS:
        sys.argv = sys.argv[1:]
        runpy.run_module(f"benchmarks.{sys.argv[0]}", run_name="__main__")
        return 0
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="The speed table.")
    parser.add_argument(
        "rows", nargs="*", choices=[*ROWS, []], metavar="ROW", help=f"of {', '.join(ROWS)}; default all"
    )
    parser.add_argument("--facts", type=int, default=100_000, help="facts in the record before the measuring")
    parser.add_argument("--peer-edges", type=int, default=10_000, help="edges in Graphiti's graph")
    parser.add_argument("--mem0-python", type=Path, metavar="PYTHON", help="an interpreter with mem0ai and psycopg")
    parser.add_argument("--vectors", type=int, default=10_000, help="vectors of a first import")
    parser.add_argument("--edges", type=int, default=20_000, help="edges to project and to walk")
    parser.add_argument("--grown", type=int, default=100_000, help="facts in the larger record; the other has a tenth")
    parser.add_argument("--texts", type=int, default=30, help="texts that the offline extractor reads")
    parser.add_argument("--lines", type=int, default=10_000, help="lines of the import whose memory is watched")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the lines as JSON too")
    arguments = parser.parse_args()
    lines: list[Line] = []
    for name in arguments.rows or list(ROWS):
        started = time.perf_counter()
        lines += asyncio.run(ROWS[name](arguments))
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr)
    print_table(lines)
    if arguments.json:
        arguments.json.write_text(json.dumps(as_json(lines), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
