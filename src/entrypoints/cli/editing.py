"""Editing an entity: what it is called, its kind, its aliases and its description."""

from __future__ import annotations

from uuid import UUID

import click
import msgspec

from domain.identity.ids import EntityId
from domain.resolution.entity_edit import EntityEdit
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, sentence


@click.command()
@click.argument("entity_id", type=click.UUID)
@click.option("--name", help="What it is called from now on; its former names go on leading to it.")
@click.option("--kind", help="What kind of thing it is, such as 'organization'.")
@click.option("--alias", "aliases", multiple=True, help="A further name; may be repeated.")
@click.option("--no-alias", "not_aliases", multiple=True, help="A name that is none of its; may be repeated.")
@click.option("--describe", "description", help="What it is, in a sentence.")
@click.option("--homonym", is_flag=True, help="Another thing of this kind may bear the name, too.")
@click.option("--propose", is_flag=True, help="Only propose it; a curator decides.")
@click.option("--saw", type=click.IntRange(min=0), help="The revision that you read it at; else the present one.")
@click.option("--reason")
@acting
async def edit(
    call: Call,
    entity_id: UUID,
    name: str | None,
    kind: str | None,
    aliases: tuple[str, ...],
    not_aliases: tuple[str, ...],
    description: str | None,
    homonym: bool,
    propose: bool,
    saw: int | None,
    reason: str | None,
) -> Output:
    """Say what an entity is called, its kind, its aliases, what it is. A person's word outranks what was observed
    before it."""
    seen = await call.seen(saw)
    wish = EntityEdit(EntityId(entity_id), seen, name, kind, aliases, not_aliases, description, homonym, reason)
    if propose:
        waiting = await call.app.knowledge.propose_entity_edit(call.access, wish)
        told = f"proposed as {waiting.proposal_id}; a curator decides: assay proposals approve {waiting.proposal_id}"
        return sentence(msgspec.to_builtins(waiting), told)
    done = await call.app.knowledge.edit_entity(call.access, wish)
    shown = f"it is called {done.name} ({done.kind or 'no kind'}) at revision {done.revision}"
    return sentence(
        msgspec.to_builtins(done),
        f"{shown}; {done.standings_changed} standings changed",
        f"take it back with: assay undo {done.revision}",
    )


COMMANDS = (edit,)
