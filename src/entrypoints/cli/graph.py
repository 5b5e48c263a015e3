"""Upkeep of the graph, and of what else follows the record."""

from __future__ import annotations

import click

from application.projection.status import graph_status
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, plain, sentence, table

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


COMMANDS = (graph,)
