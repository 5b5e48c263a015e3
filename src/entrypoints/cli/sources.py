"""Sources and collections."""

from __future__ import annotations

from uuid import UUID

import click

from application.ingestion import queries
from domain.errors import InvalidInput, NotFound, shown
from domain.identity.ids import SourceId
from domain.ingestion.gate import SourceKind
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, listing, sentence

SOURCE_KINDS = click.Choice([kind.value for kind in SourceKind])


async def source_named(call: Call, name: str) -> SourceId:
    """The id of a source that is named by its name or id. Raises NotFound, and InvalidInput when two have the name."""
    try:
        return SourceId(UUID(name))
    except ValueError:
        pass
    found = [s for s in await queries.sources(call.unit_of_work, call.access) if s.name == name]
    if not found:
        raise NotFound(f"no source {shown(name)} in your scopes; `assay sources list` shows them", field="source")
    if len(found) > 1:
        ids = " or ".join(str(s.id) for s in found)
        raise InvalidInput(f"{len(found)} sources are called {shown(name)}; name one by its id: {ids}", field="source")
    return found[0].id


@click.group()
def sources() -> None:
    """Where documents come from: list, regrade."""


@sources.command("list")
@acting
async def list_sources(call: Call) -> Output:
    """List sources by name."""
    rows = [
        {
            "source_id": s.id, "name": s.name, "kind": s.kind, "tier": s.tier, "trust": s.trust,
            "documents": s.documents, "withdrawn": s.withdrawn,
        }
        for s in await queries.sources(call.unit_of_work, call.access)
    ]  # fmt: skip
    columns = {
        "source_id": "id", "name": "name", "kind": "kind", "tier": "tier", "trust": "trust", "documents": "documents",
        "withdrawn": "retracted",
    }  # fmt: skip
    return listing(rows, columns, empty="no sources here; `assay ingest PATH` makes the first")


@sources.command("regrade")
@click.argument("source")
@click.option("--tier", type=click.IntRange(1, 4), required=True)
@click.option("--trust", type=click.FloatRange(0.0, 1.0), help="A trust of its own, in place of the tier's.")
@click.option("--reason")
@acting
async def regrade(call: Call, source: str, tier: int, trust: float | None, reason: str | None) -> Output:
    """Change how far a source, by name or id, is trusted, for everything it ever said."""
    source_id = await source_named(call, source)
    done = await call.app.ingestion.regrade_source(call.access, source_id, tier, trust, reason)
    data = {"slots": done.slots, "standings_changed": done.standings_changed, "revision": done.revision}
    return sentence(data, f"assessed {done.slots} slots; {done.standings_changed} standings changed")


@click.group()
def collections() -> None:
    """Named sets of documents: list."""


@collections.command("list")
@acting
async def list_collections(call: Call) -> Output:
    """List collections by name."""
    rows = [
        {
            "collection_id": c.id, "name": c.name, "documents": c.documents, "entities": len(c.entities),
            "settings": dict(c.settings),
        }
        for c in await queries.collections(call.unit_of_work, call.access)
    ]  # fmt: skip
    columns = {
        "collection_id": "id", "name": "name", "documents": "documents", "entities": "declared entities",
        "settings": "settings",
    }  # fmt: skip
    return listing(rows, columns, empty="no collections here; `assay ingest PATH --collection NAME` makes one")


COMMANDS = (sources, collections)
