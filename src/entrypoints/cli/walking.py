"""What is around an entity, and how two hang together."""

from __future__ import annotations

import click

from application.retrieval.traversal import Walk, neighbourhood, shortest_path
from domain.retrieval.graph import Direction
from domain.retrieval.reading import ReadPoint
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.choices import OneOf
from entrypoints.cli.output import Output, plain
from entrypoints.cli.reading import fact_text, point_options, term, told
from entrypoints.views.facts import FactView, fact_views
from entrypoints.views.walks import NeighbourhoodView, NeighbourView, PathView

DIRECTIONS = OneOf(Direction)


@click.command()
@click.argument("entity")
@click.option("--hops", type=click.IntRange(1, 3), default=1, show_default=True)
@click.option("--direction", type=DIRECTIONS, default=Direction.BOTH, show_default=True)
@click.option("--predicate", "predicates", multiple=True, help="Only along these, in any spelling.")
@click.option("--limit", type=click.IntRange(1, 500), default=100, show_default=True)
@acting
@point_options
async def neighbours(
    call: Call,
    entity: str,
    hops: int,
    direction: Direction,
    predicates: tuple[str, ...],
    limit: int,
    point: ReadPoint,
) -> Output:
    """Show the facts around an entity."""
    walk = Walk(hops, direction, predicates, limit)
    found = await neighbourhood(call.app.retrieval.graph, call.access, term(entity), walk, point)
    facts = [NeighbourView(walked.hop, FactView.of(walked.fact)) for walked in found.facts]
    view = NeighbourhoodView(facts, found.truncated, found.engine, list(found.notes))
    notes = (*found.notes, "there is more; raise --limit") if found.truncated else found.notes
    parts = [fact_text(walked.fact, f"{walked.hop} hop{'s' * (walked.hop > 1)}: ") for walked in found.facts]
    return Output(view, (*(parts or told(())), *(plain(f"note: {note}") for note in notes)))


@click.command()
@click.argument("source")
@click.argument("target")
@click.option("--hops", type=click.IntRange(1, 6), default=4, show_default=True)
@click.option("--direction", type=DIRECTIONS, default=Direction.BOTH, show_default=True)
@click.option("--predicate", "predicates", multiple=True, help="Only along these, in any spelling.")
@acting
@point_options
async def path(
    call: Call,
    source: str,
    target: str,
    hops: int,
    direction: Direction,
    predicates: tuple[str, ...],
    point: ReadPoint,
) -> Output:
    """Show the shortest chain of facts between two entities."""
    walk = Walk(hops, direction, predicates)
    found = await shortest_path(call.app.retrieval.graph, call.access, term(source), term(target), walk, point)
    view = PathView(found.facts is not None, fact_views(found.facts or ()), found.engine, list(found.notes))
    if found.facts is None:
        parts = told((), empty=f"no path of {hops} hops or less")
    else:
        parts = told(found.facts, empty="the two are the same")
    return Output(view, (*parts, *(plain(f"note: {note}") for note in found.notes)))


COMMANDS = (neighbours, path)
