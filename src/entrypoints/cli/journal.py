"""The journal: what changed and why, timelines, and whether it is whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import msgspec

from application.journal.queries import entity_target, journal_entries, row_target
from application.journal.timelines import entity_timeline, fact_timeline
from application.retrieval.read_points import LONGEST
from application.retrieval.system_time import revision_of
from domain.errors import InvalidInput, NotFound, shown
from domain.identity.ids import OPEN, FactId, OrganizationId, PrincipalId, Revision
from domain.journal.entries import MAX_ENTRIES, START, EntriesRead, Target, TargetKind
from domain.journal.verification import Anchor
from domain.retrieval.reading import system_time
from domain.retrieval.timeline import TimelineEvent
from entrypoints.cli.acting import Call, Command, acting
from entrypoints.cli.output import Output, cell, plain, sentence, table
from entrypoints.cli.reading import known_at_option, moment, period, reached, term
from entrypoints.cli.target_file import new_file
from entrypoints.json_text import from_json
from entrypoints.views.journal import (
    AnchorView,
    EntityTimelineView,
    EntryView,
    FactTimelineView,
    StepView,
    VerificationView,
)
from entrypoints.views.read_points import ReadPointView

ROWS = tuple(kind for kind in TargetKind if kind not in (TargetKind.ENTITY, TargetKind.PREDICATE))
_SHOWN_STEPS = 20


def _range_options(function: Command) -> Command:
    for option in (
        click.option("--limit", type=click.IntRange(1, MAX_ENTRIES), default=100, show_default=True),
        click.option("--until", help="Up to this revision or time, inclusive."),
        click.option("--since", help="After this revision or time."),
        click.option("--kind", help="Mutations of this kind, such as correct or retract_document."),
        click.option("--actor", type=click.UUID, help="What this principal did."),
        click.option("--predicate", help="The history of a predicate's policy."),
        *(click.option(f"--{kind.value}", type=click.UUID, help=f"The history of this {kind.value}.") for kind in ROWS),
        click.option("--entity", help="The history of an entity, by name or id."),
    ):
        function = option(function)
    return function


@click.group()
def journal() -> None:
    """Who changed what and why: list, verify, export."""


@journal.command("list")
@_range_options
@acting
async def list_entries(call: Call, **asked: Any) -> Output:
    """List mutations, oldest first: of a scope, a thing, an actor, a kind."""
    entries = await _entries(call, asked, 0)
    rows = [
        {"revision": e.revision, "kind": e.kind, "by": _who(e), "at": e.committed_at, "reason": e.reason}
        for e in entries
    ]
    return Output(entries, (table(rows, {key: key for key in rows[0]}) if rows else plain("nothing changed"),))


@click.command()
@_range_options
@acting
async def changes(call: Call, **asked: Any) -> Output:
    """Show what changed between two revisions or times, with each cause and what it did to which facts."""
    entries = await _entries(call, asked, _SHOWN_STEPS)
    return Output(entries, tuple(plain(line) for e in entries for line in _told(e)) or (plain("nothing changed"),))


async def _entries(call: Call, asked: Mapping[str, Any], steps: int) -> list[EntryView]:
    since, until = await _bound(call, asked["since"], "since"), await _bound(call, asked["until"], "until")
    read = EntriesRead(
        since or START,
        OPEN if until is None else until,
        await _target(call, asked),
        None if asked["actor"] is None else PrincipalId(asked["actor"]),
        asked["kind"],
        asked["limit"],
    )
    found = await journal_entries(call.unit_of_work, call.access, read, steps)
    return [EntryView.of(entry) for entry in found]


async def _bound(call: Call, text: str | None, field: str) -> Revision | None:
    moment = None if text is None else system_time(text, field)
    return await revision_of(call.unit_of_work, call.app.operations, call.access, moment, field)


async def _target(call: Call, asked: Mapping[str, Any]) -> Target | None:
    named = [kind for kind in TargetKind if asked[kind.value] is not None]
    if len(named) > 1:
        raise click.UsageError("ask for the history of one thing at a time")
    if not named:
        return None
    value = asked[named[0].value]
    if named[0] is TargetKind.ENTITY:
        return await entity_target(call.app.retrieval.facts, call.access, term(value))
    return row_target(named[0], value)


@click.command()
@click.argument("thing")
@known_at_option
@click.option(
    "--limit", type=click.IntRange(1, MAX_ENTRIES), default=100, show_default=True, help="Mutations of a fact."
)
@acting
async def timeline(call: Call, thing: str, known_at: str | None, limit: int) -> Output:
    """Show how a fact (by id) came to stand so, or what happened around an entity (by name or id), in order."""
    revision = await reached(call, known_at)
    reads, named = call.app.retrieval.facts, term(thing)
    if named.id is not None:
        try:
            found = await fact_timeline(reads, call.unit_of_work, call.access, FactId(named.id), revision, limit=limit)
        except NotFound:
            pass
        else:
            view = FactTimelineView.of(found, limit)
            lines = [f"{s.lifecycle} {period(s)} · confidence {s.confidence:.2f} · {s.reason}" for s in found.segments]
            told = [line for entry in view.entries for line in _told(entry)]
            return sentence(view, found.segments[0].sentence or "(erased)", *lines, "", *told)
    around = await entity_timeline(reads, call.access, named, revision)
    if not around.events:
        return sentence(EntityTimelineView.of(around), f"nothing is known about {thing!r}")
    cut = ("there is more; ask for single facts",) if around.truncated else ()
    return sentence(EntityTimelineView.of(around), *map(_event, around.events), *cut)


def _event(event: TimelineEvent) -> str:
    day = f"{event.at:%Y-%m-%d}" if event.at else "(no date) "
    by = f", succeeded by: {event.by.sentence}" if event.by else ""
    return f"{day}  {event.what:10}  {event.fact.sentence or '(erased)'}{by}"


def _who(entry: EntryView) -> str:
    return entry.principal_name or entry.principal_kind


def _told(entry: EntryView) -> list[str]:
    why = f": {entry.reason}" if entry.reason else ""
    head = f"{entry.revision:6}  {cell(entry.committed_at)}  {entry.kind} by {_who(entry)}{why}"
    more = entry.steps - len(entry.did)
    return [head, *map(_step, entry.did), *([f"        … and {more} more segments"] if more > 0 else [])]


def _step(step: StepView) -> str:
    sign = "+" if step.opened else "-"
    dates = " to ".join(f"{moment:%Y-%m-%d}" if moment else "…" for moment in (step.valid_from, step.valid_to))
    sources = f" ({', '.join(step.sources)})" if step.opened and step.sources else ""
    return f"        {sign} {step.sentence or '(erased)'} [{step.lifecycle}, {dates}]{sources}"


@journal.command("verify")
@click.option("--anchor", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="From an earlier export.")
@acting
async def verify_journal(call: Call, anchor: Path | None) -> Output:
    """Recompute the chain and every commitment. The exit code is 5 when something is wrong."""
    held = None if anchor is None else _read_anchor(anchor)
    view = VerificationView.of(await call.app.journal.verify(await call.administration_access(), held))
    erased = f", {view.erased} with an erased payload" if view.erased else ""
    lines = [f"{view.entries} entries up to revision {view.head.revision}{erased}"]
    lines += [f"  {_places(f.revision, f.last)}: {f.kind}: {f.detail}" for f in view.faults]
    lines.append("the journal is whole" if view.whole else "the journal is not whole")
    return Output(view, tuple(plain(line) for line in lines), 0 if view.whole else 5)


def _places(first: int, last: int) -> str:
    return f"revision {first}" if first == last else f"revisions {first} to {last}"


def _read_anchor(path: Path) -> Anchor:
    """The anchor in a file of its own, or in the last line of an export."""
    lines = path.read_text(encoding="utf-8").split("\n")
    text = next((line for line in reversed(lines) if line.strip()), "")
    try:
        found = msgspec.convert(from_json(text, dict[str, Any]).get("anchor"), AnchorView)
        digest = bytes.fromhex(found.hash)
    except (msgspec.DecodeError, msgspec.ValidationError, ValueError) as error:
        raise InvalidInput(
            f"{path} has no anchor in its last line, but {shown(text)}: {error}", field="anchor"
        ) from None
    return Anchor(OrganizationId(found.organization_id), Revision(found.revision), digest, found.committed_at)


@journal.command("export")
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--anchor", type=click.Path(dir_okay=False, path_type=Path), help="Write the anchor here as well.")
@acting
async def export_journal(call: Call, target: Path, anchor: Path | None) -> Output:
    """Write every entry to TARGET, a JSON object a line; the last line is the anchor to check it by later."""
    access = await call.administration_access()
    head = await call.app.journal.export.anchor(access)
    last = msgspec.json.encode({"anchor": AnchorView.of(head), "exported_at": call.app.ports.clock.now()})
    count = 0
    with new_file(target) as lines:
        async for entry in call.app.journal.export(access, head.revision):
            lines.write(msgspec.json.encode({name: _exported(value) for name, value in entry.items()}) + b"\n")
            count += 1
        lines.write(last + b"\n")
    if anchor is not None:
        _keep(anchor, last + b"\n")
    data = {"entries": count, "anchor": AnchorView.of(head), "file": str(target)}
    told = f"{count} entries written to {target}; the anchor is revision {head.revision}, hash {head.hash.hex()}"
    return sentence(data, told, "keep the anchor where nobody who can change this database can change it")


def _keep(path: Path, data: bytes) -> None:
    with new_file(path) as file:
        file.write(data)


def _exported(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


@click.command("read-point")
@click.option("--as-of", help="The latest moment asked about; left out, now.")
@known_at_option
@click.option("--seconds", type=click.IntRange(1, LONGEST), default=3600, show_default=True, help="How long it lasts.")
@acting
async def read_point(call: Call, as_of: str | None, known_at: str | None, seconds: int) -> Output:
    """Make a token that pins both times: what is read with --read-point never goes past them."""
    asked = None if known_at is None else system_time(known_at)
    token, pin = await call.app.retrieval.read_points.make(call.access, moment(as_of), asked, seconds)
    told = f"revision {pin.known_at}, {pin.as_of.isoformat()}; until {pin.expires_at.isoformat()}"
    return sentence(ReadPointView.of(token, pin), token, told)


COMMANDS = (journal, changes, timeline, read_point)
