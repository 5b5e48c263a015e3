"""The use cases that follow a world's record into one engine."""

from __future__ import annotations

from dataclasses import dataclass

from adapters.postgres.projection_feed import PostgresProjectionFeed
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.projection.builder import GraphBuilder
from application.projection.catch_up import CatchUp
from application.projection.project import ProjectFacts
from application.projection.projector import Projector
from application.projection.rebuild import RebuildGraph
from application.projection.verify import VerifyGraph
from domain.ports.memory_engine import MemoryEngine
from tests.services.world import World


@dataclass(frozen=True, slots=True)
class Projecting:
    """One worker's means."""

    feed: PostgresProjectionFeed
    engine: MemoryEngine
    catch_up: CatchUp
    project: ProjectFacts
    rebuild: RebuildGraph
    verify: VerifyGraph


def projecting(world: World, engine: MemoryEngine, *, page: int = 1_000, lease_seconds: float = 30.0) -> Projecting:
    """Everything on the world's pool. Small pages make many rounds of little."""
    feed, ids = PostgresProjectionFeed(world.pool), TimeOrderedIds()
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    catch_up = CatchUp(feed, engine, page=page)
    builder = GraphBuilder(feed, engine, ids, catch_up, lease_seconds=lease_seconds)
    projector = Projector(feed, engine, ids, catch_up, builder, lease_seconds=lease_seconds)
    return Projecting(
        feed,
        engine,
        catch_up,
        ProjectFacts(resolver, projector),
        RebuildGraph(resolver, builder, projector, engine.projected),
        VerifyGraph(resolver, feed, engine, ids, catch_up),
    )
