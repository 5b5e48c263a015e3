"""Search, entities and feedback."""

from __future__ import annotations

from uuid import UUID

import click
from rich.console import RenderableType

from application.retrieval import queries
from application.retrieval.types import CHUNKS, FACTS, SearchRequest, SearchResult
from domain.identity.ids import FactId
from domain.retrieval.closeness import Match
from domain.retrieval.expansion import Expansion
from domain.retrieval.reading import FactFilter, ReadPoint
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, plain, sentence, table
from entrypoints.cli.reading import filter_options, point_options, term, told
from entrypoints.views.found import ProfileView, SearchView


def search_output(result: SearchResult) -> Output:
    """Hits, passages and notes."""
    parts: list[RenderableType] = []
    if result.match is not Match.CLOSE:
        shown = "; this is the nearest in meaning:" if result.match is Match.WEAK else ""
        parts.append(plain(f"nothing close was found{shown}"))
    if result.hits:
        parts += told([hit.fact for hit in result.hits])
    for hit in result.passages:
        p = hit.passage
        where = f"{p.title or p.uri or p.document_id} ({p.source_name}), characters {p.start} to {p.end}"
        parts.append(plain(f"\n{p.text.strip()}\n    — {where}"))
    parts += [plain(f"note: {note}") for note in result.notes]
    return Output(SearchView.of(result), tuple(parts))


@click.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=10, show_default=True)
@click.option("--chunks", is_flag=True, help="Passages of documents too.")
@click.option("--only-cited", is_flag=True, help="Passages only from documents that the facts point to.")
@click.option("--predicate", "predicates", multiple=True, help="Only facts of these, in any spelling.")
@click.option("--expand", type=click.IntRange(0, 2), default=0, help="Add neighbours of the hits, this many hops away.")
@acting
@filter_options
@point_options
async def search(
    call: Call,
    query: str,
    limit: int,
    chunks: bool,
    only_cited: bool,
    predicates: tuple[str, ...],
    expand: int,
    chosen: FactFilter,
    point: ReadPoint,
) -> Output:
    """Ask in plain words; get ranked, graded, dated, cited facts."""
    request = SearchRequest(
        query=query,
        limit=limit,
        sections=(FACTS, CHUNKS) if chunks or only_cited else (FACTS,),
        cited_only=only_cited,
        point=point,
        filter=chosen,
        predicates=predicates,
        expansion=Expansion(expand) if expand else None,
    )
    return search_output(await call.app.retrieval.search(call.access, request))


@click.command()
@click.argument("name")
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True, help="How many facts.")
@acting
@point_options
async def entity(call: Call, name: str, limit: int, point: ReadPoint) -> Output:
    """Show everything that is known about one entity, by any of its names or its id."""
    profile = await queries.entity_profile(call.app.retrieval.facts, call.access, term(name), point, limit)
    summary = profile.summary
    view = ProfileView.of(profile)
    if not summary.entities:
        return sentence(view, f"nothing is known about {name!r}; `assay search` finds by meaning")
    known = ", ".join(f"{e.name} ({e.kind or 'no kind'})" for e in summary.entities)
    totals = [{"predicate": t.predicate, "as_subject": t.as_subject, "as_object": t.as_object} for t in summary.totals]
    broad = f"neighbourhood diversity {summary.neighbourhood_diversity:.2f}"
    parts: list[RenderableType] = [plain(known), plain(f"also called: {', '.join(summary.aliases)}"), plain(broad)]
    parts.append(plain(""))
    if totals:
        headings = {"predicate": "predicate", "as_subject": "as subject", "as_object": "as object"}
        parts += [table(totals, headings), plain("")]
    parts += told(profile.facts)
    parts += [plain(f"named in: {d.title or d.uri or d.document_id}") for d in summary.documents]
    return Output(view, tuple(parts))


@click.command()
@click.argument("fact_id", type=click.UUID)
@click.option("--helpful/--unhelpful", default=None, required=True)
@click.option("--query", help="The question that it answered, or did not.")
@acting
async def feedback(call: Call, fact_id: UUID, helpful: bool, query: str | None) -> Output:
    """Say whether a fact that was found helped."""
    revision = await call.app.ingestion.give_feedback(call.access, FactId(fact_id), helpful, query)
    data = {"fact_id": fact_id, "helpful": helpful, "revision": revision}
    return sentence(data, f"noted; it counts from revision {revision} on")


COMMANDS = (search, entity, feedback)
