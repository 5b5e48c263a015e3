"""Snapshots on the command line."""

from __future__ import annotations

from uuid import UUID

import click

from application.retrieval.snapshots import SnapshotWish
from domain.retrieval.reading import system_time
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, cell, listing, sentence
from entrypoints.cli.reading import known_at_option, moment
from entrypoints.views.snapshots import SnapshotView


@click.group()
def snapshots() -> None:
    """Revisions by which every read gives the same later: create, list, show, verify."""


@snapshots.command("create")
@click.argument("name", required=False)
@click.option("--reason", help="Why; the journal keeps it.")
@click.option("--as-of", help="The moment that reads by it ask about; left out, now.")
@known_at_option
@acting
async def create(call: Call, name: str | None, reason: str | None, as_of: str | None, known_at: str | None) -> Output:
    """Keep a snapshot of the record as it is, or as it was."""
    asked = None if known_at is None else system_time(known_at)
    made = await call.app.retrieval.snapshots.make(call.access, SnapshotWish(asked, moment(as_of), name, reason))
    told = f"revision {made.revision}, {made.standings} standings, digest {made.digest.hex()}"
    return sentence(SnapshotView.of(made), str(made.id), told)


@snapshots.command("list")
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True)
@acting
async def listed(call: Call, limit: int) -> Output:
    """List snapshots, newest first."""
    rows = [SnapshotView.of(row) for row in await call.app.retrieval.snapshots.listed(call.access, None, limit)]
    shown = [
        {
            "id": str(row.id), "name": row.name, "revision": row.revision, "standings": row.standings,
            "made": row.made_at, "state": _state(row),
        }
        for row in rows
    ]  # fmt: skip
    headings = {key: key for key in ("id", "name", "revision", "standings", "made", "state")}
    return Output(rows, listing(shown, headings, empty="there are no snapshots here yet").parts)


@snapshots.command("show")
@click.argument("snapshot_id", type=click.UUID)
@acting
async def show(call: Call, snapshot_id: UUID) -> Output:
    """Show what a snapshot pins."""
    return _told(SnapshotView.of(await call.app.retrieval.snapshots.shown(call.access, snapshot_id)))


@snapshots.command("verify")
@click.argument("snapshot_id", type=click.UUID)
@acting
async def verify(call: Call, snapshot_id: UUID) -> Output:
    """Read everything that a snapshot holds again and compare. The exit code is 5 when it was altered."""
    return _told(SnapshotView.of(await call.app.retrieval.snapshots.verify(call.access, snapshot_id)))


def _told(view: SnapshotView) -> Output:
    rows = {
        "snapshot": view.id, "name": view.name, "reason": view.reason, "revision": view.revision,
        "as of": view.as_of, "standings": view.standings, "digest": view.digest, "vectors": view.model,
        "made": view.made_at, "verified": view.verified_at, "state": _state(view),
        "voided by": ", ".join(map(str, view.voided_by)) or None,
    }  # fmt: skip
    return sentence(view, *(f"{name:10} {cell(value)}" for name, value in rows.items() if value is not None))


def _state(view: SnapshotView) -> str:
    if view.altered_at is not None:
        return "altered: refused"
    return "voided in part" if view.voided_by else "whole"


COMMANDS = (snapshots,)
