"""A seeded history of 20,000 assertions with everything that can happen to them, checked against itself.

python -m benchmarks.long_history [--assertions N] [--samples N] [--seed N]
"""

from __future__ import annotations

import argparse
import asyncio
import time

from adapters.graphiti.falkordb_engine import FalkorDBMemoryEngine
from adapters.inmemory.memory_engine import InMemoryMemoryEngine
from adapters.postgres.pool import open_pool
from adapters.postgres.scope_finder import PostgresScopeFinder
from application.identity.access import AccessResolver
from application.journal.verify import VerifyJournal
from benchmarks.servers import falkordb, migrated_database, postgres
from tests.integration.projection.projecting import projecting
from tests.services.long_history import LongHistory
from tests.services.world import new_world


async def main(assertions: int, samples: int, seed: int) -> bool:
    """Prints what happened and what was found; True when everything is equal."""
    with postgres() as server, falkordb() as address:
        database = await migrated_database(server)
        pool = await open_pool(database.application, minimum=1, maximum=4)
        engine = FalkorDBMemoryEngine.at(address.url)
        try:
            world = await new_world(pool)
            history = LongHistory(world, seed, subjects=max(12, assertions // 50), batch=50)
            started = time.perf_counter()
            await history.go_on(assertions, samples)
            print(f"{history.assertions} assertions, {await history.head()} revisions, {_since(started)}")
            print(f"  done {dict(history.done)}, refused {dict(history.refused)}")
            started = time.perf_counter()
            differing = [r for r in history.seen if (await history.rebuild(world.access, r)).discrepancies]
            print(f"rebuilt at {len(history.seen)} revisions, differing: {differing}, {_since(started)}")
            reads = [(r, name, facts) for r, seen in history.seen.items() for name, facts in seen.items()]
            changed = [(r, name) for r, name, facts in reads if await history.read(name, r) != facts]
            print(f"{len(reads)} reads of then asked again, differing: {changed}")
            verify = VerifyJournal(AccessResolver(PostgresScopeFinder(pool)), world.unit_of_work)
            faults = (await verify(world.access)).faults
            print(f"faults of the journal: {list(faults)}")
            whole = True
            for graph in (InMemoryMemoryEngine(), engine):
                follower = projecting(world, graph)
                await follower.project(world.access)
                equal = (await follower.verify(world.access)).whole
                whole = whole and equal
                print(f"{graph.name} graph: {'equal' if equal else 'differs'}")
        finally:
            await engine.aclose()
            await pool.close()
    return not (differing or changed or faults) and whole


def _since(started: float) -> str:
    return f"{time.perf_counter() - started:.0f} s"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assertions", type=int, default=20_000)
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    raise SystemExit(0 if asyncio.run(main(asked.assertions, asked.samples, asked.seed)) else 1)
