"""What reading commands have in common: the moment, filters, and how a fact is told to people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import wraps
from typing import Any
from uuid import UUID

import click
from rich.text import Text

from application.identity.access import read_within
from application.retrieval.queries import Term
from application.retrieval.system_time import revision_of
from domain.errors import InvalidInput, shown
from domain.identity.ids import DocumentId, EntityId, Revision, SourceId
from domain.identity.scope_name import ScopeKind
from domain.knowledge.assertion import ClaimKind
from domain.retrieval.facts import Citation, StandingFact
from domain.retrieval.reading import SHOWN_LIFECYCLES, FactFilter, ReadPoint, system_time
from domain.standing.testimony import Lifecycle
from entrypoints.cli.acting import Call, Command
from entrypoints.cli.choices import OneOf
from entrypoints.cli.output import plain

LONGEST_EXCERPT = 300
REVISION = click.IntRange(0, 2**63 - 1)
"""The type of a revision."""


known_at_option = click.option("--known-at", help="As the record was at this revision or time.")


def point_options(function: Command) -> Command:
    """Add ``--as-of``, ``--known-at``, ``--snapshot``, ``--all-time``, ``--lifecycle``; they make a ``point``.

    ``--within`` narrows the scopes that are read.
    """

    @click.option("--as-of", help="The moment asked about, such as 2024-05-01T00:00:00+00:00; left out, now.")
    @known_at_option
    @click.option("--snapshot", type=click.UUID, help="Read by this snapshot, in place of --known-at.")
    @click.option("--read-point", help="A token of `assay read-point`, past whose times nothing is read.")
    @click.option("--all-time", is_flag=True, help="Every segment instead of one moment.")
    @click.option("--lifecycle", type=OneOf(Lifecycle), multiple=True, help="Active and disputed by default.")
    @click.option("--within", type=OneOf(ScopeKind), help="Of the scopes around, only those up to this kind.")
    @wraps(function)
    async def command(
        call: Call,
        as_of: str | None,
        known_at: str | None,
        snapshot: UUID | None,
        read_point: str | None,
        all_time: bool,
        lifecycle: tuple[Lifecycle, ...],
        within: ScopeKind | None,
        **rest: Any,
    ) -> Any:
        call = replace(call, access=read_within(call.access, within))
        revision = await reached(call, known_at)
        point = ReadPoint(moment(as_of), revision, lifecycle or SHOWN_LIFECYCLES, all_time)
        point = await pinned(call, snapshot, point)
        point = await call.app.retrieval.read_points.held(call.access, read_point, point)
        return await function(call, point=point, **rest)

    return command


async def pinned(call: Call, snapshot: UUID | None, point: ReadPoint) -> ReadPoint:
    """The point as a read by a snapshot, if one is named; lines on standard error name what voided it."""
    by = await call.app.retrieval.snapshots.pinned(call.access, snapshot, point)
    for erasure in by.pins.voided_by if by.pins is not None else ():
        click.echo(f"voided: the erasure {erasure} took something of the snapshot", err=True)
    return by


async def reached(call: Call, known_at: str | None) -> Revision | None:
    """The revision to read as of; None is the present. For a time, a line on standard error names it.

    Raises InvalidInput for what the record has not reached, and for what is no revision and no time.
    """
    asked = None if known_at is None else system_time(known_at)
    revision = await revision_of(call.unit_of_work, call.app.operations, call.access, asked)
    if isinstance(asked, datetime):
        click.echo(f"read at revision {revision}, the last by {asked.isoformat()}", err=True)
    return revision


def filter_options(function: Command) -> Command:
    """Add filters of facts; the command gets a ``chosen``."""

    @click.option("--kind", type=OneOf(ClaimKind), multiple=True, help="Fact, claim or opinion.")
    @click.option("--asserter", help="Who is quoted.")
    @click.option("--tier", type=click.IntRange(1, 4), multiple=True, help="Tiers of sources.")
    @click.option("--collection", multiple=True, help="Names of collections.")
    @click.option("--document", type=click.UUID, multiple=True, help="Ids of documents.")
    @click.option("--source", type=click.UUID, multiple=True, help="Ids of sources.")
    @click.option("--untainted", is_flag=True, help="Not only agents and sources of tier 4 speak for it.")
    @wraps(function)
    def command(
        *call: Any,
        kind: tuple[ClaimKind, ...],
        asserter: str | None,
        tier: tuple[int, ...],
        collection: tuple[str, ...],
        document: tuple[UUID, ...],
        source: tuple[UUID, ...],
        untainted: bool,
        **rest: Any,
    ) -> Any:
        documents, sources = tuple(map(DocumentId, document)), tuple(map(SourceId, source))
        chosen = FactFilter(kind, asserter, tier, collection, documents, sources, untainted)
        return function(*call, chosen=chosen, **rest)

    return command


def term(text: str) -> Term:
    """An entity by id or by any of its names."""
    try:
        return Term(id=EntityId(UUID(text)))
    except ValueError:
        return Term(name=text)


def told(facts: Sequence[StandingFact], *, empty: str = "nothing is known about that") -> tuple[Text, ...]:
    """Numbered facts with grade, dates, source and excerpt."""
    if not facts:
        return (plain(empty),)
    return tuple(fact_text(fact, f"{number:2}. ") for number, fact in enumerate(facts, 1))


def fact_text(fact: StandingFact, lead: str) -> Text:
    """One fact: its sentence, then how it is graded, when it holds, who says otherwise, and where it is written."""
    text = Text(lead).append(plain(fact.sentence or "(erased)").plain, style="bold")
    indent = " " * len(lead)
    status = fact.grounding.status.replace("_", " ")
    grounded = f"{status}, grounding {fact.grounding.value:+.2f}"
    grade = f"{fact.lifecycle} · {grounded} · confidence {fact.confidence:.2f} · tier {fact.tier} · {period(fact)}"
    text.append(f"\n{indent}{grade}", style="dim" if fact.lifecycle is Lifecycle.ACTIVE else "yellow")
    for rival in fact.rivals:
        where = "elsewhere" if rival.differs_by_scope else "against it"
        text.append(plain(f"\n{indent}{where}: {rival.sentence} ({rival.lifecycle}, tier {rival.tier})"))
    if fact.citation is not None:
        text.append(plain("\n" + indent + cited(fact.citation)))
    if fact.denial is not None:
        text.append(plain(f"\n{indent}denied: {cited(fact.denial)}"))
    return text.append(f"\n{indent}fact {fact.fact_id}", style="dim")


def cited(citation: Citation) -> str:
    """Where it is written, with the words."""
    where = citation.title or citation.uri or citation.pointer or f"document {citation.document_id}"
    dated = citation.published_at or citation.observed_at
    named = f"{where} ({citation.source_name}, {dated.astimezone(UTC):%Y-%m-%d})"
    if not citation.excerpt:
        return named
    excerpt = " ".join(citation.excerpt.split())
    return f"“{excerpt[:LONGEST_EXCERPT]}” — {named}"


def period(fact: StandingFact) -> str:
    """When it holds without a gap, whatever its score does meanwhile."""
    if fact.holds_from is None and fact.holds_to is None:
        return "no dates"
    start = f"from {_day(fact.holds_from)}" if fact.holds_from else "until now"
    if fact.holds_to is None:
        return start
    return f"{start} to {_day(fact.holds_to)}" if fact.holds_from else f"until {_day(fact.holds_to)}"


def _day(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d}"


def moment(text: str | None) -> datetime | None:
    """A moment of valid time. Raises InvalidInput."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(
            f"{shown(text)} is no time; write it like 2024-05-01T00:00:00+00:00", field="as_of"
        ) from None
