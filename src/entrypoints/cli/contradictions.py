"""What contradicts itself, and a person's decision on it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import click
import msgspec
from rich.text import Text

from application.knowledge.decide_contradiction import Choice, ContradictionDecided, Decision
from application.retrieval.contradictions import ContradictionsQuery
from application.retrieval.contradictions import contradictions as listed
from domain.errors import InvalidInput, shown
from domain.identity.ids import DocumentId, FactId, Revision
from domain.knowledge.assertion import Polarity
from domain.ports.contradictions import DocumentSet
from domain.retrieval.contradictions import Factor, FoundContradiction, Side
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.standing.testimony import Lifecycle
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, plain, sentence
from entrypoints.cli.reading import LONGEST_EXCERPT, filter_options, point_options, term
from entrypoints.views.contradictions import ContradictionPage, ContradictionView
from entrypoints.views.corrections import boundary_of


@click.command()
@click.option("--predicate", "predicates", multiple=True, help="In any spelling and either direction.")
@click.option("--entity", help="A name or an id, on any side.")
@click.option("--about", type=click.UUID, help="A contradiction's id, or a fact's.")
@click.option("--settled", is_flag=True, help="Also what one side has won.")
@click.option("--against-document", type=click.UUID, multiple=True, help="Compare --document with these documents.")
@click.option("--against-collection", multiple=True, help="Compare --collection with these collections.")
@click.option("--between-scopes", is_flag=True, help="What one scope that you read says against another.")
@click.option("--limit", type=click.IntRange(1, 1_000), default=20, show_default=True)
@acting
@filter_options
@point_options
async def contradictions(
    call: Call,
    predicates: tuple[str, ...],
    entity: str | None,
    about: UUID | None,
    settled: bool,
    against_document: tuple[UUID, ...],
    against_collection: tuple[str, ...],
    between_scopes: bool,
    limit: int,
    chosen: FactFilter,
    point: ReadPoint,
) -> Output:
    """Show what contradicts itself, with both sides and their weights. The most severe comes first."""
    against = None
    if against_document or against_collection:
        against = DocumentSet(tuple(map(DocumentId, against_document)), against_collection)
    query = ContradictionsQuery(
        predicates, term(entity) if entity else None, about, settled, point, chosen, against, between_scopes, limit
    )
    page = await listed(call.app.retrieval.contradictions, call.access, query)
    view = ContradictionPage([ContradictionView.of(each) for each in page.contradictions], page.total)
    if not page.contradictions:
        return Output(view, (plain("nothing contradicts itself here"),))
    told = tuple(_told(each, f"{number:2}. ") for number, each in enumerate(page.contradictions, 1))
    more = (plain(f"{page.total} in all; raise --limit for more"),) if page.next else ()
    return Output(view, (*told, *more))


def _told(found: FoundContradiction, lead: str) -> Text:
    text = Text(lead).append(plain(f"{found.subject.name} {found.predicate}").plain, style="bold")
    indent = " " * len(lead)
    severity = found.severity
    made_of = f"sides {severity.closeness:.0%} as heavy, {severity.sources} independent sources"
    doubted = ", a correction is doubted" if severity.corrected else ""
    state = "disputed" if found.open else "settled"
    text.append(
        f"\n{indent}{state} · severity {severity.value:.2f} ({made_of}{doubted}) · "
        f"{_stretch(found.valid_from, found.valid_to)}",
        style="yellow" if found.open else "dim",
    )
    if found.between_scopes:
        text.append(f"\n{indent}another scope says something else again")
    for side in found.sides:
        text.append(_side(side, indent, found))
    return text.append(f"\n{indent}decide with: assay decide {found.id}", style="dim")


def _side(side: Side, indent: str, found: FoundContradiction) -> Text:
    said = "says" if side.polarity is Polarity.SUPPORT else "denies"
    marks = ", corrected by a person" if side.corrected else ""
    won = ", won" if not found.open and side.lifecycle is Lifecycle.ACTIVE and said == "says" else ""
    text = Text(f"\n{indent}{side.score:.3f} ")
    text.append(plain(f"{said}: {side.fact.sentence or '(erased)'}{marks}{won}").plain, style="bold")
    text.append(f"\n{indent}      = {side.best_weight:.3f} × {side.bonus:.1f} for {side.sources} independent sources")
    text.append(f"; fact {side.fact.fact_id}", style="dim")
    for factor in side.factors:
        text.append(plain(f"\n{indent}      {_factor(factor)}").plain)
    return text


def _factor(factor: Factor) -> str:
    said = factor.saying
    worth = f"{factor.weight:.3f} = {said.confidence:.2f} × {said.kind} {factor.kind_weight:.1f}"
    trust = f"trust {factor.authority:.2f}" if said.trust is not None else f"tier {said.tier} {factor.authority:.2f}"
    counts = "" if factor.counts else " (a copy, not counted)"
    where = said.title or said.uri or said.pointer or f"document {said.document_id}"
    words = " ".join((said.excerpt or "").split())[:LONGEST_EXCERPT]
    return f"{worth} × {trust}{counts}: “{words}” — {where} ({said.source_name})"


def _stretch(start: datetime | None, end: datetime | None) -> str:
    if start is None and end is None:
        return "at all times"
    begins = f"from {start:%Y-%m-%d}" if start else "until now"
    return begins if end is None else f"{begins} to {end:%Y-%m-%d}" if start else f"until {end:%Y-%m-%d}"


@click.command()
@click.argument("contradiction_id", type=click.UUID)
@click.option("--keep", type=click.UUID, help="The one fact that is right.")
@click.option("--first", type=click.UUID, help="The fact that holds until --boundary.")
@click.option("--then", type=click.UUID, help="The fact that holds from --boundary on.")
@click.option("--boundary", help="When the second takes over from the first, as a date.")
@click.option("--many", is_flag=True, help="Both are right: propose that the predicate takes several values.")
@click.option("--neither", is_flag=True, help="Every side is wrong.")
@click.option("--at", help="A moment of the stretch that is meant; else now, or the only one.")
@click.option("--saw", type=click.IntRange(min=0), help="The revision that you read it at; else the present one.")
@click.option("--reason")
@acting
async def decide(
    call: Call,
    contradiction_id: UUID,
    keep: UUID | None,
    first: UUID | None,
    then: UUID | None,
    boundary: str | None,
    many: bool,
    neither: bool,
    at: str | None,
    saw: int | None,
    reason: str | None,
) -> Output:
    """Decide a contradiction: keep one side, both in turn, both at once, or neither. It is one mutation, which can be
    undone: --keep a fact, or --first and --then with a --boundary, or --many, or --neither."""
    choices = {
        Choice.ONE: keep is not None,
        Choice.IN_TURN: first is not None or then is not None,
        Choice.MANY: many,
        Choice.NEITHER: neither,
    }
    chosen = [choice for choice, given in choices.items() if given]
    if len(chosen) != 1:
        raise click.UsageError("name one of --keep, --first with --then, --many and --neither")
    if saw is None:
        async with call.unit_of_work(call.access) as tx:
            saw = (await tx.journal.head()).revision
    facts = tuple(FactId(each) for each in (keep, first, then) if each is not None)
    wish = Decision(contradiction_id, chosen[0], Revision(saw), facts, boundary_of(boundary), _moment(at), reason)
    done = await call.app.knowledge.decide_contradiction(call.access, wish)
    return sentence(msgspec.to_builtins(done), *_lines(done))


def _lines(done: ContradictionDecided) -> Sequence[str]:
    if done.proposal_id is not None:
        return (
            f"proposed at revision {done.revision}; an administrator of the organization approves it with: "
            f"assay proposals approve {done.proposal_id} --scope organization",
        )
    return (
        f"decided at revision {done.revision}; {done.standings_changed} standings changed",
        f"take it back with: assay undo {done.revision}",
    )


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(f"{shown(text)} is no time; write it like 2024-05-01T00:00:00+00:00", field="at") from None


COMMANDS = (contradictions, decide)
