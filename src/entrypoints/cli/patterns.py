"""Triple patterns, predicates in use, and why a fact stands as it does."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import click
import msgspec

from application.retrieval import queries
from application.retrieval.queries import FactsQuery, Term
from domain.errors import InvalidInput, shown
from domain.identity.ids import AssertionId, FactId
from domain.knowledge.object_wire import from_wire
from domain.retrieval.grounds import GroundedExplanation, Grounds
from domain.retrieval.reading import FactFilter, ReadPoint
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, cell, listing, plain, table
from entrypoints.cli.reading import filter_options, known_at_option, moment, pinned, point_options, reached, term, told
from entrypoints.json_text import from_json
from entrypoints.views.facts import Explanation, fact_views


@click.command()
@click.option("--subject", help="A name or an id.")
@click.option("--predicate", "predicates", multiple=True, help="In any spelling and either direction.")
@click.option("--object", "target", help="A name or an id.")
@click.option("--object-literal", help='A value, as JSON: {"type":"number","value":"5"}, or date, text, boolean.')
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True)
@acting
@filter_options
@point_options
async def facts(
    call: Call,
    subject: str | None,
    predicates: tuple[str, ...],
    target: str | None,
    object_literal: str | None,
    limit: int,
    chosen: FactFilter,
    point: ReadPoint,
) -> Output:
    """Show the facts of a pattern: name a subject, a predicate or an object, or two of them. Corrections come first."""
    if target is not None and object_literal is not None:
        raise click.UsageError("give --object or --object-literal, not both")
    wanted = _literal(object_literal) if object_literal else _term(target)
    query = FactsQuery(_term(subject), predicates, wanted, point, chosen, limit)
    page = await queries.facts_by_pattern(call.app.retrieval.facts, call.access, query)
    more = (plain("there are more; raise --limit, or name more of the pattern"),) if page.next else ()
    return Output(fact_views(page.facts), (*told(page.facts, empty="no such facts"), *more))


@click.command()
@acting
@point_options
async def predicates(call: Call, point: ReadPoint) -> Output:
    """List predicates in use, with how many facts in force each has, and some of them."""
    found = await queries.predicates_in_use(call.app.retrieval.facts, call.access, point)
    rows = [
        {
            "predicate": use.predicate, "facts": use.facts, "reviewed": use.reviewed,
            "example": next(iter(use.examples), None), "examples": list(use.examples),
        }
        for use in found
    ]  # fmt: skip
    columns = {"predicate": "predicate", "facts": "facts", "reviewed": "reviewed", "example": "such as"}
    return listing(rows, columns, empty="there are no facts here yet")


@click.command()
@click.argument("fact_id", type=click.UUID)
@known_at_option
@click.option("--snapshot", type=click.UUID, help="Read by this snapshot, in place of --known-at.")
@click.option("--as-of", help="The moment at which its grounding is read; left out, now.")
@acting
async def explain(call: Call, fact_id: UUID, known_at: str | None, snapshot: UUID | None, as_of: str | None) -> Output:
    """Show why a fact stands as it does: who said what, how it was graded, and what changed it."""
    point = await pinned(call, snapshot, ReadPoint(moment(as_of), await reached(call, known_at)))
    reads = call.app.retrieval.facts
    found = await queries.explain_fact(reads, call.access, FactId(fact_id), point.known_at, point.as_of)
    return Output(Explanation.of(found), (plain(found.sentence or "(erased)"), *_tables(found)))


@click.command()
@click.argument("assertion_id", type=click.UUID)
@acting
async def assertion(call: Call, assertion_id: UUID) -> Output:
    """Show one assertion: its state, its evidence, and the fact that it makes."""
    found = await queries.get_assertion(
        call.unit_of_work, call.app.retrieval.facts, call.access, AssertionId(assertion_id)
    )
    said = found.assertion
    rows = {
        "says": found.sentence or "(erased)", "state": said.state.value, "polarity": said.polarity.value,
        "kind": said.kind.value, "confidence": said.confidence, "weight": said.weight, "source": said.source_name,
        "tier": said.tier, "document": said.title or said.uri or said.document_id, "place": said.pointer,
        "excerpt": said.excerpt, "extractor": said.extractor, "fact": found.fact_id,
    }  # fmt: skip
    shown_rows = "\n".join(f"{name:12} {cell(value)}" for name, value in rows.items() if value is not None)
    return Output(found, (plain(shown_rows),))


def _grounded(grounds: Grounds) -> tuple[Any, ...]:
    grounding, sources = grounds.grounding, grounds.sources
    line = (
        f"\n{grounding.status.replace('_', ' ')}: grounding {grounding.value:+.2f}, "
        f"support {grounds.support_mass:.2f}, refutation {grounds.refute_mass:.2f}, "
        f"source diversity {grounds.source_diversity:.2f}"
    )
    rows = [
        {
            "source": number if voice.counts else "", "polarity": source.polarity.value, "weight": voice.weight,
            "counts": voice.counts, "name": voice.source_name, "why": voice.why,
        }
        for number, source in enumerate(sources, 1)
        for voice in source.voices
    ]  # fmt: skip
    return (plain(line), table(rows, {key: key for key in rows[0]})) if rows else (plain(line),)


def _tables(found: GroundedExplanation) -> tuple[Any, ...]:
    segments = [
        {
            "from": s.valid_from, "to": s.valid_to, "lifecycle": s.lifecycle.value, "confidence": s.confidence,
            "score": s.score, "revisions": f"{s.from_revision} to {s.to_revision or 'now'}", "why": s.reason,
        }
        for s in found.segments
    ]  # fmt: skip
    assertions = [
        {
            "state": a.state.value, "polarity": a.polarity.value, "kind": a.kind.value, "weight": a.weight,
            "tier": a.tier, "source": a.source_name, "document": a.title or a.uri, "excerpt": a.excerpt,
        }
        for a in found.assertions
    ]  # fmt: skip
    mutations = [
        {"revision": m.revision, "kind": m.kind, "by": m.principal_name, "at": m.committed_at, "reason": m.reason}
        for m in found.mutations
    ]
    origins = [
        {
            "fact": o.promotion.fact_id, "scope": o.promotion.origin.value, "state": o.state.value,
            "proposed by": o.promotion.proposed_by_name, "approved by": o.promotion.approved_by_name,
        }
        for o in found.promoted_from
    ]  # fmt: skip
    told = (("stands", segments), ("said", assertions), ("changed by", mutations), ("promoted from", origins))
    return _grounded(found.grounds) + tuple(
        part
        for heading, rows in told
        if rows
        for part in (plain(f"\n{heading}:"), table(rows, {key: key for key in rows[0]}))
    )


def _term(text: str | None) -> Term | None:
    return None if text is None else term(text)


def _literal(text: str) -> Term:
    try:
        return Term(literal=from_wire(from_json(text, dict[str, object])))
    except msgspec.DecodeError as error:
        raise InvalidInput(
            f'{shown(text)} is no literal; write {{"type":"text","value":"…"}} or another type', field="object_literal"
        ) from error


COMMANDS = (facts, predicates, explain, assertion)
