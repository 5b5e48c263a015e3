"""The graph's upkeep."""

from __future__ import annotations

from application.identity.access import AccessResolver
from application.projection.builder import GraphBuilder
from application.projection.catch_up import CatchUp
from application.projection.project import ProjectFacts
from application.projection.projector import Projector
from application.projection.rebuild import RebuildGraph
from application.projection.verify import VerifyGraph
from domain.ports.projection_feed import ProjectionFeed
from entrypoints.application import Ports, ProjectionUseCases


def projection(ports: Ports, feed: ProjectionFeed, resolver: AccessResolver) -> ProjectionUseCases:
    """Catching up, rebuilding and verifying the configured engine's graphs."""
    catch_up = CatchUp(feed, ports.engine)
    builder = GraphBuilder(feed, ports.engine, ports.ids, catch_up)
    projector = Projector(feed, ports.engine, ports.ids, catch_up, builder)
    return ProjectionUseCases(
        project_facts=ProjectFacts(resolver, projector),
        rebuild_graph=RebuildGraph(resolver, builder, projector, ports.engine.projected),
        verify_graph=VerifyGraph(resolver, feed, ports.engine, ports.ids, catch_up),
        feed=feed,
    )
