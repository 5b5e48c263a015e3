"""Claims, definitions, events and principles: found by meaning, and shown with their quotes and relations."""

from __future__ import annotations

import click
from rich.text import Text

from application.retrieval.concepts import get_concept, search_concepts
from domain.knowledge.concept import ConceptKind
from domain.retrieval.closeness import Match
from domain.retrieval.concepts import Concept, ConceptsQuery
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.standing.grounding import EpistemicStatus
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, plain
from entrypoints.cli.reading import cited, filter_options, point_options, term
from entrypoints.views.concepts import ALL_QUOTES, ConceptDetailsView, FoundConceptsView

CONCEPT_KINDS = click.Choice([kind.value for kind in ConceptKind])


@click.group()
def concepts() -> None:
    """Claims, definitions, events and principles: search, show."""


@concepts.command("search")
@click.argument("query")
@click.option("--concept-kind", type=CONCEPT_KINDS, multiple=True, help="Only these.")
@click.option("--limit", type=click.IntRange(1, 50), default=10, show_default=True)
@acting
@filter_options
@point_options
async def search(
    call: Call,
    query: str,
    concept_kind: tuple[str, ...],
    limit: int,
    chosen: FactFilter,
    point: ReadPoint,
) -> Output:
    """Find concepts by meaning, each with its best quote and how well it is grounded."""
    asked = ConceptsQuery(query, tuple(map(ConceptKind, concept_kind)), point, chosen, limit)
    found = await search_concepts(call.app.retrieval.concepts, call.access, asked)
    parts = [_told(each.concept, f"{number:2}. ", 1) for number, each in enumerate(found.concepts, 1)]
    if found.match is Match.WEAK:
        parts.insert(0, plain("nothing close was found; this is the nearest in meaning:"))
    notes = [plain(f"note: {note}") for note in found.notes]
    return Output(FoundConceptsView.of(found), (*(parts or [plain("no concept is close to that")]), *notes))


@concepts.command("show")
@click.argument("concept")
@click.option("--limit", type=click.IntRange(1, 500), default=100, show_default=True, help="How many relations.")
@acting
@point_options
async def show(call: Call, concept: str, limit: int, point: ReadPoint) -> Output:
    """Show one concept, by its label or its id: its quotes, its relations in both directions, its grounding."""
    details = await get_concept(call.app.retrieval.concepts, call.access, term(concept), point, limit)
    lines = [
        plain(f"    {link.relation} {link.other.name} ({link.fact.lifecycle}, fact {link.fact.fact_id})")
        for link in details.links
    ]
    more = (plain(f"    more than {limit} relations; raise --limit"),) if details.truncated else ()
    return Output(ConceptDetailsView.of(details), (_told(details.concept, "", ALL_QUOTES), *lines, *more))


def _told(concept: Concept, lead: str, quotes: int) -> Text:
    text = Text(lead).append(plain(concept.label).plain, style="bold")
    indent = " " * len(lead or "    ")
    status = concept.grounding.status
    said = f"{concept.kind or 'no kind'} · {status.replace('_', ' ')}, grounding {concept.grounding.value:+.2f} · "
    counted = (
        f"{concept.sources} independent sources · for {concept.support_mass:.2f}, against {concept.refute_mass:.2f}"
    )
    text.append(f"\n{indent}{said}{counted}", style="dim" if status is EpistemicStatus.AFFIRMATIVE else "yellow")
    if concept.terms:
        text.append(plain(f"\n{indent}also found by: {', '.join(concept.terms)}").plain)
    for other in concept.contradicted_by:
        text.append(plain(f"\n{indent}contradicted by: {other.name}").plain, style="yellow")
    for quote in concept.quotes[:quotes]:
        text.append(plain(f"\n{indent}{cited(quote)}").plain)
    return text.append(f"\n{indent}concept {concept.id}", style="dim")


COMMANDS = (concepts,)
