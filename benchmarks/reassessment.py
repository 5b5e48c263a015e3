"""A policy changes over many facts: how long it takes to assess them anew, and what comes of it.

python -m benchmarks.reassessment [--facts 100000]
"""

from __future__ import annotations

import argparse
import asyncio
import time

from adapters.postgres.pool import open_pool
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.rebuild_standings import RebuildStandings
from benchmarks.servers import migrated_database, postgres
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession
from tests.services.world import new_world

BATCH = 1_000
RIVAL_EVERY = 10
"""Every tenth fact has another object for the subject of the one before it."""


async def main(facts: int) -> bool:
    """Prints what was measured; True when every standing is as the record makes it afterwards."""
    with postgres() as server:
        database = await migrated_database(server)
        pool = await open_pool(database.application, minimum=1, maximum=4)
        world = await new_world(pool)
        resolver, ids = AccessResolver(PostgresScopeFinder(pool)), TimeOrderedIds()
        change = ChangeVocabulary(resolver, world.unit_of_work, world.keys, ids)
        started = time.perf_counter()
        for first in range(0, facts, BATCH):
            await world.say(*(claim(n) for n in range(first, min(first + BATCH, facts))), source=f"source {first % 7}")
        print(f"{facts} facts said, {_since(started)}", flush=True)
        one = PredicatePolicy("STEERS", Cardinality.ONE, succession=Succession.NEVER)
        for step, arguments in {"dry run": {"dry_run": True}, "change": {"confirmed": ["STEERS"]}}.items():
            started = time.perf_counter()
            effect = (await change(world.access, [one], **arguments)).effect  # type: ignore[arg-type]
            counts = {n: len(getattr(effect, n)) for n in ("gained", "lost", "disputed", "settled")}
            print(f"{step}: {effect.facts} facts, {counts}, {_since(started)}", flush=True)
        started = time.perf_counter()
        rebuilt = await RebuildStandings(resolver, world.unit_of_work, ids)(world.access)
        print(f"rebuilt, differing: {len(rebuilt.discrepancies)}, {_since(started)}")
        await pool.close()
    return not rebuilt.discrepancies


def claim(number: int) -> Claim:
    """Every fact has a subject of its own but the tenth, which shares that of the ninth."""
    subject = number - 1 if number % RIVAL_EVERY == RIVAL_EVERY - 1 else number
    return Claim(Mention(f"Ship {subject}"), "steers", Mention(f"Port {number}"), 1.0)


def _since(started: float) -> str:
    return f"{time.perf_counter() - started:.1f} s"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=100_000)
    raise SystemExit(0 if asyncio.run(main(parser.parse_args().facts)) else 1)
