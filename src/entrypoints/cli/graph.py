"""Upkeep of the graph, and of what else follows the record."""

from __future__ import annotations

import click

from application.operations.queries import require_reached
from application.projection.status import graph_status
from domain.identity.ids import Revision
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, plain, sentence, table
from entrypoints.cli.reading import REVISION

DIFFERENT = 5
"""The exit code when graph and record differ."""


@click.group()
def graph() -> None:
    """The graph that follows the record: status, rebuild, verify."""


@graph.command("status")
@acting
async def status(call: Call) -> Output:
    """Show how far the organization's graph has come."""
    access = await call.administration_access()
    found = await graph_status(call.app.resolve_access, call.app.projection.feed, call.app.ports.engine, access)
    builds = [
        {"build": g.number, "live": g.live, "watermark": g.watermark, "at work": g.leased} for g in found.generations
    ]
    lines = [f"{found.engine}: the record is at revision {found.head}, the graph {found.lag} behind"]
    if found.reason:
        lines.append(f"it does not answer: {found.reason}")
    parts = (plain("\n".join(lines)), *((table(builds, {key: key for key in builds[0]}),) if builds else ()))
    return Output(found, parts)


@graph.command("rebuild")
@acting
async def rebuild(call: Call) -> Output:
    """Build the graph anew beside the live one, then swap them."""
    done = await call.app.projection.rebuild_graph(await call.administration_access())
    what = "another worker is building it already" if done.busy else f"{done.changes} changes applied"
    return sentence(done, f"{what}; the graph is at revision {done.watermark}")


@graph.command("verify")
@click.option("--deep", is_flag=True, help="Name each difference.")
@acting
async def verify(call: Call, deep: bool) -> Output:
    """Compare the graph with the record, digest by digest. The exit code is 5 when they differ."""
    found = await call.app.projection.verify_graph(await call.administration_access(), deep=deep)
    if found.whole:
        return sentence(found, f"equal to the record at revision {found.revision}")
    text = f"{len(found.buckets)} of 256 parts differ from the record at revision {found.revision}"
    named = "\n".join(f"{standing_id}  {difference}" for standing_id, difference in found.differences)
    return Output(found, (plain(text), plain(named)), DIFFERENT)


@click.group()
def standings() -> None:
    """What assertions add up to: rebuild."""


@standings.command("rebuild")
@click.option("--at", type=REVISION, help="Compare with what was stored at this revision.")
@click.option("--repair", is_flag=True, help="Write what differs anew.")
@acting
async def rebuild_standings(call: Call, at: int | None, repair: bool) -> Output:
    """Compute all standings anew and compare them with what is stored. The exit code is 5 when they differ."""
    revision = None if at is None else Revision(at)
    access = await call.administration_access()
    await require_reached(call.app.operations, access, revision, "at")
    done = await call.app.upkeep.rebuild_standings(access, revision, repair=repair)
    text = f"{done.standings} standings of {done.slots} slots at revision {done.revision}"
    if not done.discrepancies:
        return sentence(done, f"{text}: all equal to what is stored")
    rows = [{"fact_id": d.fact_id, "missing": d.missing, "extra": d.extra} for d in done.discrepancies]
    repaired = f"; repaired at revision {done.repaired_at}" if done.repaired_at else ""
    headings = {"fact_id": "fact", "missing": "missing", "extra": "too many"}
    parts = (plain(f"{text}: {len(rows)} facts differ{repaired}"), table(rows, headings))
    return Output(done, parts, 0 if done.repaired_at else DIFFERENT)


@click.group()
def embeddings() -> None:
    """Vectors of the configured model: add, swap."""


@embeddings.command("add")
@click.option("--afresh", is_flag=True, help="Start a new build, also of the same model.")
@click.option("--swap", is_flag=True, help="Use the new vectors as soon as they are complete.")
@acting
async def add(call: Call, afresh: bool, swap: bool) -> Output:
    """Embed everything with the configured model, beside the vectors that are in use."""
    access = await call.administration_access()
    done = await call.app.upkeep.add_embeddings(access, switch=swap, afresh=afresh)
    what = "another worker is at it already" if done.busy else f"{done.stored} vectors of {done.model}"
    return sentence(done, f"{what}, at revision {done.watermark}")


@embeddings.command("swap")
@acting
async def swap(call: Call) -> Output:
    """Use the vectors that were added."""
    index = await call.app.upkeep.switch_embeddings(await call.administration_access())
    return sentence(index, f"searches use {index.model} from now on")


COMMANDS = (graph, standings, embeddings)
